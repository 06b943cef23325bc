import { useState } from 'react'
import { useSite } from '../../model/site.ts'
import { contact } from '../../texts/contact-messages.ts'
import { type Problems, textIn, useSubmit } from '../../ui/forms/use-submit.ts'
import { notifySilently } from '../../ui/toast/silent.ts'
import { notify } from '../../ui/toast/toast.ts'
import { MailError, sendContactMessage } from './contact.ts'
import { fieldNames, contactFieldError, type FieldName } from './contact-fields.ts'

const texts = contact.form
const toastId = 'contact'

export function useContactForm() {
  const site = useSite()
  const [shownAt, setShownAt] = useState(() => Date.now())
  const form = useSubmit<FieldName>({
    async send(element) {
      const found = problemsIn(element)
      if (Object.keys(found).length > 0) return found
      await sendContactMessage(site, { ...valuesOf(element), recipient: site.supportEmail }, shownAt)
      element.reset()
      setShownAt(Date.now())
      notify.success(texts.done, toastId)
      return texts.done
    },
    explain(error) {
      notifySilently.error(texts.failed, toastId)
      if (!(error instanceof MailError)) return ''
      // It may have been sent too soon, or too late.
      if (error.status === 400) setShownAt(Date.now())
      return error.message
    },
  })
  return { ...form, shownAt }
}

function problemsIn(form: HTMLFormElement): Problems<FieldName> {
  const found: Problems<FieldName> = {}
  for (const name of fieldNames) {
    const field = form.elements.namedItem(name)
    const isMistyped = field instanceof HTMLInputElement && field.validity.typeMismatch
    const problem = contactFieldError(name, textIn(form, name), isMistyped)
    if (problem !== undefined) found[name] = problem
  }
  return found
}

const valuesOf = (form: HTMLFormElement) => ({
  name: textIn(form, 'name').trim(),
  email: textIn(form, 'email').trim(),
  subject: textIn(form, 'subject').trim(),
  message: textIn(form, 'message').trim(),
  website: textIn(form, 'website').trim(),
})
