// The users of the sample set and their accounts.
import { dayMs } from '../../../contract/plain/limits.ts'
import type { Scope } from '../../../contract/plain/scopes.ts'
import { changeAccount, createAccount, findByEmail } from '../../domain/accounts/accounts.ts'
import { ensureAdmin, temporaryPassword } from '../../domain/accounts/admins.ts'
import { addApiKey } from '../../domain/accounts/api-keys.ts'
import type { Account, UserCaller } from '../../domain/shared/caller.ts'
import type { Deps } from '../../domain/shared/deps.ts'
import { emailOf } from './sample-text.ts'

interface Person {
  firstName: string
  lastName: string
  /** Days since registration. */
  days: number
  isInactive?: true
  /** Names and scopes of their API keys. */
  keys?: [name: string, ...scopes: Scope[]][]
}

/** The first have the most images. */
const people: Person[] = [
  {
    firstName: 'Maya',
    lastName: 'Lindqvist',
    days: 420,
    keys: [
      ['Blog', 'manage'],
      ['Phone', 'upload', 'read'],
      ['Screenshot tool', 'upload'],
    ],
  },
  { firstName: 'Tomás', lastName: 'Herrera', days: 402, keys: [['CI', 'upload']] },
  { firstName: 'Aiko', lastName: 'Watanabe', days: 391, keys: [['Static site', 'read']] },
  {
    firstName: 'Samuel',
    lastName: 'Okafor',
    days: 388,
    keys: [
      ['Forum', 'upload'],
      ['Old laptop', 'manage'],
    ],
  },
  { firstName: 'Ines', lastName: 'Moreau', days: 377 },
  { firstName: 'Jonas', lastName: 'Brandt', days: 371 },
  { firstName: 'Leila', lastName: 'Haddad', days: 300, isInactive: true },
  { firstName: 'Noor', lastName: 'de Vries', days: 210 },
  { firstName: 'Priya', lastName: 'Raman', days: 96, keys: [['Wiki', 'manage']] },
  { firstName: 'Oskar', lastName: 'Nowak', days: 41 },
  { firstName: 'Grace', lastName: 'Mbeki', days: 12 },
]

export interface SeededAccount {
  account: Account
  /** Password of a new account, shown once; null for an existing account. */
  password: string | null
}

/** Creates the missing accounts and returns all in order; existing ones stay unchanged. */
export async function seedUsers(deps: Deps): Promise<SeededAccount[]> {
  const seeded: SeededAccount[] = []
  for (const person of people) seeded.push(await seedPerson(deps, person))
  return seeded
}

/** Creates an admin unless the instance has one, or has the settings of one. */
export async function seedAdmin(deps: Deps): Promise<SeededAccount | null> {
  if (await ensureAdmin(deps)) return null
  return accountOf(deps, { email: 'admin@example.com', name: 'Admin', role: 'admin', ...temporaryPassword(deps) })
}

async function seedPerson(deps: Deps, { firstName, lastName, days, isInactive, keys = [] }: Person) {
  const email = emailOf(firstName)
  const at = <T extends Deps>(given: T, daysAgo: number): T => ({
    ...given,
    now: () => deps.now() - Math.round(daysAgo * dayMs),
  })
  const names = { name: `${firstName} ${lastName}`, firstName, lastName }
  const status = isInactive ? 'Inactive' : 'Active'
  const given = { email, ...names, status, role: 'user', ...temporaryPassword(deps) } as const
  const seeded = await accountOf(at(deps, days), given)
  if (seeded.password === null) return seeded
  for (const [n, [name, ...scopes]] of keys.entries()) {
    const owner = { userId: seeded.account.id }
    const { id } = await addApiKey(at(deps, days / (n + 2)), owner, { name, scopes }, { actor: 'command_line' })
    // The last of several keys has never been used.
    if (n > 0 && n === keys.length - 1) continue
    const lastUsed = deps.now() - (n + 1) * 7_200_000
    const use = { last_used_at: lastUsed, last_used_network: '203.0.113.0/24' }
    await deps.db.updateTable('api_keys').set(use).where('id', '=', id).execute()
  }
  return seeded
}

export const callerOf = (account: Account): UserCaller => ({
  kind: 'user',
  account,
  by: { sessionId: 'none: made by the command', confirmedAt: 0 },
})

async function accountOf(deps: Deps, given: Parameters<typeof createAccount>[1]): Promise<SeededAccount> {
  const made = await createAccount(deps, given, { actor: 'command_line' })
  // example.com has no mailboxes.
  const account = made
    ? await changeAccount(deps.db, made.id, { mail_digest: 0 })
    : await findByEmail(deps, given.email)
  if (!account) throw new Error(`The account ${given.email} was deleted while it was made`)
  return { account, password: made ? given.password : null }
}
