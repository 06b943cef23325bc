// Contact form messages of the sample set.
import { dayMs } from '../../../contract/plain/limits.ts'
import { sendContactMessage } from '../../domain/mail/contact.ts'
import type { Deps } from '../../domain/shared/deps.ts'
import { emailOf } from './sample-text.ts'

const messages = [
  {
    days: 58,
    name: 'Elena Rossi',
    subject: 'Larger uploads?',
    message:
      'Hello,\n\nI scan old family albums and most pages come out at 14 MB. Is there a way to raise the limit for one account? ' +
      'I would rather not shrink them, since the captions on the back become hard to read.\n\nThank you,\nElena',
  },
  {
    days: 41,
    name: 'Karl Jensen',
    subject: 'Thank you',
    message: 'Just a note to say that the embed codes saved me an afternoon. The forum took the BBCode at once.',
  },
  {
    days: 33,
    name: 'Mei Tan',
    subject: 'A picture of mine on a page that I do not know',
    message: 'Somebody shows my picture on their site without asking. Can you tell me how to have it removed?',
  },
  {
    days: 20,
    name: 'Ahmed Farouk',
    subject: 'API',
    message: 'Is there a limit on how many images I can list with one key?',
  },
  {
    days: 9,
    name: 'Zoë Verhoeven',
    subject: 'Expired too early 😕',
    message: 'I uploaded without an account in spring and the link stopped working. I know now: guests get 60 days.',
  },
  {
    days: 2,
    name: 'Daniel Novák',
    subject: 'Right-to-left names',
    message: 'File names such as صورة.png show fine in the gallery. <b>Well done</b> — and no, this is not bold.',
  },
]

/** Adds the missing messages without sending mail. @returns the number of messages added */
export async function seedMessages(deps: Deps): Promise<number> {
  let count = 0
  for (const { days, name, subject, message } of messages) {
    const email = emailOf(name)
    const same = deps.db
      .selectFrom('contact_messages')
      .select('id')
      .where('email', '=', email)
      .where('subject', '=', subject)
    if (await same.executeTakeFirst()) continue
    const then = { ...deps, now: () => deps.now() - days * dayMs }
    // Each from a different address, because an address may send five an hour.
    await sendContactMessage(then, { address: `seed-${email}`, body: { name, email, subject, message } })
    count++
  }
  return count
}
