// A real SMTP server on loopback that stores accepted mails.
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

export interface ReceivedMail {
  /** From the envelope. */
  from: string
  to: string[]
  /**
   * By lower-case name, unfolded, encoded words decoded. Repeated headers are joined by newlines.
   */
  headers: Record<string, string>
  /** Decoded. */
  text: string
  raw: string
}

export interface TestSmtpServer {
  url: string
  mails: ReceivedMail[]
  /** Number of authenticated sessions. */
  readonly logins: number
  /** Refuses every recipient with this SMTP reply; null accepts again. */
  refuse(reply: { code: number; text: string } | null): void
  /** Stops listening: connections are refused until `start`. */
  stop(): Promise<void>
  /** Listens on the same port again. */
  start(): Promise<void>
}

/** @param delayMs delay before a mail is accepted */
export async function startSmtpServer({
  delayMs = 0,
  user,
}: { delayMs?: number; user?: [name: string, password: string] } = {}) {
  const mails: ReceivedMail[] = []
  let refusal: { code: number; text: string } | null = null
  let server: SMTPServer | undefined
  let port = 0
  let logins = 0

  const start = async () => {
    const next = new SMTPServer({
      logger: false,
      disabledCommands: user ? ['STARTTLS'] : ['STARTTLS', 'AUTH'],
      allowInsecureAuth: true,
      authOptional: !user,
      onAuth({ username, password }, _session, done) {
        logins++
        if (username === user?.[0] && password === user?.[1]) done(null, { user: username })
        else done(Object.assign(new Error('Wrong user or password'), { responseCode: 535 }))
      },
      onRcptTo(_address, _session, done) {
        done(refusal && Object.assign(new Error(refusal.text), { responseCode: refusal.code }))
      },
      onData(stream, { envelope }, done) {
        text(stream).then(
          (raw) =>
            setTimeout(() => {
              const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
              mails.push({ from, to: envelope.rcptTo.map(({ address }) => address), ...parse(raw), raw })
              done()
            }, delayMs),
          done,
        )
      },
    })
    await new Promise<void>((resolve, reject) => {
      next.on('error', reject)
      next.listen(port, '127.0.0.1', resolve)
    })
    port = (next.server.address() as AddressInfo).port
    server = next
  }

  await start()
  const credentials = user ? `${user.map(encodeURIComponent).join(':')}@` : ''
  const running: TestSmtpServer = {
    url: `smtp://${credentials}127.0.0.1:${port}`,
    mails,
    get logins() {
      return logins
    },
    refuse: (reply) => {
      refusal = reply
    },
    stop: () => new Promise((resolve) => (server ? server.close(resolve) : resolve())),
    start,
  }
  return running
}

function parse(raw: string): Pick<ReceivedMail, 'headers' | 'text'> {
  const end = raw.indexOf('\r\n\r\n')
  const headers: Record<string, string> = {}
  for (const line of raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    const value = decodeWords(line.slice(colon + 1).trim())
    headers[name] = name in headers ? `${headers[name]}\n${value}` : value
  }
  return { headers, text: decodeBody(raw.slice(end + 4), headers['content-transfer-encoding']).replace(/\r\n/g, '\n') }
}

function decodeBody(body: string, encoding = '7bit'): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString()
  return encoding === 'quoted-printable' ? fromQuoted(body.replace(/=\r\n/g, '')) : body
}

/** RFC 2047. */
const decodeWords = (value: string) =>
  value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      kind.toLowerCase() === 'b' ? Buffer.from(word, 'base64').toString() : fromQuoted(word.replace(/_/g, ' ')),
    )

const fromQuoted = (quoted: string) =>
  Buffer.from(
    quoted.replace(/=([\dA-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString()
