// Creates the accounts of another host.
import { isEmail } from '../../contract/endpoints/accounts.ts'
import { limits } from '../../contract/plain/limits.ts'
import { accountRow, findByEmail, insertAccount } from '../domain/accounts/accounts.ts'
import type { Account } from '../domain/shared/caller.ts'
import type { Deps } from '../domain/shared/deps.ts'
import { asciiWords } from '../domain/images/image-names.ts'
import { findImported } from './import-image.ts'
import type { SourceUser } from './source.ts'

interface Options {
  /** The name of the source. */
  name: string
  /** Of the emails of accounts that have none. */
  domain: string
  isDryRun: boolean
  /** The emails of the accounts that a dry run would have created until now. */
  planned: Set<string>
}

interface ImportedUser {
  /** null: it is deleted, or not created in a dry run. */
  account: Account | null
  /** Of the account, also of one that a dry run would create; empty: it is deleted. */
  email: string
  isNew: boolean
}

/**
 * Finds the account of a user: the one that was imported before, else the one with the same email,
 * else a new one. The new account is no admin, and has the password of the source only where its hash
 * is argon2, otherwise none.
 */
export async function importUser(deps: Deps, user: SourceUser, options: Options): Promise<ImportedUser> {
  const { name: source, isDryRun, planned } = options
  const before = (await findImported(deps.db, 'user', source, [user.id])).get(user.id)
  if (before !== undefined) {
    const account = await deps.db.selectFrom('users').selectAll().where('id', '=', before).executeTakeFirst()
    return { account: account ?? null, email: account?.email ?? '', isNew: false }
  }
  const email = user.email !== null && isEmail(user.email) ? user.email.toLowerCase() : null
  const same = email === null ? undefined : await findByEmail(deps, email)
  const localPart = asciiWords(user.name, 50) || 'user'
  const emailOf = (copy: number) => email ?? `${localPart}${copy === 1 ? '' : `-${copy}`}@${options.domain}`
  if (isDryRun && !same) {
    if (email !== null && planned.has(email)) return { account: null, email, isNew: false }
    let copy = 1
    while (planned.has(emailOf(copy)) || (await findByEmail(deps, emailOf(copy)))) copy++
    planned.add(emailOf(copy))
    return { account: null, email: emailOf(copy), isNew: true }
  }
  const recordAs = (account: Account) => ({ source, kind: 'user' as const, source_id: user.id, target_id: account.id })
  if (same) {
    if (!isDryRun) await deps.db.insertInto('imported_rows').values(recordAs(same)).execute()
    return { account: same, email: same.email, isNew: false }
  }
  const createdAt = Math.min(user.createdAt ?? deps.now(), deps.now())
  for (let copy = 1; ; copy++) {
    const given = {
      email: emailOf(copy),
      name: user.name.trim().slice(0, limits.account.maxNameLength) || undefined,
      role: 'user',
      status: user.isActive ? 'Active' : 'Inactive',
    } as const
    const passwordHash = isUsableHash(user.passwordHash) ? user.passwordHash : ''
    const row = accountRow({ ...deps, now: () => createdAt }, given, passwordHash)
    const account = await deps.db.transaction().execute(async (db) => {
      const created = await insertAccount({ ...deps, db }, row, { actor: 'command_line' })
      if (created) await db.insertInto('imported_rows').values(recordAs(created)).execute()
      return created
    })
    if (account) return { account, email: account.email, isNew: true }
    // Someone registered with the email since.
    if (email !== null) return importUser(deps, user, options)
  }
}

/**
 * The defaults of the other hosts' libraries: 64 MiB, at most 4 rounds and lanes, seven times the work of a hash of this
 * server. A login with a costlier one would occupy a core, and tell by its time that the account exists.
 */
const maxHashCost = { memoryKib: 65_536, rounds: 4, lanes: 4 }

export function isUsableHash(hash: string | null): hash is string {
  const [, ...cost] = /^\$argon2(?:id|i|d)\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$/.exec(hash ?? '') ?? []
  const [memoryKib = Infinity, rounds = Infinity, lanes = Infinity] = cost.map(Number)
  return memoryKib <= maxHashCost.memoryKib && rounds <= maxHashCost.rounds && lanes <= maxHashCost.lanes
}
