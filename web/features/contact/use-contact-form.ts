import { MailError, sendContactMessage } from './contact.ts'
import { useSite } from '../../model/site.ts'
import { contact } from '../../texts/contact-messages.ts'
import { notify } from '../../ui/toast/toast.ts'
import { type Problems, usePublicForm } from '../../ui/forms/use-public-form.ts'
import { fieldNames, contactFieldError, type FieldName } from './contact-fields.ts'

const texts = contact.form
const toastId = 'contact'

export function useContactForm() {
  const site = useSite()
  return usePublicForm({
    fieldNames,
    problemsIn,
    async send(form, shownAt) {
      try {
        await sendContactMessage(site, { ...valuesOf(form), recipient: site.supportEmail }, shownAt)
        form.reset()
        notify.success(texts.done, toastId)
        return { isSent: true }
      } catch (error) {
        console.info('The message was not sent', error)
        notify.error(texts.failed, toastId)
        if (!(error instanceof MailError)) return { isSent: false, reason: '' }
        return { isSent: false, reason: error.message, isUntimely: error.status === 400 }
      }
    },
  })
}

const fieldOf = (form: HTMLFormElement, name: string) => {
  const field = form.elements.namedItem(name)
  return field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement ? field : undefined
}

function problemsIn(form: HTMLFormElement): Problems<FieldName> {
  const found: Problems<FieldName> = {}
  for (const name of fieldNames) {
    const field = fieldOf(form, name)
    const problem = field && contactFieldError(name, field.value, field.validity.typeMismatch)
    if (problem !== undefined) found[name] = problem
  }
  return found
}

const valuesOf = (form: HTMLFormElement) => ({
  name: valueIn(form, 'name'),
  email: valueIn(form, 'email'),
  subject: valueIn(form, 'subject'),
  message: valueIn(form, 'message'),
  website: valueIn(form, 'website'),
})

const valueIn = (form: HTMLFormElement, name: string) => fieldOf(form, name)?.value.trim() ?? ''
