// Logins at OpenID providers: whose account it is, and the role from a claim (docs/decisions/0050).
import type { Kysely } from 'kysely'
import type { Input } from '../../../../contract/endpoints/api.ts'
import { cleanName } from '../../../../contract/plain/clean-name.ts'
import { limits } from '../../../../contract/plain/limits.ts'
import type { Schema } from '../../../db/schema.ts'
import type { ProviderSettings } from '../../../identity-providers.ts'
import { audit, type AuditDeps, targetUser } from '../../audit/audit.ts'
import type { Account, Caller } from '../../shared/caller.ts'
import type { Deps, InTransaction, RequestContext } from '../../shared/deps.ts'
import { Failure } from '../../shared/failure.ts'
import { notifyUser } from '../../mail/mail-queue.ts'
import { loginWayMail, mailSite } from '../../mail/mail-texts.ts'
import { accountRow, activeAdmins, findByEmail, insertAccount } from '../account-rows.ts'
import { auditFailedLogin, finishLogin } from '../login.ts'
import { lockAdminChanges } from '../last-admin.ts'
import { requireSecondFactor } from '../factors/required-factor.ts'
import { endAllSessions } from '../sessions.ts'
import { insertIdentity, linkIdentity } from './identities.ts'
import {
  type AtSite,
  confirmedEmail,
  type ProviderLogin,
  returnFromProvider,
  startAtProvider,
} from './provider-login.ts'

/** @throws {Failure} provider_not_found, provider_unavailable */
export const startOidcLogin = (deps: Deps, { params, siteUrl }: AtSite & { params: { provider: string } }) =>
  startAtProvider(deps, { provider: params.provider, siteUrl })

/**
 * Only the browser that started the login has its token: the address that a provider sends a browser to logs no other user in.
 * @throws {Failure} challenge_ended; provider_not_found, provider_unavailable, provider_refused; identity_taken,
 * identity_not_linked, account_not_created, second_factor_required, inactive_account, too_many_requests
 */
export async function finishOidc(
  deps: Deps,
  { body, address, userAgent, siteUrl }: RequestContext<Caller> & AtSite & Pick<Input<'finishOidc'>, 'body'>,
) {
  const { login, connects } = await returnFromProvider(deps, { body, address, siteUrl })
  if (connects !== undefined) return linkIdentity(deps, connects, login)
  const account = await findOrCreateAccount(deps, login)
  if (account.status !== 'Active') {
    await auditFailedLogin(deps, { email: account.email, address }, account.id, 'inactive_account')
    throw new Failure('inactive_account')
  }
  // RFC 8176: the provider has verified several factors.
  const { amr } = login.claims
  const hasSecondFactor = Array.isArray(amr) && amr.includes('mfa')
  const method = login.settings.id
  if (!hasSecondFactor) await requireSecondFactor(deps, account, method)
  return finishLogin(deps, account, { address, userAgent, browser: body.browser, method, hasSecondFactor })
}

/** @throws {Failure} identity_not_linked, account_not_created */
async function findOrCreateAccount(deps: Deps, login: ProviderLogin): Promise<Account> {
  const { settings, claims } = login
  const email = confirmedEmail(login)
  const { domains } = settings
  if (domains !== undefined && !domains.includes(email?.split('@').at(-1) ?? ''))
    throw notCreated(settings, 'your address does not belong to an accepted domain')
  const known = await deps.db
    .selectFrom('identities')
    .innerJoin('users', 'users.id', 'identities.user_id')
    .selectAll('users')
    .where('issuer', '=', claims.iss)
    .where('subject', '=', claims.sub)
    .executeTakeFirst()
  const account = known ?? (await linkOrCreate(deps, login, email))
  return deps.db.transaction().execute(async (db) => {
    const use = { last_used_at: deps.now(), email: email ?? null }
    await db
      .updateTable('identities')
      .set(use)
      .where('issuer', '=', claims.iss)
      .where('subject', '=', claims.sub)
      .execute()
    return adjustRole({ ...deps, db }, account, login)
  })
}

/** @throws {Failure} identity_not_linked, account_not_created */
async function linkOrCreate(deps: Deps, login: ProviderLogin, email: string | undefined): Promise<Account> {
  const { settings, address } = login
  if (email === undefined) throw notCreated(settings, 'it has not confirmed your address')
  const existing = await findByEmail(deps, email)
  if (existing) {
    // The account may be a stranger's: no user has proven to receive mail at its address.
    if (existing.email_confirmed_at === null) throw new Failure('identity_not_linked', { name: settings.name })
    await deps.db.transaction().execute(async (db) => {
      await insertIdentity({ ...deps, db }, existing, login)
      await notifyUser({ ...deps, db }, existing.id, loginWayMail(mailSite(deps), { way: 'identity', change: 'added' }))
    })
    return existing
  }
  if (!settings.autoCreate) throw notCreated(settings, 'ask an administrator for one')
  const given = { email, role: 'user', ...nameOf(login) } as const
  const row = accountRow(deps, given, noPassword)
  const made = await deps.db.transaction().execute(async (db) => {
    const account = await insertAccount({ ...deps, db }, { ...row, email_confirmed_at: deps.now() }, { address })
    if (account) await insertIdentity({ ...deps, db }, account, login)
    return account
  })
  // Registered since the query.
  if (!made) throw new Failure('identity_not_linked', { name: settings.name })
  deps.log.info({ user: made.id, provider: settings.id }, 'account created by a login provider')
  return made
}

/** Its user logs in at the provider. */
const noPassword = ''

const notCreated = ({ name }: ProviderSettings, problem: string) =>
  new Failure('account_not_created', { name, problem })

/** Without a usable one the account has its default name. */
function nameOf({ claims }: ProviderLogin): { name?: string } {
  const name = typeof claims['name'] === 'string' ? cleanName(claims['name'].trim()) : ''
  return name === '' || name.length > limits.account.maxNameLength ? {} : { name }
}

/** Makes the role that of the provider's claim, where one is set; the last admin stays one. @param deps.db a transaction */
async function adjustRole(
  deps: Pick<Deps, 'log'> & InTransaction<AuditDeps>,
  account: Account,
  { settings, claims }: ProviderLogin,
) {
  if (settings.admins === undefined) return account
  const { claim, value } = settings.admins
  const given = claims[claim]
  const role = given === value || (Array.isArray(given) && given.includes(value)) ? 'admin' : 'user'
  if (role === account.role) return account
  await lockAdminChanges(deps.db)
  if (role === 'user' && (await isLastAdmin(deps.db, account))) {
    deps.log.warn({ user: account.id, provider: settings.id }, 'The last active admin stays one against the claim')
    return account
  }
  await deps.db.updateTable('users').set({ role }).where('id', '=', account.id).execute()
  await endAllSessions(deps.db, account.id)
  const details = { from: account.role, to: role, provider: settings.id }
  await audit(deps, { actor: 'server', action: 'role_changed', target: targetUser(account), details })
  return { ...account, role } satisfies Account
}

const isLastAdmin = async (db: Kysely<Schema>, { id, status }: Account): Promise<boolean> =>
  status === 'Active' && (await activeAdmins(db).where('id', '!=', id).executeTakeFirst()) === undefined
