// Registration: who may (REGISTRATION, invitations, domains), and by a mailed link where the server
// sends mail (docs/decisions/0048).
import type { Input } from '../../../contract/endpoints/api.ts'
import { accountLimits } from '../../../contract/plain/account-limits.ts'
import { limits } from '../../../contract/plain/limits.ts'
import type { MailLinksTable } from '../../db/schema.ts'
import { audit, targetUser } from '../audit/audit.ts'
import type { Account, Caller } from '../shared/caller.ts'
import type { Deps, InTransaction, RequestContext } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import { queueMail } from '../mail/mail-queue.ts'
import { addressInUseMail, mailSite, registrationMail } from '../mail/mail-texts.ts'
import { hashPassword } from './passwords.ts'
import { hashSecret } from '../shared/secrets.ts'
import { throttleAddress } from '../shared/throttle.ts'
import { accountRow, findByEmail, insertAccount, normalEmail, toUser } from './account-rows.ts'
import { assertPasswordLogin } from './login.ts'
import { findInvite, consumeInvite } from './invites.ts'
import { assertStrongPassword } from './password-policy.ts'
import { needsSecondFactor } from './factors/required-factor.ts'
import { startSession } from './sessions.ts'
import { createMailLink, throttleLinkMail, consumeMailLink } from './email/mail-links.ts'
import { mailPasswordReset } from './email/password-reset.ts'

interface NewUser {
  email: string
  name: string | null
  passwordHash: string
  inviteId: string | null
}

/**
 * With mail the response and its time are the same whether the address has an account: the work that
 * differs is done after the response.
 * @throws {Failure} password_login_off, registration_closed, invite_required, invite_ended; registration_failed: the address has an account;
 * invalid_input: PASSWORD_MIN, REGISTRATION_DOMAINS; weak_password; busy; too_many_requests
 */
export async function register(
  deps: Deps,
  { body, address, userAgent }: RequestContext<Caller> & Pick<Input<'register'>, 'body'>,
) {
  assertPasswordLogin(deps)
  const inviteId = await checkInvite(deps, body.invite, address)
  const email = normalEmail(body.email)
  assertEmailDomain(deps, email)
  await assertStrongPassword(deps, { field: 'password', ...body })
  // RATE_LIMIT=0 disables this limit as well.
  const limit = deps.config.RATE_LIMIT === 0 ? 0 : accountLimits.registration.limit
  await throttleAddress(deps, address, { key: 'register', ...accountLimits.registration, limit })
  if (deps.mail) await throttleLinkMail(deps, { email, from: address, purpose: 'register' })
  const given = { email, name: body.name ?? null, passwordHash: await hashPassword(body.password), inviteId }
  if (deps.mail) {
    deps.background.start('mailRegistration', () => mailRegistration(deps, given, body.album_invite))
    return { success: true as const, confirmation: 'mailed' as const }
  }
  const account = await deps.db.transaction().execute(async (db) => {
    const created = await createInvited({ ...deps, db }, given, { address, confirmedAt: null })
    if (!created) throw new Failure('registration_failed')
    return created
  })
  const token = await startSession(deps, account, { address, userAgent })
  if (!token) throw new Failure('registration_failed')
  deps.log.info({ user: account.id }, 'registered')
  const isIncomplete = needsSecondFactor(deps, account, {})
  return { success: true as const, user: toUser(deps, account), needsSecondFactor: isIncomplete, token }
}

/** @returns the id of the invitation. @throws {Failure} registration_closed, invite_required, invite_ended, too_many_requests */
async function checkInvite(deps: Deps, token: string | undefined, address: string): Promise<string | null> {
  const { REGISTRATION: mode } = deps.config
  if (mode === 'closed') throw new Failure('registration_closed')
  if (token !== undefined) return (await findInvite(deps, token, address)).id
  if (mode === 'invite') throw new Failure('invite_required')
  return null
}

/** @throws {Failure} invalid_input */
export function assertEmailDomain({ config }: Pick<Deps, 'config'>, email: string): void {
  const { REGISTRATION_DOMAINS: domains } = config
  if (domains.length === 0 || domains.includes(email.slice(email.lastIndexOf('@') + 1))) return
  throw new Failure('invalid_input', { field: 'email', problem: `must be an address at ${domains.join(' or ')}` })
}

/** @param albumInvite the token of an invitation to an album */
async function mailRegistration(
  deps: Deps,
  { email, name, passwordHash, inviteId }: NewUser,
  albumInvite: string | undefined,
): Promise<void> {
  const owner = await findByEmail(deps, email)
  // The account may be a stranger's: who receives the mail can take it over.
  if (owner && owner.email_confirmed_at === null)
    return mailPasswordReset(deps, owner, await knownInvite(deps, albumInvite))
  const expiresAt = deps.now() + accountLimits.mailLinks.confirmMs
  await deps.db.transaction().execute(async (db) => {
    const own = { ...deps, db }
    const site = mailSite(deps)
    const row = { purpose: 'register', email, name, password_hash: passwordHash, invite_id: inviteId } as const
    const text = owner
      ? addressInUseMail(site)
      : registrationMail(
          site,
          await createMailLink(own, { ...row, expires_at: expiresAt }),
          await knownInvite(own, albumInvite),
        )
    await queueMail(own, { toAddress: email, ...text, dropAt: expiresAt })
  })
}

/** Undefined where there is none: a mail has no words of strangers. */
async function knownInvite({ db, now }: Deps, token: string | undefined): Promise<string | undefined> {
  if (token === undefined) return undefined
  const found = await db
    .selectFrom('album_members')
    .select('id')
    .where('token_hash', '=', hashSecret(token))
    .where('created_at', '>', now() - limits.albums.inviteMs)
    .executeTakeFirst()
  return found && token
}

/**
 * Creates the account of a registration whose link was followed.
 * @param deps.db a transaction
 * @throws {Failure} mail_link_ended: used, or the address has an account since; invite_ended
 */
export async function createRegistered(
  deps: InTransaction<Deps>,
  link: MailLinksTable,
  address: string,
): Promise<Account> {
  await consumeMailLink(deps, link)
  const { email, name, password_hash: passwordHash, invite_id: inviteId } = link
  if (passwordHash === null) throw new Error('The link of a registration has no password')
  const confirmed = { address, confirmedAt: deps.now() }
  const account = await createInvited(deps, { email, name, passwordHash, inviteId }, confirmed)
  if (!account) throw new Failure('mail_link_ended')
  await deps.db.deleteFrom('mail_links').where('email', '=', email).where('purpose', '=', 'register').execute()
  await audit(deps, { actor: account, address, action: 'email_confirmed', target: targetUser(account) })
  return account
}

/**
 * @param deps.db a transaction, to be rolled back without an account
 * @returns null when the address has an account
 * @throws {Failure} invite_ended
 */
async function createInvited(
  deps: InTransaction<Deps>,
  { email, name, passwordHash, inviteId }: NewUser,
  { address, confirmedAt }: { address: string; confirmedAt: number | null },
): Promise<Account | null> {
  const role = inviteId === null ? 'user' : await consumeInvite(deps, inviteId)
  const row = accountRow(deps, { email, role, ...(name === null ? {} : { name }) }, passwordHash)
  const by = { address, invite: inviteId ?? undefined }
  return insertAccount(deps, { ...row, email_confirmed_at: confirmedAt, self_registered: 1 }, by)
}
