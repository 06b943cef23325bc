// Contact form messages of the sample set.
import { dayMs } from '../../../contract/plain/limits.ts'
import { sendContactMessage } from '../../domain/mail/contact.ts'
import type { Deps } from '../../domain/shared/deps.ts'
import { emailOf } from './seed-accounts.ts'

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
    days: 33,
    name: 'Mei Tan',
    subject: 'An image of mine on a page that I do not know',
    message: 'Somebody shows my photograph on their site without asking. Can you tell me how to have it removed?',
  },
  {
    days: 2,
    name: 'Daniel Novák',
    subject: 'Right-to-left names 😕',
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
