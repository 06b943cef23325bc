// A lost password: a link that is mailed to the address of the account sets a new one.
import type { Input } from '../../../../contract/endpoints/api.ts'
import { accountLimits } from '../../../../contract/plain/account-limits.ts'
import { audit, targetUser } from '../../audit/audit.ts'
import type { Account, Caller } from '../../shared/caller.ts'
import type { Deps, InTransaction, RequestContext } from '../../shared/deps.ts'
import { Failure } from '../../shared/failure.ts'
import { notifyUser, queueMail } from '../../mail/mail-queue.ts'
import { mailSite, passwordChangedMail, passwordResetMail, providerLoginMail } from '../../mail/mail-texts.ts'
import { hashPassword } from '../passwords.ts'
import { changeAccount, findByEmail, normalEmail } from '../account-rows.ts'
import { endCredentials } from '../end-credentials.ts'
import { removeOtherLogins } from '../factors/remove-factors.ts'
import { assertStrongPassword } from '../password-policy.ts'
import { createMailLink, findMailLink, requireMail, throttleLinkMail, consumeMailLink } from './mail-links.ts'

/**
 * The account is looked up after the response, whose time therefore does not depend on it.
 * @throws {Failure} mail_off, too_many_requests
 */
export async function requestPasswordReset(
  deps: Deps,
  { body, address }: RequestContext<Caller> & Pick<Input<'requestPasswordReset'>, 'body'>,
) {
  requireMail(deps)
  const email = normalEmail(body.email)
  await throttleLinkMail(deps, { email, from: address, purpose: 'reset' })
  deps.background.start('mailPasswordReset', async () => {
    const account = await findByEmail(deps, email)
    if (account?.status === 'Active') await mailPasswordReset(deps, account)
  })
  return { success: true as const }
}

/**
 * To an address that is not confirmed, the mail is its confirmation: following the link proves the same. An account that logs
 * in at a provider and has no password gets none: who has left the company may still read the mailbox.
 * @param albumInvite the token of an invitation to an album, to which the link leads on
 */
export async function mailPasswordReset(deps: Deps, account: Account, albumInvite?: string): Promise<void> {
  const { id, email, email_confirmed_at: confirmedAt } = account
  const providers = account.password_hash === '' ? await providersOf(deps, id) : []
  if (providers.length > 0) {
    const text = providerLoginMail(mailSite(deps), providers)
    await deps.db.transaction().execute((db) => queueMail({ ...deps, db }, { toAddress: email, ...text }))
    return
  }
  const expiresAt = deps.now() + accountLimits.mailLinks.resetMs
  await deps.db.transaction().execute(async (db) => {
    const own = { ...deps, db }
    const token = await createMailLink(own, { purpose: 'reset', email, user_id: id, expires_at: expiresAt })
    const text = passwordResetMail(mailSite(deps), { token, albumInvite, isConfirmed: confirmedAt !== null })
    await queueMail(own, { toAddress: email, ...text, dropAt: expiresAt })
  })
  deps.log.info({ user: id }, 'password reset requested')
}

/** The names of the providers at which the account can log in. */
async function providersOf(deps: Pick<Deps, 'db' | 'identityProviders'>, userId: string): Promise<string[]> {
  const rows = deps.db.selectFrom('identities').select('provider').where('user_id', '=', userId).orderBy('created_at')
  // The operator may have removed a provider from the settings.
  return (await rows.execute()).flatMap(({ provider }) => deps.identityProviders.get(provider)?.settings.name ?? [])
}

/** @throws {Failure} mail_link_ended; invalid_input: PASSWORD_MIN; weak_password, busy, too_many_requests */
export async function completePasswordReset(
  deps: Deps,
  { body: { token, newPassword }, address }: RequestContext<Caller> & Pick<Input<'completePasswordReset'>, 'body'>,
) {
  const link = await findMailLink(deps, { token, purposes: ['reset'], from: address })
  const read = await findByEmail(deps, link.email)
  if (!read || read.id !== link.user_id) throw new Failure('mail_link_ended')
  const { id, email, name } = read
  await assertStrongPassword(deps, { field: 'newPassword', password: newPassword, email, name })
  const passwordHash = await hashPassword(newPassword)
  await deps.db.transaction().execute(async (db) => {
    const own = { ...deps, db }
    await consumeMailLink(own, link)
    const account = await changeAccount(db, id, {
      password_hash: passwordHash,
      password_expires_at: null,
      email_confirmed_at: read.email_confirmed_at ?? deps.now(),
    })
    if (account?.email !== email) throw new Failure('mail_link_ended')
    const by = { actor: account, address }
    const details = { keepApiKeys: false, byMail: true }
    await audit(own, { ...by, action: 'password_changed', target: targetUser(account), details })
    await endCredentials(own, id, {}, by)
    if (read.email_confirmed_at === null && mayBeForeign(account)) await takeOver(own, account, address)
    await notifyUser(own, id, passwordChangedMail(mailSite(deps)))
  })
  deps.log.info({ user: id }, 'password reset by a link in a mail')
  return { success: true as const, email }
}

/**
 * Whether someone who never proved that the address is theirs may have used the account. Who made it for its user, or made
 * its user an admin, has vouched for the address: the mailbox alone must not remove the second factor.
 */
const mayBeForeign = ({ self_registered: isOwn, role }: Account) => isOwn === 1 && role !== 'admin'

/** Removes what a stranger may have left in the account. */
async function takeOver(deps: InTransaction<Deps>, account: Account, address: string): Promise<void> {
  if (account.deletion_at !== null) {
    await changeAccount(deps.db, account.id, { deletion_at: null })
    const entry = { action: 'deletion_cancelled', target: targetUser(account) } as const
    await audit(deps, { actor: account, address, ...entry })
  }
  await deleteWebhooks(deps, account, address)
  await removeOtherLogins(deps.db, account.id)
}

async function deleteWebhooks(deps: InTransaction<Deps>, account: Account, address: string): Promise<void> {
  const deleted = await deps.db.deleteFrom('webhooks').where('user_id', '=', account.id).returning('id').execute()
  const entry = { actor: account, address, action: 'webhook_deleted', details: { owner: account.id } } as const
  await audit(deps, ...deleted.map(({ id }) => ({ ...entry, target: { id } })))
}
