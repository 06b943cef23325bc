// The outbox: a row until the mail server has accepted the mail. Delivery is at least once; a lease
// on the row lets one server send it at a time.
import type { ExpressionBuilder } from 'kysely'
import type { OutgoingMailTable, Schema } from '../../db/schema.ts'
import { type Mail, MailNotAccepted, type Mailer } from '../../mail.ts'
import type { Deps, InTransaction } from '../shared/deps.ts'
import type { MailText } from './mail-texts.ts'
import { newId } from '../shared/secrets.ts'
import { unsubscribeUrl } from './unsubscribe.ts'

const maxPerRun = 50
/** The lease: longer than sending a mail can take (mail.ts). After a crash it expires. */
const leaseMs = 10 * 60_000
const firstRetryMs = 60_000
const maxRetryMs = 60 * 60_000
const maxErrorLength = 300
/** While the mail server is unavailable, one mail tries it, and the others stay due: they leave as soon as it is back. */
const maxPauseMs = 5 * 60_000
/** RFC 5321 section 4.5.4.1: at least four to five days. */
const giveUpMs = 5 * 24 * 60 * 60_000

interface NewMail extends MailText {
  /** Its sender becomes the Reply-To address. */
  contactMessageId?: string
  /** The recipient, if the address is confirmed when the mail is sent. Default: the site's address. */
  userId?: string
  /** The recipient, for the few mails that do not go to the confirmed address of an account. */
  toAddress?: string
  /** Sends it to the user whatever their status and their setting for mails. */
  isNotice?: boolean
  /** UTC milliseconds after which the mail is discarded. Default: {@link isGivenUp} says when. */
  dropAt?: number
}

type MailQueueDeps = InTransaction<Pick<Deps, 'now' | 'randomBytes'>>

/** Queues a mail in the transaction of what it is about: a crash loses both or neither. */
export async function queueMail(deps: MailQueueDeps, mail: NewMail): Promise<void> {
  const now = deps.now()
  await deps.db
    .insertInto('outgoing_mail')
    .values({
      id: newId(deps),
      contact_message_id: mail.contactMessageId ?? null,
      user_id: mail.userId ?? null,
      to_address: mail.toAddress ?? null,
      is_notice: mail.isNotice ? 1 : 0,
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

/**
 * Queues a mail about the safety of an account or its data, if mail is sent at all. It cannot be
 * switched off.
 */
export async function notifyUser(
  deps: MailQueueDeps & Pick<Deps, 'mail'>,
  userId: string,
  text: MailText,
): Promise<void> {
  if (deps.mail) await queueMail(deps, { userId, isNotice: true, ...text })
}

/** Exponential backoff: 1 minute after the first failed attempt, then 2, 4, up to an hour. */
export const retryDelayMs = (attempts: number) => Math.min(firstRetryMs * 2 ** (attempts - 1), maxRetryMs)

export async function isMailDue(deps: Pick<Deps, 'db' | 'now' | 'mail'>): Promise<boolean> {
  if (!deps.mail || isPaused(deps.mail, deps.now())) return false
  const due = deps.db.selectFrom('outgoing_mail').select('id').where(isDue(deps.now()))
  return (await due.limit(1).executeTakeFirst()) !== undefined
}

/** A clock that was set back must not prolong the pause. */
const isPaused = ({ outage }: Mailer, now: number) =>
  outage !== null && outage.nextTryAt > now && outage.nextTryAt - now <= maxPauseMs

/** A time further ahead than any retry, or before the first try, is of a clock that was wrong. */
const isDue = (now: number) => (mail: ExpressionBuilder<Schema, 'outgoing_mail'>) =>
  mail.or([mail('next_try_at', '<=', now), mail('next_try_at', '>', now + 2 * maxRetryMs), mail('attempts', '=', 0)])

/**
 * Sends the due mail. Stops early when the mail server is unavailable; the rest stays due.
 * @param trustedNow UTC milliseconds, or null while the clock is not trusted: then no mail is
 * discarded by its time
 */
export async function sendDueMail(
  deps: Deps,
  trustedNow: number | null,
): Promise<{ sent: number; failed: number; dropped: number }> {
  const result = { sent: 0, failed: 0, dropped: 0 }
  if (!deps.mail || isPaused(deps.mail, deps.now())) return result
  for (const due of await dueMail(deps, trustedNow)) {
    const claimed = await claim(deps, due)
    if (!claimed) continue
    const outcome = await sendMail(deps, deps.mail, claimed, trustedNow)
    if (outcome === 'unavailable') {
      result.failed++
      return result
    }
    result[outcome]++
  }
  // What waited is dropped, or another server has sent it.
  if (deps.mail.outage !== null && !(await isMailWaiting(deps)))
    endOutage(deps, deps.mail, 'No mail waits for the mail server any more')
  return result
}

async function isMailWaiting({ db }: Pick<Deps, 'db'>): Promise<boolean> {
  return (await db.selectFrom('outgoing_mail').select('id').limit(1).executeTakeFirst()) !== undefined
}

function dueMail(deps: Pick<Deps, 'db' | 'now'>, trustedNow: number | null) {
  const now = deps.now()
  let due = deps.db.selectFrom('outgoing_mail').select(['id', 'next_try_at']).where(isDue(now))
  if (trustedNow === null) due = due.where((mail) => mail.or([mail('drop_at', 'is', null), mail('drop_at', '>', now)]))
  return due.orderBy('next_try_at').orderBy('id').limit(maxPerRun).execute()
}

/** Takes the lease on the mail, unless another server has changed its time since it was read. */
function claim(deps: Pick<Deps, 'db' | 'now'>, seen: Pick<OutgoingMailTable, 'id' | 'next_try_at'>) {
  return deps.db
    .updateTable('outgoing_mail')
    .set((row) => ({ next_try_at: deps.now() + leaseMs, attempts: row('attempts', '+', 1) }))
    .where('id', '=', seen.id)
    .where('next_try_at', '=', seen.next_try_at)
    .returningAll()
    .executeTakeFirst()
}

async function sendMail(
  deps: Deps,
  mailer: Mailer,
  row: OutgoingMailTable,
  trustedNow: number | null,
): Promise<'sent' | 'failed' | 'dropped' | 'unavailable'> {
  const isOver = trustedNow !== null && row.drop_at !== null && row.drop_at <= trustedNow
  const addresses = isOver ? null : await findAddresses(deps, row)
  if (!addresses) {
    await deleteMail(deps, row)
    return 'dropped'
  }
  try {
    await mailer.send({
      id: row.id,
      subject: row.subject,
      text: row.body,
      isAutomatic: row.contact_message_id === null,
      ...addresses,
    })
  } catch (error) {
    if (!(error instanceof MailNotAccepted)) throw error
    if (!error.isRefused) {
      // No try of this mail: nobody has judged it.
      await postpone(deps, { ...row, attempts: row.attempts - 1 }, error, beginPause(deps, mailer, error))
      return 'unavailable'
    }
    endOutage(deps, mailer)
    if (isGivenUp(row, error, trustedNow)) {
      deps.log.warn(
        { mail: row.id, attempts: row.attempts, reason: reasonOf(error) },
        'A mail was refused for 5 days and is discarded',
      )
      await deleteMail(deps, row)
      return 'dropped'
    }
    const nextTryAt = deps.now() + retryDelayMs(row.attempts)
    deps.log.warn(
      { mail: row.id, attempts: row.attempts, nextTryAt, reason: reasonOf(error) },
      'A mail was refused and will be retried',
    )
    await postpone(deps, row, error, nextTryAt)
    return 'failed'
  }
  endOutage(deps, mailer)
  await deps.db.transaction().execute(async (db) => {
    await deleteMail({ db }, row)
    if (row.contact_message_id === null) return
    await db
      .updateTable('contact_messages')
      .set({ sent_at: deps.now() })
      .where('id', '=', row.contact_message_id)
      .execute()
  })
  return 'sent'
}

/** The current addresses; null when there is no recipient any more, or none whose address is confirmed. */
async function findAddresses(
  deps: Pick<Deps, 'config' | 'db' | 'jwtSecret'>,
  row: OutgoingMailTable,
): Promise<Pick<Mail, 'from' | 'to' | 'replyTo' | 'unsubscribeUrl'> | null> {
  const { SUPPORT_EMAIL: support, MAIL_FROM: from = support } = deps.config
  if (support === undefined || from === undefined) throw new Error('SUPPORT_EMAIL is required with SMTP_URL')
  if (row.to_address !== null) return { from, to: row.to_address }
  if (row.user_id !== null) {
    const isNotice = row.is_notice === 1
    let users = deps.db.selectFrom('users').select('email').where('id', '=', row.user_id)
    users = users.where('email_confirmed_at', 'is not', null)
    if (!isNotice) users = users.where('mail_digest', '=', 1).where('status', '=', 'Active')
    const user = await users.executeTakeFirst()
    if (!user) return null
    return { from, to: user.email, ...(isNotice ? {} : { unsubscribeUrl: unsubscribeUrl(deps, row.user_id) }) }
  }
  if (row.contact_message_id === null) return { from, to: support }
  const writer = await deps.db
    .selectFrom('contact_messages')
    .select(['name', 'email as address'])
    .where('id', '=', row.contact_message_id)
    .executeTakeFirst()
  return writer ? { from, to: support, replyTo: writer } : null
}

async function deleteMail(deps: Pick<Deps, 'db'>, { id }: OutgoingMailTable): Promise<void> {
  await deps.db.deleteFrom('outgoing_mail').where('id', '=', id).execute()
}

/**
 * The recipient's address may be gone for good. "Try again later" may be all that a mail hears that has waited for the mail
 * server: it is tried for as long after that. What is for the operator stays: it was refused by their own mailbox.
 */
const isGivenUp = (row: OutgoingMailTable, { isPermanent }: MailNotAccepted, trustedNow: number | null) =>
  (row.user_id !== null || row.to_address !== null) &&
  trustedNow !== null &&
  trustedNow - row.created_at > giveUpMs &&
  (isPermanent || row.attempts > giveUpMs / maxRetryMs)

/** Logs the first failure only: the log of a day without mail has two lines about it. @returns when it is tried again */
function beginPause({ log, now }: Pick<Deps, 'log' | 'now'>, mailer: Mailer, error: MailNotAccepted): number {
  const { since, tries } = mailer.outage ?? { since: now(), tries: 0 }
  const nextTryAt = now() + Math.min(retryDelayMs(tries + 1), maxPauseMs)
  if (mailer.outage === null)
    log.warn({ reason: reasonOf(error) }, 'The mail server accepts no mail: all mail waits until it does')
  mailer.outage = { since, tries: tries + 1, nextTryAt }
  return nextTryAt
}

function endOutage(
  { log, now }: Pick<Deps, 'log' | 'now'>,
  mailer: Mailer,
  text = 'The mail server accepts mail again',
): void {
  if (mailer.outage === null) return
  const { since, tries } = mailer.outage
  log.info({ unavailableMs: now() - since, tries }, text)
  mailer.outage = null
}

const reasonOf = (error: MailNotAccepted) => error.message.replaceAll('\0', '').slice(0, maxErrorLength)

async function postpone(
  deps: Pick<Deps, 'db'>,
  row: OutgoingMailTable,
  error: MailNotAccepted,
  nextTryAt: number,
): Promise<void> {
  await deps.db
    .updateTable('outgoing_mail')
    .set({ next_try_at: nextTryAt, attempts: row.attempts, last_error: reasonOf(error) })
    .where('id', '=', row.id)
    // Does nothing when the lease has expired meanwhile and another server holds it.
    .where('next_try_at', '=', row.next_try_at)
    .execute()
}
