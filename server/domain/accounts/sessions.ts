// Sessions: a signed token that is valid only while its row exists.
import { type Kysely, sql } from 'kysely'
import { limits } from '../../../contract/plain/limits.ts'
import type { Schema } from '../../db/schema.ts'
import { audit, type AuditEvent } from '../audit/audit.ts'
import { shortAddress } from '../shared/address-privacy.ts'
import type { Account, Caller, UserCaller } from '../shared/caller.ts'
import type { Deps, RequestContext } from '../shared/deps.ts'
import { deviceName } from './device-name.ts'
import { Failure } from '../shared/failure.ts'
import { newId } from '../shared/secrets.ts'
import { isSessionExpired } from '../shared/session-expiry.ts'
import { signToken, verifyToken } from '../shared/signed-token.ts'
import { authenticateByKey } from './authenticate-key.ts'

const audience = 'image-host'
/** last_seen_at is written at most this often, to save a commit per request. */
const seenEveryMs = 60_000
/** Tolerated difference between the clocks of two servers of a database. */
const clockSkewMs = 60_000

/**
 * Creates a session and its token.
 * @param account as read when its user was verified
 * @param client as the list of sessions shows it, and whether its user has proven a second factor
 * @param entry of the audit log
 * @returns null when the account has changed since: deleted, deactivated, or its password changed
 */
export async function startSession(
  deps: Deps,
  account: Account,
  client: Pick<RequestContext<Caller>, 'address' | 'userAgent'> & { hasSecondFactor?: boolean },
  entry?: AuditEvent,
): Promise<string | null> {
  const now = deps.now()
  const id = newId(deps)
  const time = sql<number>`cast(${now} as bigint)`
  const text = (value: string | null) => sql<string | null>`cast(${value} as text)`
  // One statement reads and writes, and waits for a concurrent change of the account: otherwise a
  // session could outlive a password change.
  const stillSo = deps.db
    .selectFrom('users')
    .select([
      sql<string>`cast(${id} as text)`.as('id'),
      'id as user_id',
      time.as('created_at'),
      time.as('last_seen_at'),
      time.as('confirmed_at'),
      text(deviceName(client.userAgent)).as('device'),
      text(shortAddress(client.address)).as('network'),
      sql<0 | 1>`cast(${client.hasSecondFactor === true ? 1 : 0} as integer)`.as('has_second_factor'),
    ])
    .where('id', '=', account.id)
    .where('password_hash', '=', account.password_hash)
    .where('status', '=', 'Active')
    .$if(deps.config.DATABASE_URL !== undefined, (query) => query.forShare())
  const isMade = await deps.db.transaction().execute(async (db) => {
    const { numInsertedOrUpdatedRows: made } = await db
      .insertInto('sessions')
      .columns([
        'id',
        'user_id',
        'created_at',
        'last_seen_at',
        'confirmed_at',
        'device',
        'network',
        'has_second_factor',
      ])
      .expression(stillSo)
      .executeTakeFirstOrThrow()
    if (made === 0n) return false
    await endSessionsBeyondLimit(db, account.id, id)
    if (entry) await audit({ ...deps, db }, entry)
    return true
  })
  if (!isMade) return null
  const seconds = (ms: number) => Math.floor(ms / 1000)
  const lifetime = { iat: seconds(now), exp: seconds(now + limits.session.maxAgeMs) }
  return signToken(deps, { aud: audience, sub: account.id, jti: id, ...lifetime })
}

/** Ends the least recently used sessions. @param newest the id of one that stays in any case */
async function endSessionsBeyondLimit(db: Kysely<Schema>, userId: string, newest: string): Promise<void> {
  const { maxPerUser } = limits.session
  const beyond = db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', userId)
    .where('id', '!=', newest)
    .orderBy('last_seen_at', 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('id')
    // SQLite has no offset without a limit. Accounts of older versions may have more sessions.
    .limit(10_000)
    .offset(maxPerUser - 1)
  await db.deleteFrom('sessions').where('id', 'in', beyond).execute()
}

/**
 * Returns the caller of a token.
 * @param address the client's address, of which the network is stored with the time of use
 * @throws {Failure} invalid_token: forged, issued in the future, too old, idle too long, logged
 * out; inactive_account
 */
export async function resumeSession(
  deps: Pick<Deps, 'db' | 'now' | 'jwtSecret'>,
  token: string,
  address: string,
): Promise<UserCaller> {
  const { jti, sub } = await readToken(deps, token)
  const found = await deps.db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .selectAll('users')
    .select(['sessions.last_seen_at', 'sessions.created_at as began_at', 'sessions.confirmed_at'])
    .select('sessions.has_second_factor')
    .where('sessions.id', '=', jti)
    .where('sessions.user_id', '=', sub)
    .executeTakeFirst()
  if (!found) throw new Failure('invalid_token')
  const {
    last_seen_at: lastSeenAt,
    began_at: beganAt,
    confirmed_at: confirmedAt,
    has_second_factor,
    ...account
  } = found
  if (isSessionExpired({ last_seen_at: lastSeenAt, created_at: beganAt }, deps.now())) {
    await endSession(deps, jti)
    throw new Failure('invalid_token')
  }
  if (account.status !== 'Active') throw new Failure('inactive_account')
  if (deps.now() - lastSeenAt > seenEveryMs) {
    const use = { last_seen_at: deps.now(), network: shortAddress(address) }
    await deps.db.updateTable('sessions').set(use).where('id', '=', jti).execute()
  }
  return { kind: 'user', account, by: { sessionId: jti, confirmedAt, hasSecondFactor: has_second_factor === 1 } }
}

export async function endSession({ db }: Pick<Deps, 'db'>, id: string): Promise<void> {
  await db.deleteFrom('sessions').where('id', '=', id).execute()
}

/** @param db a transaction when the sessions must end together with other changes */
export async function endAllSessions(db: Kysely<Schema>, userId: string): Promise<void> {
  await db.deleteFrom('sessions').where('user_id', '=', userId).execute()
}

/**
 * Deletes sessions that ended by age or idleness.
 * @param now UTC milliseconds of the trusted clock: a wrong clock must not log users out
 */
export async function sweepSessions({ db }: Pick<Deps, 'db'>, now: number): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where((where) =>
      where.or([
        where('last_seen_at', '<', now - limits.session.idleMs),
        where('created_at', '<', now - limits.session.maxAgeMs),
      ]),
    )
    .execute()
}

/** @throws {Failure} invalid_token */
async function readToken(deps: Pick<Deps, 'jwtSecret' | 'now'>, token: string): Promise<{ jti: string; sub: string }> {
  const claims = await verifyToken(deps, token, audience, 'invalid_token')
  // jose checks `nbf` only. A token from the future is forged, or of a wrong clock.
  if (claims.iat === undefined || claims.iat * 1000 > deps.now() + clockSkewMs) throw new Failure('invalid_token')
  return claims
}

/** A session token, or an API key. `isInUrl`: a log of another server may have it. */
export type Credential = { session: string } | { key: string; isInUrl: boolean }

/**
 * Returns the caller of a credential; without one, a guest. An invalid credential is refused, never
 * treated as a guest.
 * @throws {Failure} invalid_token, api_key_unknown, api_key_expired, inactive_account, api_key_in_url
 */
export async function identify(
  deps: Pick<Deps, 'db' | 'now' | 'jwtSecret'>,
  credential: Credential | undefined,
  address: string,
): Promise<Caller> {
  if (credential === undefined) return { kind: 'guest' }
  if ('session' in credential) return resumeSession(deps, credential.session, address)
  const { key, isInUrl } = credential
  const caller = await authenticateByKey(deps, key, address)
  if (isInUrl && caller.by.grant.scopes.some((scope) => scope !== 'upload')) throw new Failure('api_key_in_url')
  return caller
}
