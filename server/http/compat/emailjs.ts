// EmailJS's API as @emailjs/browser 4.4.1 calls it: the client reads the status and shows the text.
import type { contact } from '../../../contract/contact.ts'
import type { InputOf } from '../../../contract/endpoint.ts'
import { sendContactMessage } from '../../domain/contact.ts'
import type { Deps } from '../../domain/deps.ts'

interface Request<N extends keyof typeof contact> {
  address: string
  body: InputOf<(typeof contact)[N]>['body']
}

export async function sendEmail(deps: Deps, { address, body }: Request<'sendEmail'>) {
  await sendContactMessage(deps, { address, body: body.template_params })
  return 'OK'
}

/** The form's fields are siblings of the ids. */
export async function sendEmailForm(deps: Deps, { address, body }: Request<'sendEmailForm'>) {
  await sendContactMessage(deps, { address, body })
  return 'OK'
}
