// An app that sends mail, and the SMTP server that receives it.
import { sendDueMail } from '../domain/mail/mail-queue.ts'
import { startTestApp, type TestApp } from './app.ts'
import { type ReceivedMail, startSmtpServer, type TestSmtpServer } from './smtp-server.ts'

export interface MailApp {
  app: TestApp
  smtp: TestSmtpServer
  /** Sends what was queued so far, and returns the mails since the last call. */
  newMails(): Promise<ReceivedMail[]>
  /** The same, where one mail is expected. @throws when there is another number */
  newMail(): Promise<ReceivedMail>
  stop(): Promise<void>
}

/** Its address is https://pics.example unless PUBLIC_URL is given. */
export async function startMailApp(settings: Record<string, string> = {}): Promise<MailApp> {
  const smtp = await startSmtpServer()
  const app = await startTestApp({ SMTP_URL: smtp.url, SUPPORT_EMAIL: 'support@example.com', ...settings })
  const newMails = async () => {
    await app.deps.background.idle()
    await sendDueMail(app.deps, app.deps.now())
    return smtp.mails.splice(0)
  }
  return {
    app,
    smtp,
    newMails,
    async newMail() {
      const [mail, ...others] = await newMails()
      if (!mail || others.length > 0) throw new Error(`Expected one mail, got ${mail ? others.length + 1 : 0}`)
      return mail
    },
    async stop() {
      await app.stop()
      await smtp.stop()
    },
  }
}

/** The token of the link in a mail. */
export function tokenIn({ text }: ReceivedMail): string {
  const token = /^https?:\/\/\S+#([\w-]{43})$/m.exec(text)?.[1]
  if (token === undefined) throw new Error(`No link in ${text}`)
  return token
}
