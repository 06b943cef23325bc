// The rows of accounts: how they are found, created and changed, and what the API shows of them.
import type { Insertable, Kysely, Updateable } from 'kysely'
import { limits } from '../../../contract/plain/limits.ts'
import type { User } from '../../../contract/endpoints/accounts.ts'
import type { Input } from '../../../contract/endpoints/api.ts'
import type { Schema, UsersTable } from '../../db/schema.ts'
import { audit, type AuditDeps, type AuditOrigin, targetUser } from '../audit/audit.ts'
import type { Account } from '../shared/caller.ts'
import type { Deps, InTransaction } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import { quotaOf } from '../images/quota.ts'
import { newId } from '../shared/secrets.ts'
import { hashPassword } from './passwords.ts'

export function findByEmail({ db }: Pick<Deps, 'db'>, email: string): Promise<Account | undefined> {
  return db.selectFrom('users').selectAll().where('email', '=', normalEmail(email)).executeTakeFirst()
}

/** @throws {Failure} user_not_found */
export async function getByEmail(deps: Pick<Deps, 'db'>, email: string): Promise<Account> {
  const account = await findByEmail(deps, email)
  if (!account) throw new Failure('user_not_found')
  return account
}

/** @throws {Failure} user_not_found */
export async function getById(db: Kysely<Schema>, id: string): Promise<Account> {
  const account = await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
  if (!account) throw new Failure('user_not_found')
  return account
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
    upload_visibility: 'public',
  }
}

/**
 * @param invite the id of the invitation that the account was created with
 * @returns as {@link createAccount}
 */
export async function insertAccount(
  deps: InTransaction<AuditDeps>,
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

/** Names of the fields that a request sets. */
export const changedFields = (body: object): string[] =>
  Object.entries(body).flatMap(([field, value]) => (value === undefined ? [] : [field]))

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
  uploadVisibility: account.upload_visibility,
  imageCount: account.image_count,
  imageBytes: account.image_bytes,
  quota: quotaOf(config, account),
  quotaBytes: account.quota_bytes,
  quotaImages: account.quota_images,
  created_at: new Date(account.created_at).toISOString(),
  deletion_at: account.deletion_at === null ? null : new Date(account.deletion_at).toISOString(),
})
