// Creates the accounts of another host.
import { isEmail } from '../../contract/endpoints/accounts.ts'
import { limits } from '../../contract/plain/limits.ts'
import { accountRow, findByEmail, insertAccount } from '../domain/accounts/account-rows.ts'
import type { Task } from '../command.ts'
import type { Account } from '../domain/shared/caller.ts'
import type { Deps } from '../domain/shared/deps.ts'
import { asciiWords } from '../domain/images/image-names.ts'
import { findImported } from './import-image.ts'
import type { Report } from './import-report.ts'
import type { Source, SourceUser } from './source-types.ts'

type ImportOptions = Omit<Options, 'planned'> & { report: Report | null; signal: AbortSignal; print: Task['print'] }

/** Imports all accounts of a source, and says what their users and the operator have to do. @returns the account by the id there */
export async function importUsers(
  deps: Deps,
  source: Source,
  { report, print, ...options }: ImportOptions,
): Promise<Map<string, Account | null>> {
  const accounts = new Map<string, Account | null>()
  const count = { created: 0, existed: 0, withoutPassword: 0 }
  const admins: string[] = []
  const unconfirmed: string[] = []
  const planned = new Set<string>()
  for await (const user of source.users()) {
    options.signal.throwIfAborted()
    const { account, email, isNew } = await importUser(deps, user, { ...options, planned })
    accounts.set(user.id, account)
    count[isNew ? 'created' : 'existed']++
    if (!isNew && account?.self_registered === 1 && account.email_confirmed_at === null) unconfirmed.push(email)
    if (isNew && !isUsableHash(user.passwordHash)) count.withoutPassword++
    if (isNew && user.isAdmin) admins.push(email)
    await report?.write({
      result: isNew ? 'imported' : 'exists',
      kind: 'user',
      id: user.id,
      name: user.name,
      owner: email,
    })
  }
  if (accounts.size > 0) {
    print(
      `Accounts: ${count.created} ${options.isDryRun ? 'would be created' : 'created'}, ${count.existed} already existed.`,
    )
    printAccountAdvice({ withoutPassword: count.withoutPassword, unconfirmed, admins }, print)
  }
  return accounts
}

/** @param unconfirmed emails, like `admins` */
function printAccountAdvice(
  { withoutPassword, unconfirmed, admins }: { withoutPassword: number; unconfirmed: string[]; admins: string[] },
  print: Task['print'],
): void {
  if (withoutPassword > 0)
    print(`Accounts without a password here: ${withoutPassword}. Run reset-password EMAIL for each.`)
  if (unconfirmed.length > 0)
    print(
      'These accounts registered themselves and never confirmed their address. Whoever has them gets the images: ' +
        `${unconfirmed.slice(0, 20).join(', ')}${unconfirmed.length > 20 ? ', ...' : ''}`,
    )
  for (const admin of admins) print(`${admin} was an admin there. To make it one here, run promote ${admin}`)
}

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
async function importUser(deps: Deps, user: SourceUser, options: Options): Promise<ImportedUser> {
  const { name: source, isDryRun } = options
  const before = (await findImported(deps.db, 'user', source, [user.id])).get(user.id)
  if (before !== undefined) {
    const account = await deps.db.selectFrom('users').selectAll().where('id', '=', before).executeTakeFirst()
    return { account: account ?? null, email: account?.email ?? '', isNew: false }
  }
  const email = user.email !== null && isEmail(user.email) ? user.email.toLowerCase() : null
  const same = email === null ? undefined : await findByEmail(deps, email)
  if (same) {
    if (!isDryRun) await recordUser(deps.db, { source, user, account: same })
    return { account: same, email: same.email, isNew: false }
  }
  if (isDryRun) return planUser(deps, user, email, options)
  for (const free of emailsFor(user, email, options.domain)) {
    const account = await createUser(deps, user, { email: free, source })
    if (account) return { account, email: account.email, isNew: true }
  }
  // Someone registered with the email since.
  return importUser(deps, user, options)
}

/** The user's own address, else any number of invented ones, of which the first free one is taken. */
function* emailsFor(user: SourceUser, email: string | null, domain: string): Generator<string> {
  if (email !== null) {
    yield email
    return
  }
  const localPart = asciiWords(user.name, 50) || 'user'
  yield `${localPart}@${domain}`
  for (let copy = 2; ; copy++) yield `${localPart}-${copy}@${domain}`
}

/** What a dry run would do with a user whose email has no account. */
async function planUser(
  deps: Deps,
  user: SourceUser,
  email: string | null,
  { domain, planned }: Options,
): Promise<ImportedUser> {
  for (const free of emailsFor(user, email, domain)) {
    if (planned.has(free) || (await findByEmail(deps, free))) continue
    planned.add(free)
    return { account: null, email: free, isNew: true }
  }
  // Another user of the source has the same email.
  return { account: null, email: email ?? '', isNew: false }
}

/** @returns null when the email has an account */
async function createUser(
  deps: Deps,
  user: SourceUser,
  { email, source }: { email: string; source: string },
): Promise<Account | null> {
  const createdAt = Math.min(user.createdAt ?? deps.now(), deps.now())
  const name = user.name.trim().slice(0, limits.account.maxNameLength) || undefined
  const given = { email, name, role: 'user', status: user.isActive ? 'Active' : 'Inactive' } as const
  const passwordHash = isUsableHash(user.passwordHash) ? user.passwordHash : ''
  const row = accountRow({ ...deps, now: () => createdAt }, given, passwordHash)
  return deps.db.transaction().execute(async (db) => {
    const account = await insertAccount({ ...deps, db }, row, { actor: 'command_line' })
    if (account) await recordUser(db, { source, user, account })
    return account
  })
}

const recordUser = (
  db: Deps['db'],
  { source, user, account }: { source: string; user: SourceUser; account: Account },
) =>
  db.insertInto('imported_rows').values({ source, kind: 'user', source_id: user.id, target_id: account.id }).execute()

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
