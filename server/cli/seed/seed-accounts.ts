// The users of the sample set and their accounts.
import { dayMs } from '../../../contract/plain/limits.ts'
import type { Scope } from '../../../contract/plain/scopes.ts'
import { changeAccount, createAccount, findByEmail } from '../../domain/accounts/account-rows.ts'
import { ensureAdmin, temporaryPassword } from '../../domain/accounts/operator-accounts.ts'
import { addApiKey } from '../../domain/accounts/api-keys.ts'
import type { Account, UserCaller } from '../../domain/shared/caller.ts'
import type { Deps } from '../../domain/shared/deps.ts'

interface Person {
  name: string
  /** Days since registration. */
  days: number
  isInactive?: true
  /** Scopes of their API keys, by name. */
  keys?: Record<string, Scope>
}

/** The first have the most images. */
const people: Person[] = [
  { name: 'Maya Lindqvist', days: 420, keys: { Blog: 'manage', Phone: 'read', 'Screenshot tool': 'upload' } },
  { name: 'Tomás Herrera', days: 402, keys: { CI: 'upload' } },
  { name: 'Aiko Watanabe', days: 391, keys: { 'Static site': 'read' } },
  { name: 'Samuel Okafor', days: 388, keys: { Forum: 'upload', 'Old laptop': 'manage' } },
  { name: 'Ines Moreau', days: 377 },
  { name: 'Jonas Brandt', days: 371 },
  { name: 'Leila Haddad', days: 300, isInactive: true },
  { name: 'Noor de Vries', days: 210 },
  { name: 'Priya Raman', days: 96, keys: { Wiki: 'manage' } },
  { name: 'Oskar Nowak', days: 41 },
  { name: 'Grace Mbeki', days: 12 },
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

async function seedPerson(deps: Deps, { name, days, isInactive, keys = {} }: Person) {
  const [firstName = '', ...others] = name.split(' ')
  const at = <T extends Deps>(given: T, daysAgo: number): T => ({
    ...given,
    now: () => deps.now() - Math.round(daysAgo * dayMs),
  })
  const names = { name, firstName, lastName: others.join(' ') }
  const status = isInactive ? 'Inactive' : 'Active'
  const given = { email: emailOf(firstName), ...names, status, role: 'user', ...temporaryPassword(deps) } as const
  const seeded = await accountOf(at(deps, days), given)
  if (seeded.password === null) return seeded
  const owner = { userId: seeded.account.id }
  for (const [n, [keyName, scope]] of Object.entries(keys).entries()) {
    const key = { name: keyName, scopes: [scope] }
    const { id } = await addApiKey(at(deps, days / (n + 2)), owner, key, { actor: 'command_line' })
    // All but one have been used.
    if (keyName === 'Old laptop') continue
    const lastUsed = deps.now() - (n + 1) * 7_200_000
    const use = { last_used_at: lastUsed, last_used_network: '203.0.113.0/24' }
    await deps.db.updateTable('api_keys').set(use).where('id', '=', id).execute()
  }
  return seeded
}

/** Without accents and in lower case, with points between the words. */
export const emailOf = (name: string): string => `${plainWordsOf(name).join('.')}@example.com`

export const plainWordsOf = (name: string): string[] =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)

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
