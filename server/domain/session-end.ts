// When a session expires. Checked at each use, because the sweep of old rows may be an hour late.
import { limits } from '../../contract/limits.ts'
import type { SessionsTable } from '../db/schema.ts'

/** @param now UTC milliseconds */
export const hasEnded = (session: Pick<SessionsTable, 'created_at' | 'last_seen_at'>, now: number): boolean =>
  now - session.last_seen_at > limits.session.idleMs || now - session.created_at > limits.session.maxAgeMs
