// Proves that an address belongs to the user of an account: its link must be followed, and the
// password entered (docs/decisions/0048).
import type { Input } from '../../../../contract/endpoints/api.ts'
import { accountLimits } from '../../../../contract/plain/account-limits.ts'
import { isUniqueViolation } from '../../../db/database-errors.ts'
import type { MailLinksTable } from '../../../db/schema.ts'
import { audit, auditAlone, targetUser } from '../../audit/audit.ts'
import type { Account, Caller, RequestOrigin } from '../../shared/caller.ts'
import type { Deps, InTransaction, RequestContext } from '../../shared/deps.ts'
import { Failure } from '../../shared/failure.ts'
import { queueMail } from '../../mail/mail-queue.ts'
import { addressChangedMail, addressInUseMail, confirmationMail, mailSite } from '../../mail/mail-texts.ts'
import { passwordMatches } from '../passwords.ts'
import { changeAccount, findByEmail, normalEmail } from '../account-rows.ts'
import { confirmRecently, isPasswordExpired } from '../confirm-password.ts'
import { limitFailedLogins } from '../login-throttle.ts'
import {
  createMailLink,
  deleteMailLinksOf,
  findMailLink,
  requireMail,
  throttleLinkMail,
  consumeMailLink,
} from './mail-links.ts'
import { createRegistered, assertEmailDomain } from '../registration.ts'

/**
 * Mails a link that confirms the address of the account, or another one that then replaces it.
 * @throws {Failure} mail_off; invalid_input: confirmed already, REGISTRATION_DOMAINS; password_required, wrong_password,
 * busy; too_many_requests
 */
export async function requestEmailConfirmation(
  deps: Deps,
  { caller, address, body }: RequestOrigin & Pick<Input<'requestEmailConfirmation'>, 'body'>,
) {
  requireMail(deps)
  const { account } = caller
  const email = normalEmail(body.email ?? account.email)
  if (email !== account.email) {
    assertEmailDomain(deps, email)
    await confirmRecently(deps, { caller, address }, body.currentPassword)
  } else if (account.email_confirmed_at !== null)
    throw new Failure('invalid_input', { field: 'email', problem: 'is confirmed already' })
  await throttleLinkMail(deps, { email, from: address, purpose: 'confirm' })
  const owner = await findByEmail(deps, email)
  await deps.db.transaction().execute(async (db) => {
    const own = { ...deps, db }
    const expiresAt = deps.now() + accountLimits.mailLinks.confirmMs
    const token = await createMailLink(own, { purpose: 'confirm', email, user_id: account.id, expires_at: expiresAt })
    const isFree = owner === undefined || owner.id === account.id
    // An address that its account never confirmed gets no other mail than its confirmation.
    if (!isFree && owner.email_confirmed_at === null) return
    const text = isFree ? confirmationMail(mailSite(deps), token) : addressInUseMail(mailSite(deps))
    await queueMail(own, { toAddress: email, ...text, dropAt: expiresAt })
  })
  deps.log.info({ user: account.id }, 'email confirmation requested')
  return { success: true as const }
}

/**
 * Takes the password, too: an address that a stranger has entered is not confirmed by its owner who
 * opens the link.
 * @throws {Failure} mail_link_ended, wrong_password, inactive_account, invite_ended, busy, too_many_requests
 */
export async function confirmEmail(
  deps: Deps,
  { body: { token, password }, address }: RequestContext<Caller> & Pick<Input<'confirmEmail'>, 'body'>,
) {
  const link = await findMailLink(deps, { token, purposes: ['register', 'confirm'], from: address })
  const account = link.user_id === null ? null : await findUser(deps, link.user_id)
  const login = { email: account?.email ?? link.email, address }
  const hash = account ? account.password_hash : link.password_hash
  const matches = await limitFailedLogins(deps, login, async () =>
    (await passwordMatches(password, hash)) ? true : null,
  )
  if (matches === null || (account && isPasswordExpired(deps, account))) {
    const details = { code: 'wrong_password' }
    const target = { id: account?.id, label: login.email }
    await auditAlone(deps, { actor: { kind: 'guest' }, address, action: 'login_failed', target, details })
    throw new Failure('wrong_password')
  }
  if (account && account.status !== 'Active') throw new Failure('inactive_account')
  const confirming = deps.db.transaction().execute((db) => {
    const own = { ...deps, db }
    return account ? confirmAddress(own, account, link, address) : createRegistered(own, link, address)
  })
  const confirmed = await confirming.catch((error: unknown) => {
    // Another account has taken the address since the link was mailed.
    if (isUniqueViolation(error)) throw new Failure('mail_link_ended', {}, { cause: error })
    throw error
  })
  deps.log.info({ user: confirmed.id }, 'email confirmed')
  return { success: true as const, email: confirmed.email }
}

async function confirmAddress(
  deps: InTransaction<Deps>,
  read: Account,
  link: MailLinksTable,
  address: string,
): Promise<Account> {
  await consumeMailLink(deps, link)
  const changes = { email: link.email, email_confirmed_at: deps.now() }
  const confirmed = await changeAccount(deps.db, read.id, changes)
  if (!confirmed || confirmed.password_hash !== read.password_hash) throw new Failure('mail_link_ended')
  const email = read.email === link.email ? {} : { email: { from: read.email, to: link.email } }
  const entry = { action: 'email_confirmed', target: targetUser(confirmed), details: email } as const
  await audit(deps, { actor: confirmed, address, ...entry })
  if (read.email !== link.email) await leaveAddress(deps, read)
  return confirmed
}

/**
 * Ends the links that were mailed to an account, and notifies the address that it had.
 * @param deps.db the transaction that has changed the address
 */
export async function leaveAddress(deps: InTransaction<Deps>, before: Account): Promise<void> {
  await deleteMailLinksOf(deps, before.id)
  if (!deps.mail || before.email_confirmed_at === null) return
  await queueMail(deps, { toAddress: before.email, ...addressChangedMail(mailSite(deps)) })
}

/** @throws {Failure} mail_link_ended: the account was deleted */
async function findUser({ db }: Pick<Deps, 'db'>, id: string): Promise<Account> {
  const account = await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
  if (!account) throw new Failure('mail_link_ended')
  return account
}
