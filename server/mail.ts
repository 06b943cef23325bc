// Port 3: mail. One implementation, SMTP, whose library is loaded only when it is configured.

export interface Mailer {
  /**
   * Hands one mail to the mail server; when it returns, the server has accepted it.
   * @throws {MailNotAccepted}
   */
  send(mail: Mail): Promise<void>
  close(): void
}

/** Plain text to one recipient. */
export interface Mail {
  /** Makes the Message-ID: a mail that is sent again keeps it, so that its reader's side can see that it is the same. */
  id: string
  /** An address, or a name with an address in <>. */
  from: string
  to: string
  replyTo?: { name: string; address: string }
  subject: string
  text: string
  /** Nobody wrote it: nothing should answer it by itself (RFC 3834). */
  isAutomatic: boolean
}

export class MailNotAccepted extends Error {
  override name = 'MailNotAccepted'
  /** The mail server answered and refused this very mail; otherwise no mail can be sent at the moment. */
  readonly isRefused: boolean

  constructor(cause: Error & { code?: string; responseCode?: number }) {
    super(cause.message, { cause })
    this.isRefused = cause.responseCode !== undefined && (cause.code === 'EENVELOPE' || cause.code === 'EMESSAGE')
  }
}

/** nodemailer's own are 2 minutes, 30 s and 10 minutes: too long for a queue that tries again anyway. */
const timeouts = { connectMs: 10_000, greetingMs: 10_000, idleMs: 30_000, wholeMs: 120_000 }

/**
 * A password leaves this machine encrypted or not at all: a mail server that offers no STARTTLS does not get it, nor does
 * whoever took the offer out on the way. `requireTLS=false` in the query of the address wins.
 * @param url smtp:// or smtps://, with user and password where they are needed
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
    // A mail is made of what strangers write: nothing in it is ever a path or an address to load.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send({ id, from, to, replyTo, subject, text, isAutomatic }) {
      try {
        await transport.sendMail({
          messageId: `<${id}@${domainOf(from)}>`,
          from,
          to: { name: '', address: to },
          ...(replyTo ? { replyTo } : {}),
          subject,
          text,
          headers: isAutomatic ? { 'Auto-Submitted': 'auto-generated' } : {},
          xMailer: false,
          signal: AbortSignal.timeout(timeouts.wholeMs),
        })
      } catch (error) {
        throw new MailNotAccepted(error as Error)
      }
    },
    close: () => transport.close(),
  }
}

const isThisMachine = (host: string) => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/i.test(host)

const domainOf = (from: string) => from.slice(from.lastIndexOf('@') + 1).replace('>', '')
