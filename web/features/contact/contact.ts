// Sends the contact form through EmailJS's client: to this server, or to EmailJS itself.
import { ownEmailJs } from '../../../contract/plain/emailjs.ts'
import { sendTimed } from '../../model/form-timing.ts'
import type { Site } from '../../model/site.ts'

const timeoutMs = 10_000

export interface ContactMessage {
  name: string
  email: string
  subject: string
  message: string
  /** For an EmailJS template; our own server reads its settings instead. */
  recipient: string
  /** A honeypot: only bots fill it in. */
  website: string
}

/** A refusal of the mail service. `message` is our own server's text, empty when there is none. */
export class MailError extends Error {
  readonly status: number

  constructor(status: number, text: string) {
    super(text)
    this.name = 'MailError'
    this.status = status
  }
}

type MailSettings = Pick<Site, 'emailJsPublicKey' | 'emailJsServiceId' | 'emailJsTemplateId'>

/**
 * @param shownAt when the form was shown, in milliseconds of this browser's clock
 * @throws {MailError}
 */
export async function sendContactMessage(site: MailSettings, message: ContactMessage, shownAt: number): Promise<void> {
  const isUntimely = (error: unknown) => error instanceof MailError && error.status === 400 && isOwn(site)
  await sendTimed(shownAt, (time) => send(site, { ...message, time }), isUntimely)
}

const isOwn = ({ emailJsPublicKey }: MailSettings) => emailJsPublicKey === ''

async function send(site: MailSettings, params: Record<string, string>): Promise<void> {
  const { init, send: sendMail } = await import('@emailjs/browser')
  const toUs = isOwn(site)
  if (toUs) init({ publicKey: ownEmailJs.publicKey, origin: location.origin })
  else init({ publicKey: site.emailJsPublicKey })
  const serviceId = toUs ? ownEmailJs.serviceId : site.emailJsServiceId
  const templateId = toUs ? ownEmailJs.templateId : site.emailJsTemplateId
  try {
    await Promise.race([sendMail(serviceId, templateId, params), silence()])
  } catch (error) {
    const { status, text } = asReply(error)
    console.info(`Mail client: ${status} ${statusNames[status] ?? ''}`, error)
    // EmailJS's texts are for the site's operator, and a proxy responds with HTML or JSON.
    throw new MailError(status, toUs && !/^[<{]/.test(text) ? text : '')
  }
}

/** The client's own names of its statuses. */
const statusNames: Record<number, string> = {
  451: 'Unavailable For Headless Browser',
  403: 'Forbidden',
  429: 'Too Many Requests',
  0: 'Network Error',
}

/** The client has no timeout of its own. */
const silence = () =>
  new Promise<never>((_, reject) => setTimeout(() => reject(new Error('No response in time')), timeoutMs))

interface Reply {
  status: number
  text: string
}

/** A refusal is a status and a text, a network failure an exception, a wrong call a bare string. */
function asReply(error: unknown): Reply {
  if (typeof error === 'string') throw new Error(error)
  const { status, text } = Object(error) as Partial<Reply>
  return typeof status === 'number' ? { status, text: text ?? '' } : { status: 0, text: '' }
}
