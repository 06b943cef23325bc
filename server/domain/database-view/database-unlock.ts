// Unlocks the database browser: a token for 15 minutes, bound to the session that requested it.
import { sql } from 'kysely'
import { limits } from '../../../contract/plain/limits.ts'
import { audit, auditAlone } from '../audit/audit.ts'
import { actsAsAdmin, type RequestOrigin, sessionOf, type UserCaller } from '../shared/caller.ts'
import type { Deps, RequestContext } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import { hashSecret, newSecret } from '../shared/secrets.ts'
import { pinMatches } from './database-pin.ts'
import { admitAttempt, recordRightPin, recordWrongPin, withdrawAttempt } from './pin-throttle.ts'

export interface DatabaseRequest extends RequestContext<UserCaller> {
  headers: {
    /** The token that unlockDatabase returned. */
    'x-db-token'?: string | undefined
  }
}

/** @throws {Failure} wrong_pin, pin_locked, pin_off, forbidden: DB_VIEW_ROLE; invalid_token, busy */
export async function unlockDatabase(
  deps: Deps,
  { caller, address, body }: RequestContext<UserCaller> & { body: { pin: string } },
) {
  assertRole(deps, caller)
  const attempt = await admitAttempt(deps, caller)
  if (!(await checkPin(deps, body.pin, attempt))) {
    await auditAlone(deps, { actor: caller, address, action: 'pin_failed' })
    await recordWrongPin(deps, attempt)
    deps.log.warn({ user: caller.account.id }, 'wrong PIN')
    throw new Failure('wrong_pin')
  }
  await recordRightPin(deps, caller, attempt)
  const token = await newUnlock(deps, { caller, address })
  deps.log.info({ user: caller.account.id }, 'database browser unlocked')
  return { token, expiresInSeconds: limits.pin.unlockMs / 1000 }
}

/** @throws {Failure} database_locked */
export const lockDatabase = unlocked(async (deps, { caller }: DatabaseRequest) => {
  await deps.db.deleteFrom('database_unlocks').where('session_id', '=', sessionOf(caller).sessionId).execute()
  return { success: true as const }
})

/**
 * Guards every function of the database browser.
 * @throws {Failure} database_locked: no token, an expired one, or one of another session;
 * forbidden: DB_VIEW_ROLE
 */
export function unlocked<R extends DatabaseRequest, A>(work: (deps: Deps, request: R) => Promise<A>) {
  return async (deps: Deps, request: R): Promise<A> => {
    assertRole(deps, request.caller)
    if (!(await holdsUnlock(deps, request))) throw new Failure('database_locked')
    return work(deps, request)
  }
}

/** Withdraws an attempt whose PIN could not be verified. @throws {Failure} busy */
async function checkPin(deps: Deps, pin: string, attempt: string): Promise<boolean> {
  try {
    return await pinMatches(deps, pin)
  } catch (error) {
    await withdrawAttempt(deps, attempt)
    throw error
  }
}

/** @throws {Failure} forbidden */
function assertRole(deps: Deps, caller: UserCaller): void {
  if (deps.config.DB_VIEW_ROLE === 'admin' && !actsAsAdmin(caller)) throw new Failure('forbidden')
}

/** @throws {Failure} invalid_token */
function newUnlock(deps: Deps, { caller, address }: RequestOrigin): Promise<string> {
  const now = deps.now()
  const token = newSecret(deps)
  return deps.db.transaction().execute(async (db) => {
    await db.deleteFrom('database_unlocks').where('expires_at', '<=', now).execute()
    // One statement, which waits for a concurrent logout: an unlock cannot outlive its session.
    const { numInsertedOrUpdatedRows: made } = await db
      .insertInto('database_unlocks')
      .columns(['token_hash', 'session_id', 'expires_at'])
      .expression(
        db
          .selectFrom('sessions')
          .select([
            sql<string>`cast(${hashSecret(token)} as text)`.as('token_hash'),
            'id as session_id',
            sql<number>`cast(${now + limits.pin.unlockMs} as bigint)`.as('expires_at'),
          ])
          .where('id', '=', sessionOf(caller).sessionId)
          .$if(deps.config.DATABASE_URL !== undefined, (query) => query.forShare()),
      )
      .executeTakeFirstOrThrow()
    if (made === 0n) throw new Failure('invalid_token')
    await audit({ ...deps, db }, { actor: caller, address, action: 'database_unlocked' })
    return token
  })
}

async function holdsUnlock(deps: Deps, { caller, headers }: DatabaseRequest): Promise<boolean> {
  const token = headers['x-db-token']
  if (token === undefined) return false
  const found = await deps.db
    .selectFrom('database_unlocks')
    .select('expires_at')
    .where('token_hash', '=', hashSecret(token))
    .where('session_id', '=', sessionOf(caller).sessionId)
    .executeTakeFirst()
  return found !== undefined && found.expires_at > deps.now()
}
