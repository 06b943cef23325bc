// A user's own account: login, logout, changes of name and password.
import type { Insertable, Kysely, Updateable } from 'kysely'
import type { FailureCode } from '../../../contract/plain/failures.ts'
import { limits } from '../../../contract/plain/limits.ts'
import { isEmail, type User } from '../../../contract/endpoints/accounts.ts'
import type { Input } from '../../../contract/endpoints/api.ts'
import type { Schema, UsersTable } from '../../db/schema.ts'
import { audit, type AuditDeps, type AuditOrigin, targetUser } from '../audit/audit.ts'
import { type Account, type Caller, type RequestOrigin, sessionOf, type UserCaller } from '../shared/caller.ts'
import type { Deps, RequestContext, ResponseOrigins } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import { notifyUser } from '../mail/mail-queue.ts'
import { mailSite, passwordChangedMail } from '../mail/mail-texts.ts'
import { hashPassword, isOutdated, passwordMatches } from './passwords.ts'
import { quotaOf } from '../images/quota.ts'
import { newId } from '../shared/secrets.ts'
import { switchOffAll } from '../webhooks/switch-off.ts'
import { deleteAllApiKeys } from './api-keys.ts'
import { announceUnknownBrowser } from './known-browsers.ts'
import { limitFailedLogins } from './login-throttle.ts'
import { confirmPassword, confirmRecently, isPasswordExpired } from './confirm-password.ts'
import { deleteLinksOf } from './email/mail-links.ts'
import { assertStrongPassword } from './password-policy.ts'
import { requireSecondFactor, needsSecondFactor } from './factors/second-factor.ts'
import { endAllSessions, endSession, startSession } from './sessions.ts'

/** @throws {Failure} password_login_off */
export function assertPasswordLogin({ config }: Pick<Deps, 'config'>): void {
  if (!config.PASSWORD_LOGIN) throw new Failure('password_login_off')
}

/**
 * Takes the same time and returns the same error for an unknown email.
 * @throws {Failure} password_login_off, wrong_credentials, second_factor_required, password_expired, inactive_account, busy,
 * too_many_requests
 */
export async function login(
  deps: Deps,
  { body, address, userAgent }: RequestContext<Caller> & Pick<Input<'login'>, 'body'>,
) {
  assertPasswordLogin(deps)
  const attempt = { email: normalEmail(body.email), address }
  const account = await limitFailedLogins(deps, attempt, async () => {
    const found = await findByEmail(deps, body.email)
    const matches = await passwordMatches(body.password, found?.password_hash ?? null)
    const verified = found && matches ? await rehashPassword(deps, found, body.password) : null
    if (!verified) await auditFailedLogin(deps, attempt, found?.id, 'wrong_credentials')
    return verified
  })
  if (!account) throw new Failure('wrong_credentials')
  const refusal = isPasswordExpired(deps, account)
    ? 'password_expired'
    : account.status === 'Active'
      ? undefined
      : 'inactive_account'
  if (refusal) {
    await auditFailedLogin(deps, attempt, account.id, refusal)
    throw new Failure(refusal)
  }
  const method = 'password'
  await requireSecondFactor(deps, account, method)
  return finishLogin(deps, account, { address, userAgent, browser: body.browser, method, hasSecondFactor: false })
}

/** How a user has logged in. */
interface Login {
  address: string
  userAgent: string | undefined
  /** The random text that the page stores; undefined for programs. */
  browser: string | undefined
  /** For the audit log. A provider by its id. */
  method: string
  hasSecondFactor: boolean
}

/**
 * @param account as read when its user was authenticated
 * @throws {Failure} wrong_credentials: it has changed since
 */
export async function finishLogin(deps: Deps, account: Account, login: Login) {
  const { address, method, hasSecondFactor } = login
  const entry = { actor: account, address, action: 'login', details: { method } } as const
  const token = await startSession(deps, account, login, entry)
  if (!token) throw new Failure('wrong_credentials')
  await announceUnknownBrowser(deps, account, login)
  deps.log.info({ user: account.id, method }, 'login')
  const isIncomplete = needsSecondFactor(deps, account, { hasSecondFactor })
  return { success: true as const, user: toUser(deps, account), needsSecondFactor: isIncomplete, token }
}

/** What is no email address may be a password that was typed into the wrong field. */
export const auditFailedLogin = (
  deps: Deps,
  { email, address }: { email: string; address: string },
  id: string | undefined,
  code: FailureCode,
) =>
  audit(deps, {
    actor: { kind: 'guest' },
    address,
    action: 'login_failed',
    target: { id, label: isEmail(email) ? email : undefined },
    details: { code },
  })

/** Returns null when the password was changed meanwhile. @throws {Failure} busy */
async function rehashPassword(deps: Pick<Deps, 'db'>, account: Account, password: string): Promise<Account | null> {
  if (!isOutdated(account.password_hash)) return account
  const renewed = await deps.db
    .updateTable('users')
    .set({ password_hash: await hashPassword(password) })
    .where('id', '=', account.id)
    .where('password_hash', '=', account.password_hash)
    .returningAll()
    .executeTakeFirst()
  if (renewed) return renewed
  // A concurrent login of the same user may have rehashed it first.
  const now = await findByEmail(deps, account.email)
  return now && (await passwordMatches(password, now.password_hash)) ? now : null
}

export async function logout(deps: Deps, { caller }: { caller: UserCaller }) {
  await endSession(deps, sessionOf(caller).sessionId)
  deps.log.info({ user: caller.account.id }, 'logout')
  return { success: true as const }
}

/** Also ends the account's API keys and switches its webhooks off, unless `keepApiKeys`. */
export async function logoutEverywhere(
  deps: Deps,
  { caller, address, body }: RequestOrigin & { body: Input<'logoutEverywhere'>['body'] },
) {
  const { id } = caller.account
  const keepApiKeys = body.keepApiKeys === true
  await deps.db.transaction().execute(async (db) => {
    // Locks the account: no session creates a key or webhook meanwhile.
    await changeAccount(db, id, { id })
    const by = { actor: caller, address }
    await audit({ ...deps, db }, { ...by, action: 'logout_everywhere', details: { keepApiKeys } })
    await endCredentials({ ...deps, db }, id, body, by)
  })
  deps.log.info({ user: id, keepApiKeys }, 'logout everywhere')
  return { success: true as const }
}

export const getMe = async (deps: Deps, { caller }: { caller: UserCaller }) => ({
  user: toUser(deps, caller.account),
  needsSecondFactor: needsSecondFactor(deps, caller.account, sessionOf(caller)),
})

type OwnChanges = Input<'updateMe'>['body']

/**
 * A new password requires the current one, or where there is none a recent login. It ends all sessions and API keys, and
 * switches the webhooks off. `keepApiKeys` keeps keys and webhooks.
 * @throws {Failure} wrong_password, password_required, invalid_input, weak_password, invalid_token, busy, too_many_requests
 */
export async function updateMe(
  deps: Deps,
  { caller, address, userAgent, body }: Omit<RequestContext<UserCaller>, keyof ResponseOrigins> & { body: OwnChanges },
) {
  const { newPassword } = body
  const keepApiKeys = body.keepApiKeys === true
  const passwordHash = newPassword === undefined ? undefined : await changedPassword(deps, { caller, address }, body)
  const account = await deps.db.transaction().execute(async (transaction) => {
    const changed = await changeAccount(transaction, caller.account.id, {
      name: body.name,
      first_name: body.firstName,
      last_name: body.lastName,
      mail_digest: toFlag(body.mailDigest),
      show_name: toFlag(body.showName),
      password_hash: passwordHash,
      password_expires_at: passwordHash === undefined ? undefined : null,
    })
    // Deleted since the request started.
    if (!changed) throw new Failure('invalid_token')
    const by = { actor: caller, address }
    const target = targetUser(changed)
    const own = { ...deps, db: transaction }
    if (passwordHash !== undefined) {
      await audit(own, { ...by, target, action: 'password_changed', details: { keepApiKeys } })
      await endCredentials(own, changed.id, body, by)
      await notifyUser(own, changed.id, passwordChangedMail(mailSite(deps)))
    }
    const fields = changedFields(body).filter((field) => !passwordFields.includes(field))
    if (fields.length > 0) await audit(own, { ...by, target, action: 'user_updated', details: { fields } })
    return changed
  })
  if (passwordHash === undefined) return { user: toUser(deps, account) }
  deps.log.info({ user: account.id, keepApiKeys }, 'password changed')
  const { hasSecondFactor = false } = sessionOf(caller)
  const token = await startSession(deps, account, { address, userAgent, hasSecondFactor })
  if (!token) throw new Failure('invalid_token')
  return { user: toUser(deps, account), token }
}

const toFlag = (isSet: boolean | undefined) => (isSet === undefined ? undefined : isSet ? 1 : 0)

const passwordFields = ['currentPassword', 'newPassword', 'keepApiKeys']

/** Names of the fields that a request sets. */
export const changedFields = (body: object): string[] =>
  Object.entries(body).flatMap(([field, value]) => (value === undefined ? [] : [field]))

async function changedPassword(
  deps: Deps,
  origin: RequestOrigin,
  { currentPassword, newPassword = '' }: OwnChanges,
): Promise<string> {
  const { email, name, password_hash: hash } = origin.caller.account
  await assertStrongPassword(deps, { field: 'newPassword', password: newPassword, email, name })
  await (hash === '' ? confirmRecently(deps, origin) : confirmPassword(deps, origin, currentPassword))
  return hashPassword(newPassword)
}

export function findByEmail({ db }: Pick<Deps, 'db'>, email: string): Promise<Account | undefined> {
  return db.selectFrom('users').selectAll().where('email', '=', normalEmail(email)).executeTakeFirst()
}

type NewAccount = Omit<Input<'createUser'>['body'], 'password'> & Pick<Account, 'role'> & { passwordExpiresAt?: number }

/**
 * @param by for the audit log; without an actor the account creates itself
 * @returns null when the email address already has an account
 * @throws {Failure} busy
 */
export async function createAccount(
  deps: AuditDeps,
  given: NewAccount & { password: string },
  by: Partial<AuditOrigin>,
): Promise<Account | null> {
  const row = accountRow(deps, given, await hashPassword(given.password))
  return deps.db.transaction().execute((db) => insertAccount({ ...deps, db }, row, by))
}

/** The row of a new account that someone else makes. Its address is not confirmed. @param passwordHash empty: it has no password */
export function accountRow(
  deps: Pick<Deps, 'now' | 'randomBytes'>,
  given: NewAccount,
  passwordHash: string,
): Insertable<UsersTable> {
  const email = normalEmail(given.email)
  return {
    id: newId(deps),
    email,
    name: given.name ?? defaultName(given, email),
    first_name: given.firstName ?? '',
    last_name: given.lastName ?? '',
    role: given.role,
    status: given.status ?? 'Active',
    password_hash: passwordHash,
    password_expires_at: given.passwordExpiresAt ?? null,
    image_count: 0,
    image_bytes: 0,
    quota_bytes: null,
    quota_images: null,
    created_at: deps.now(),
    mail_digest: 1,
    email_confirmed_at: null,
    self_registered: 0,
    show_name: 0,
    deletion_at: null,
  }
}

/**
 * @param deps.db a transaction
 * @param invite the id of the invitation that the account was created with
 * @returns as {@link createAccount}
 */
export async function insertAccount(
  deps: AuditDeps,
  row: Insertable<UsersTable>,
  { invite, ...by }: Partial<AuditOrigin> & { invite?: string | undefined },
): Promise<Account | null> {
  const account = await deps.db
    .insertInto('users')
    .values(row)
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!account) return null
  const { role, status } = account
  const details = { role, status, ...(invite === undefined ? {} : { invite }) }
  await audit(deps, { actor: account, ...by, action: 'user_created', target: targetUser(account), details })
  return account
}

/** First and last name, else the part of the email before the @. */
function defaultName({ firstName = '', lastName = '' }: NewAccount, email: string): string {
  const fullName = `${firstName} ${lastName}`.trim()
  return fullName.length > limits.account.maxNameLength ? lastName : fullName || email.slice(0, email.indexOf('@'))
}

/**
 * Writes only the given columns, so that concurrent changes of others persist.
 * @returns the account afterwards; undefined when there is none
 */
export function changeAccount(
  transaction: Kysely<Schema>,
  id: string,
  changes: Updateable<UsersTable>,
): Promise<Account | undefined> {
  const changesNothing = Object.values(changes).every((value) => value === undefined)
  return changesNothing
    ? transaction.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
    : transaction.updateTable('users').set(changes).where('id', '=', id).returningAll().executeTakeFirst()
}

export const activeAdmins = (db: Kysely<Schema>) =>
  db.selectFrom('users').select('id').where('role', '=', 'admin').where('status', '=', 'Active').limit(1)

/**
 * Ends all sessions of an account, the links that were mailed to it and, unless `keepApiKeys`, its API keys and webhooks.
 * @param deps.db a transaction that has written the account's row
 */
export async function endCredentials(
  deps: AuditDeps,
  userId: string,
  { keepApiKeys = false }: { keepApiKeys?: boolean | undefined },
  by: AuditOrigin,
): Promise<void> {
  await endAllSessions(deps.db, userId)
  await deleteLinksOf(deps, userId)
  if (keepApiKeys) return
  await deleteAllApiKeys(deps, userId, by)
  await switchOffAll(deps, userId, by)
}

export const normalEmail = (email: string) => email.trim().toLowerCase()

export const toUser = ({ config }: Pick<Deps, 'config'>, account: Account): User => ({
  id: account.id,
  email: account.email,
  emailConfirmed: account.email_confirmed_at !== null,
  name: account.name,
  firstName: account.first_name,
  lastName: account.last_name,
  role: account.role,
  status: account.status,
  mailDigest: account.mail_digest === 1,
  showName: account.show_name === 1,
  imageCount: account.image_count,
  imageBytes: account.image_bytes,
  quota: quotaOf(config, account),
  quotaBytes: account.quota_bytes,
  quotaImages: account.quota_images,
  created_at: new Date(account.created_at).toISOString(),
  deletion_at: account.deletion_at === null ? null : new Date(account.deletion_at).toISOString(),
})
