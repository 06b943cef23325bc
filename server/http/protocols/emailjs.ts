// EmailJS's API as @emailjs/browser 4.4.1 calls it: the client reads the status and shows the text.
import { sendContactMessage } from '../../domain/mail/contact.ts'
import type { Handlers } from '../handler.ts'

export const sendEmail: Handlers['sendEmail'] = async (deps, { address, body }) => {
  await sendContactMessage(deps, { address, body: body.template_params })
  return 'OK'
}

/** The form's fields are siblings of the ids. */
export const sendEmailForm: Handlers['sendEmailForm'] = async (deps, { address, body }) => {
  await sendContactMessage(deps, { address, body })
  return 'OK'
}
