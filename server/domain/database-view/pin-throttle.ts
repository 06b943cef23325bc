// Limits PIN guesses. Every attempt is recorded before the PIN is verified, so that concurrent
// attempts, on any number of servers, allow no more guesses than sequential ones.
import type { Kysely } from 'kysely'
import { limits } from '../../../contract/plain/limits.ts'
import { countRows } from '../../db/count-rows.ts'
import type { Schema } from '../../db/schema.ts'
import { storeValue } from '../../db/stored-values.ts'
import { actsAsAdmin, type UserCaller } from '../shared/caller.ts'
import type { Deps } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import { newId } from '../shared/secrets.ts'

const { triesBeforeLock, lockMs, maxLockMs, triesOfAll, lockOfAllMs, maxLockOfAllMs, windowMs, memoryMs } = limits.pin
const hourMs = 60 * 60 * 1000

/** Every attempt writes this row first. Its value is a LockOfAll. */
const gate = 'database_pin_gate'

/** The last time that the browser was closed to non-admins. */
interface LockOfAll {
  /** How often it was closed, each time for longer. */
  count: number
  /** UTC milliseconds. */
  until: number
}

/**
 * Records an attempt if it is allowed. Until its result is recorded it counts as wrong.
 * @returns the attempt's id
 * @throws {Failure} pin_locked, pin_off; invalid_token: the account was deleted meanwhile
 */
export async function admitAttempt(deps: Deps, caller: UserCaller): Promise<string> {
  const now = deps.now()
  const id = newId(deps)
  const isAdmin = actsAsAdmin(caller)
  await deps.db.transaction().execute(async (transaction) => {
    const { until } = await lockGate(transaction)
    await lockAccount(deps, transaction, caller)
    if (until > now && !isAdmin) throw closedUntil(until, now)

    const own = await transaction
      .selectFrom('pin_attempts')
      .select('at')
      .where('user_id', '=', caller.account.id)
      .where('is_forgiven', '=', 0)
      .where('at', '>', now - memoryMs)
      .orderBy('at')
      .execute()
    assertNotLockedUntil(lockedUntil(own.map(({ at }) => at)), now)
    if (!isAdmin) {
      const ofAll = await recentOfNonAdmins(transaction, now).select('at').orderBy('at').execute()
      const [oldest] = ofAll.slice(-triesOfAll)
      if (oldest && ofAll.length >= triesOfAll) assertNotLockedUntil(oldest.at + windowMs, now)
    }
    await transaction
      .insertInto('pin_attempts')
      .values({ id, user_id: caller.account.id, by_admin: isAdmin ? 1 : 0, at: now, is_wrong: 0, is_forgiven: 0 })
      .execute()
  })
  return id
}

/** The twentieth of all non-admins in a day closes the browser to them for a time. */
export async function recordWrongPin(deps: Pick<Deps, 'db' | 'now' | 'log'>, attempt: string): Promise<void> {
  const now = deps.now()
  await deps.db.transaction().execute(async (transaction) => {
    const before = await lockGate(transaction)
    await transaction.updateTable('pin_attempts').set({ is_wrong: 1 }).where('id', '=', attempt).execute()
    await transaction
      .deleteFrom('pin_attempts')
      .where('at', '<=', now - memoryMs)
      .execute()
    const wrong = await countRows(recentOfNonAdmins(transaction, now).where('is_wrong', '=', 1))
    if (before.until > now || wrong < triesOfAll) return
    const lock = nextLockOfAll(before, now)
    await storeValue(transaction, gate, JSON.stringify(lock))
    const until = new Date(lock.until).toISOString()
    deps.log.warn({ wrong, until }, 'Too many wrong PINs: the database browser is closed to non-admins')
  })
}

/** Twice as long as the lock before; the first again when that ended long ago. */
function nextLockOfAll(before: LockOfAll, now: number): LockOfAll {
  const count = now - before.until > maxLockOfAllMs ? 1 : before.count + 1
  return { count, until: now + Math.min(maxLockOfAllMs, lockOfAllMs * 2 ** (count - 1)) }
}

/**
 * Records the correct PIN: the user's own wrong attempts are forgiven, including those that a crash
 * left without a result. They still count towards the limit of all users.
 */
export async function recordRightPin(deps: Pick<Deps, 'db'>, caller: UserCaller, attempt: string): Promise<void> {
  await withdrawAttempt(deps, attempt)
  await deps.db.updateTable('pin_attempts').set({ is_forgiven: 1 }).where('user_id', '=', caller.account.id).execute()
}

/** Deletes an attempt whose PIN was never verified. */
export async function withdrawAttempt({ db }: Pick<Deps, 'db'>, attempt: string): Promise<void> {
  await db.deleteFrom('pin_attempts').where('id', '=', attempt).execute()
}

export async function deleteAttempts(db: Kysely<Schema>): Promise<void> {
  await db.deleteFrom('settings').where('name', '=', gate).execute()
  await db.deleteFrom('pin_attempts').execute()
}

/**
 * Returns until when (UTC milliseconds) these wrong attempts lock their user out: every fifth
 * locks, each time for twice as long.
 * @param times of the attempts, oldest first
 */
export function lockedUntil(times: number[]): number {
  const locks = Math.floor(times.length / triesBeforeLock)
  const last = times[locks * triesBeforeLock - 1]
  return last === undefined ? 0 : last + Math.min(maxLockMs, lockMs * 2 ** (locks - 1))
}

/** @throws {Failure} pin_locked */
function assertNotLockedUntil(until: number, now: number): void {
  if (until <= now) return
  const retryAfterS = Math.ceil((until - now) / 1000)
  throw new Failure('pin_locked', { minutes: Math.ceil(retryAfterS / 60) }, { retryAfterS })
}

const closedUntil = (until: number, now: number) =>
  new Failure('pin_off', { hours: Math.ceil((until - now) / hourMs) }, { retryAfterS: Math.ceil((until - now) / 1000) })

/** Serializes attempts. */
async function lockGate(transaction: Kysely<Schema>): Promise<LockOfAll> {
  const { value } = await transaction
    .insertInto('settings')
    .values({ name: gate, value: JSON.stringify(never) })
    .onConflict((conflict) => conflict.column('name').doUpdateSet((row) => ({ value: row.ref('settings.value') })))
    .returning('value')
    .executeTakeFirstOrThrow()
  // Versions before 0.3 wrote 'on' and 'off'.
  return value.startsWith('{') ? (JSON.parse(value) as LockOfAll) : never
}

const never: LockOfAll = { count: 0, until: 0 }

/**
 * Locks the account's row, so that a deletion waits until the attempt is recorded.
 * @throws {Failure} invalid_token when the account was deleted
 */
async function lockAccount(
  { config }: Pick<Deps, 'config'>,
  transaction: Kysely<Schema>,
  { account }: UserCaller,
): Promise<void> {
  const found = await transaction
    .selectFrom('users')
    .select('id')
    .where('id', '=', account.id)
    .$if(config.DATABASE_URL !== undefined, (query) => query.forKeyShare())
    .executeTakeFirst()
  if (!found) throw new Failure('invalid_token')
}

const recentOfNonAdmins = (transaction: Kysely<Schema>, now: number) =>
  transaction
    .selectFrom('pin_attempts')
    .where('by_admin', '=', 0)
    .where('at', '>', now - windowMs)
