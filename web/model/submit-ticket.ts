/**
 * Makes the browser download a file itself, which may be larger than memory. The ticket is a field of
 * a form: URLs stay in logs and in the browser's history.
 */
export function submitTicket({ url, ticket }: { url: string; ticket: string }): void {
  const form = document.createElement('form')
  Object.assign(form, { action: url, method: 'post', enctype: 'multipart/form-data', hidden: true })
  const field = document.createElement('input')
  Object.assign(field, { name: 'ticket', value: ticket })
  form.append(field)
  document.body.append(form)
  form.submit()
  form.remove()
}
