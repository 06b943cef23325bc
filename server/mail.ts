// The mail port. Its one implementation is SMTP, whose library is loaded only when configured.

export interface Mailer {
  /** Sends one mail; resolves when the mail server has accepted it. @throws {MailNotAccepted} */
  send(mail: Mail): Promise<void>
  /** Connects and logs in. @throws {MailNotAccepted} */
  verify(): Promise<void>
  /** A mail under way is not accepted then. */
  close(): void
  /** Since the server could last not be used; null while it can. Kept by the queue (domain/mail/mail-queue.ts). */
  outage: MailOutage | null
}

/** Times are UTC milliseconds. */
export interface MailOutage {
  since: number
  tries: number
  /** Until then no mail is tried. */
  nextTryAt: number
}

/** Plain text to one recipient. */
export interface Mail {
  /** Source of the Message-ID: equal for a mail sent again, so that receivers detect duplicates. */
  id: string
  /** An address, or a name with an address in <>. */
  from: string
  to: string
  replyTo?: { name: string; address: string }
  subject: string
  text: string
  /** Takes a POST that ends mails of this kind (RFC 8058). */
  unsubscribeUrl?: string | undefined
  /** Generated automatically: auto-responders must not respond (RFC 3834). */
  isAutomatic: boolean
}

export class MailNotAccepted extends Error {
  override name = 'MailNotAccepted'
  /** Whether the server refused this mail; otherwise no mail can be sent at present. */
  readonly isRefused: boolean
  /** Whether it asked not to send it again (RFC 5321 section 4.2.1). */
  readonly isPermanent: boolean

  constructor(cause: Error & { code?: string; responseCode?: number }) {
    super(cause.message, { cause })
    this.isRefused = cause.responseCode !== undefined && (cause.code === 'EENVELOPE' || cause.code === 'EMESSAGE')
    this.isPermanent = this.isRefused && Number(cause.responseCode) >= 500
  }
}

/** nodemailer's defaults are 2 minutes, 30 s and 10 minutes: too long for a queue with retries. */
const timeouts = { connectMs: 10_000, greetingMs: 10_000, idleMs: 30_000, wholeMs: 120_000 }

/**
 * Sends the password over TLS only: a server that offers no STARTTLS, or an attacker who removes
 * the offer, does not get it. `requireTLS=false` in the URL overrides this.
 * @param url smtp:// or smtps://, with user and password when needed
 */
export async function openSmtp(url: string): Promise<Mailer> {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    url,
    requireTLS: new URL(url).password !== '' && !isThisMachine(new URL(url).hostname),
    connectionTimeout: timeouts.connectMs,
    dnsTimeout: timeouts.connectMs,
    greetingTimeout: timeouts.greetingMs,
    socketTimeout: timeouts.idleMs,
    // Mail contents are untrusted: nodemailer must not read files or URLs they name.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const closing = new AbortController()
  return {
    outage: null,
    async send({ id, from, to, replyTo, subject, text, unsubscribeUrl, isAutomatic }) {
      try {
        await transport.sendMail({
          messageId: `<${id}@${domainOf(from)}>`,
          from,
          to: { name: '', address: to },
          ...(replyTo ? { replyTo } : {}),
          subject,
          text,
          headers: {
            ...(isAutomatic ? { 'Auto-Submitted': 'auto-generated' } : {}),
            ...(unsubscribeUrl === undefined
              ? {}
              : {
                  'List-Unsubscribe': `<${unsubscribeUrl}>`,
                  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
                }),
          },
          xMailer: false,
          signal: AbortSignal.any([AbortSignal.timeout(timeouts.wholeMs), closing.signal]),
        })
      } catch (error) {
        throw new MailNotAccepted(error as Error)
      }
    },
    async verify() {
      try {
        await transport.verify()
      } catch (error) {
        throw new MailNotAccepted(error as Error)
      }
    },
    close() {
      closing.abort(new Error('The server stops'))
      transport.close()
    },
  }
}

const isThisMachine = (host: string) => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/i.test(host)

const domainOf = (from: string) => from.slice(from.lastIndexOf('@') + 1).replace('>', '')
