import type { User } from '../../../contract/accounts.ts'
import type { Account, Caller, UserCaller } from '../caller.ts'
import type { Deps } from '../deps.ts'
import { Failure } from '../failure.ts'
import { newId } from '../secrets.ts'
import { hashPassword, passwordMatches } from '../passwords.ts'
import { endSession, startSession } from './sessions.ts'

/** @throws {Failure} registration_failed: the address has an account; busy; invalid_input: PASSWORD_MIN */
export async function register(
  deps: Deps,
  { body }: { caller: Caller; body: { email: string; password: string; name?: string | undefined } },
) {
  const { PASSWORD_MIN: min } = deps.config
  if (body.password.length < min) {
    throw new Failure('invalid_input', {
      field: 'password',
      problem: `Password must be at least ${min} characters long`,
    })
  }
  const account = await createAccount(deps, { ...body, role: 'user' })
  if (!account) throw new Failure('registration_failed')
  return { success: true as const, user: toUser(account), token: await startSession(deps, account) }
}

/** The same answer and time for an unknown email. @throws {Failure} wrong_credentials, inactive_account, busy */
export async function login(deps: Deps, { body }: { caller: Caller; body: { email: string; password: string } }) {
  const account = await findByEmail(deps, body.email)
  const matches = await passwordMatches(body.password, account?.password_hash ?? null)
  if (!account || !matches) throw new Failure('wrong_credentials')
  if (account.status !== 'Active') throw new Failure('inactive_account')
  return { success: true as const, user: toUser(account), token: await startSession(deps, account) }
}

export async function logout(deps: Deps, { caller }: { caller: UserCaller }) {
  await endSession(deps, caller.sessionId)
  return { success: true as const }
}

export const getMe = async (_: Deps, { caller }: { caller: UserCaller }) => ({ user: toUser(caller.account) })

export function findByEmail(deps: Deps, email: string): Promise<Account | undefined> {
  return deps.db.selectFrom('users').selectAll().where('email', '=', normalEmail(email)).executeTakeFirst()
}

/** The new account, or null when the address already has one. */
export async function createAccount(
  deps: Deps,
  given: { email: string; password: string; name?: string | undefined; role: Account['role'] },
): Promise<Account | null> {
  const email = normalEmail(given.email)
  const account: Account = {
    id: newId(deps),
    email,
    name: given.name ?? email.slice(0, email.indexOf('@')),
    role: given.role,
    status: 'Active',
    password_hash: await hashPassword(given.password),
    created_at: deps.now(),
  }
  const { numInsertedOrUpdatedRows: inserted } = await deps.db
    .insertInto('users')
    .values(account)
    .onConflict((conflict) => conflict.column('email').doNothing())
    .executeTakeFirst()
  return inserted === 1n ? account : null
}

const normalEmail = (email: string) => email.trim().toLowerCase()

const toUser = (account: Account): User => ({
  id: account.id,
  email: account.email,
  name: account.name,
  role: account.role,
  status: account.status,
  created_at: new Date(account.created_at).toISOString(),
})
