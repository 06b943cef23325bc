// When a session has ended, and how to add nothing to its account from then on.
import type { Kysely } from 'kysely'
import { limits } from '../../../contract/plain/limits.ts'
import type { Schema, SessionsTable } from '../../db/schema.ts'
import { sessionOf, type UserCaller } from './caller.ts'
import { Failure } from './failure.ts'
import { lockUser } from './transaction-locks.ts'

/** Checked at each use, because the sweep of old rows may be an hour late. @param now UTC milliseconds */
export const isSessionExpired = (session: Pick<SessionsTable, 'created_at' | 'last_seen_at'>, now: number): boolean =>
  now - session.last_seen_at > limits.session.idleMs || now - session.created_at > limits.session.maxAgeMs

/**
 * Serializes what adds a credential to an account with each other and with what ends the session: one that ends now must not
 * leave a credential behind.
 * @param db a transaction
 * @throws {Failure} invalid_token: the session has ended
 */
export async function lockSession(db: Kysely<Schema>, { userId, sessionId }: { userId: string; sessionId: string }) {
  await lockUser(db, userId)
  const session = db.selectFrom('sessions').select('id').where('id', '=', sessionId).where('user_id', '=', userId)
  if (!(await session.executeTakeFirst())) throw new Failure('invalid_token')
}

/** The caller's, for {@link lockSession}. */
export const lockOf = (caller: UserCaller) => ({ userId: caller.account.id, sessionId: sessionOf(caller).sessionId })
