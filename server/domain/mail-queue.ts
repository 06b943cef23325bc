// Mail on its way out: a row until the mail server has accepted it. At least once; a row is on one server's hands at a time.
import type { OutgoingMailTable } from '../db/schema.ts'
import { type Mail, MailNotAccepted, type Mailer } from '../mail.ts'
import type { Deps } from './deps.ts'
import { newId } from './secrets.ts'

const maxPerRun = 50
/** Longer than one mail can take (mail.ts bounds it): a server that died with a mail in its hands gives it back after this. */
const leaseMs = 10 * 60_000
const firstWaitMs = 60_000
const longestWaitMs = 60 * 60_000
const maxErrorLength = 300

interface NewMail {
  contactMessageId?: string
  userId?: string
  subject: string
  body: string
  /** UTC milliseconds from which on it is worth nothing. Default: it is kept until it is accepted. */
  dropAt?: number
}

/** Puts a mail into the queue: in a transaction of the caller's, with what it is about. */
export async function queueMail(deps: Pick<Deps, 'db' | 'now' | 'randomBytes'>, mail: NewMail): Promise<void> {
  const now = deps.now()
  await deps.db
    .insertInto('outgoing_mail')
    .values({
      id: newId(deps),
      contact_message_id: mail.contactMessageId ?? null,
      user_id: mail.userId ?? null,
      subject: mail.subject,
      body: mail.body,
      created_at: now,
      attempts: 0,
      next_try_at: now,
      drop_at: mail.dropAt ?? null,
      last_error: null,
    })
    .execute()
}

/** How long to wait after this many failed attempts, in milliseconds: 1 minute, 2, 4 and so on up to an hour. */
export const waitMs = (attempts: number) => Math.min(firstWaitMs * 2 ** (attempts - 1), longestWaitMs)

/**
 * Sends what is due. Ends early when the mail server is away: what is left stays due.
 * @param trustedNow UTC milliseconds. null: the clock is not trusted. Then what it says is worth nothing any more waits
 */
export async function sendDueMail(
  deps: Deps,
  trustedNow: number | null,
): Promise<{ sent: number; failed: number; dropped: number }> {
  const result = { sent: 0, failed: 0, dropped: 0 }
  if (!deps.mail) return result
  for (const due of await dueMail(deps, trustedNow)) {
    const claimed = await claim(deps, due)
    if (!claimed) continue
    const outcome = await handOver(deps, deps.mail, claimed, trustedNow)
    if (outcome === 'away') {
      result.failed++
      break
    }
    result[outcome]++
  }
  return result
}

function dueMail(deps: Deps, trustedNow: number | null) {
  const now = deps.now()
  let due = deps.db.selectFrom('outgoing_mail').select(['id', 'next_try_at']).where('next_try_at', '<=', now)
  if (trustedNow === null) due = due.where((mail) => mail.or([mail('drop_at', 'is', null), mail('drop_at', '>', now)]))
  return due.orderBy('next_try_at').orderBy('id').limit(maxPerRun).execute()
}

/** Takes the mail for this server, unless another has moved its time since it was seen. */
function claim(deps: Deps, seen: Pick<OutgoingMailTable, 'id' | 'next_try_at'>) {
  return deps.db
    .updateTable('outgoing_mail')
    .set((row) => ({ next_try_at: deps.now() + leaseMs, attempts: row('attempts', '+', 1) }))
    .where('id', '=', seen.id)
    .where('next_try_at', '=', seen.next_try_at)
    .returningAll()
    .executeTakeFirst()
}

async function handOver(
  deps: Deps,
  mailer: Mailer,
  row: OutgoingMailTable,
  trustedNow: number | null,
): Promise<'sent' | 'failed' | 'dropped' | 'away'> {
  const isOver = trustedNow !== null && row.drop_at !== null && row.drop_at <= trustedNow
  const people = isOver ? null : await findPeople(deps, row)
  if (!people) {
    await forget(deps, row)
    return 'dropped'
  }
  try {
    await mailer.send({
      id: row.id,
      subject: row.subject,
      text: row.body,
      isAutomatic: row.user_id !== null,
      ...people,
    })
  } catch (error) {
    if (!(error instanceof MailNotAccepted)) throw error
    await postpone(deps, row, error)
    return error.isRefused ? 'failed' : 'away'
  }
  await deps.db.transaction().execute(async (db) => {
    await forget({ db }, row)
    if (row.contact_message_id === null) return
    await db
      .updateTable('contact_messages')
      .set({ sent_at: deps.now() })
      .where('id', '=', row.contact_message_id)
      .execute()
  })
  return 'sent'
}

/** From whom to whom, as settings and accounts are now; null: to nobody any more. */
async function findPeople(deps: Deps, row: OutgoingMailTable): Promise<Pick<Mail, 'from' | 'to' | 'replyTo'> | null> {
  const { SUPPORT_EMAIL: support, MAIL_FROM: from = support } = deps.config
  if (support === undefined || from === undefined)
    throw new Error('The settings let SMTP_URL pass without SUPPORT_EMAIL')
  if (row.user_id !== null) {
    const user = await deps.db
      .selectFrom('users')
      .select('email')
      .where('id', '=', row.user_id)
      .where('mail_digest', '=', 1)
      .where('status', '=', 'Active')
      .executeTakeFirst()
    return user ? { from, to: user.email } : null
  }
  const writer = await deps.db
    .selectFrom('contact_messages')
    .select(['name', 'email as address'])
    .where('id', '=', row.contact_message_id)
    .executeTakeFirst()
  return writer ? { from, to: support, replyTo: writer } : null
}

async function forget(deps: Pick<Deps, 'db'>, { id }: OutgoingMailTable): Promise<void> {
  await deps.db.deleteFrom('outgoing_mail').where('id', '=', id).execute()
}

async function postpone(deps: Deps, row: OutgoingMailTable, error: MailNotAccepted): Promise<void> {
  const nextTryAt = deps.now() + waitMs(row.attempts)
  const why = error.message.replaceAll('\0', '').slice(0, maxErrorLength)
  deps.log.warn({ mail: row.id, attempts: row.attempts, nextTryAt, why }, 'A mail was not accepted and waits')
  await deps.db
    .updateTable('outgoing_mail')
    .set({ next_try_at: nextTryAt, last_error: why })
    .where('id', '=', row.id)
    // Not when the lease has run out meanwhile and another server has it.
    .where('next_try_at', '=', row.next_try_at)
    .execute()
}
