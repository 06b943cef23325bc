// Links in mails: random tokens of which only the hash is stored, each good for one use.
import type { Kysely } from 'kysely'
import { accountLimits } from '../../../../contract/plain/account-limits.ts'
import type { MailLinksTable, Schema } from '../../../db/schema.ts'
import type { Deps } from '../../shared/deps.ts'
import { Failure } from '../../shared/failure.ts'
import { hashSecret, newSecret } from '../../shared/secrets.ts'
import { throttle, throttleAddress, throttleFailures } from '../../shared/throttle.ts'

const { perRecipient, perSender, wrong } = accountLimits.mailLinks

/** @throws {Failure} mail_off */
export function requireMail({ mail }: Pick<Deps, 'mail'>): void {
  if (!mail) throw new Failure('mail_off')
}

/**
 * Counts a mail with a link before it is known whether the address has an account, so that the
 * response does not show that. Links for a new password have a count of their own: each of those mails has a link that
 * works, and others, which may have none, do not use it up.
 * @param from address of the client
 * @throws {Failure} too_many_requests
 */
export async function throttleLinkMail(
  deps: Pick<Deps, 'counters' | 'now'>,
  { email, from, purpose }: { email: string; from: string; purpose: MailLinksTable['purpose'] },
): Promise<void> {
  await throttleAddress(deps, from, { key: 'link-mail-from', ...perSender })
  // Many servers deliver ada+anything@example.com to ada@example.com.
  const key = purpose === 'reset' ? 'reset-mail-to' : 'link-mail-to'
  await throttle(deps, { key: `${key}:${email.replace(/\+[^@]*(?=@)/, '')}`, ...perRecipient })
}

type NewLink = Pick<MailLinksTable, 'purpose' | 'email' | 'expires_at'> & Partial<MailLinksTable>

/** @returns the token, for the mail */
export async function createMailLink(deps: Pick<Deps, 'db' | 'randomBytes'>, link: NewLink): Promise<string> {
  const token = newSecret(deps)
  await deps.db
    .insertInto('mail_links')
    .values({ user_id: null, name: null, password_hash: null, invite_id: null, ...link, token_hash: hashSecret(token) })
    .execute()
  return token
}

/**
 * @param from address of the client
 * @throws {Failure} mail_link_ended, too_many_requests
 */
export async function findMailLink(
  deps: Deps,
  { token, purposes, from }: { token: string; purposes: MailLinksTable['purpose'][]; from: string },
): Promise<MailLinksTable> {
  const link = await throttleFailures(deps, { key: `mail-link:${from}`, ...wrong }, async () => {
    const found = deps.db.selectFrom('mail_links').selectAll().where('token_hash', '=', hashSecret(token))
    return (
      (await found.where('purpose', 'in', purposes).where('expires_at', '>', deps.now()).executeTakeFirst()) ?? null
    )
  })
  if (!link) throw new Failure('mail_link_ended')
  return link
}

/** Uses a link up. @param deps.db the transaction that does what it is for @throws {Failure} mail_link_ended */
export async function consumeMailLink({ db }: Pick<Deps, 'db'>, { token_hash: hash }: MailLinksTable): Promise<void> {
  const { numDeletedRows } = await db.deleteFrom('mail_links').where('token_hash', '=', hash).executeTakeFirst()
  if (numDeletedRows === 0n) throw new Failure('mail_link_ended')
}

/** Ends the links of an account. */
export async function deleteMailLinksOf({ db }: { db: Kysely<Schema> }, userId: string): Promise<void> {
  await db.deleteFrom('mail_links').where('user_id', '=', userId).execute()
}

/** Deletes expired links and invitations. @param now UTC milliseconds of the trusted clock */
export async function sweepMailLinks(
  { db }: Pick<Deps, 'db'>,
  now: number,
): Promise<{ mailLinks: number; invites: number }> {
  const [links] = await db.deleteFrom('mail_links').where('expires_at', '<=', now).execute()
  const [invites] = await db.deleteFrom('invites').where('expires_at', '<=', now).execute()
  return { mailLinks: Number(links?.numDeletedRows), invites: Number(invites?.numDeletedRows) }
}
