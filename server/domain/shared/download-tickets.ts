// Tickets of downloads by browsers, which do not send the session token (docs/decisions/0019).
import { accountLimits } from '../../../contract/plain/account-limits.ts'
import { type Account, sessionOf, type UserCaller } from './caller.ts'
import type { Deps } from './deps.ts'
import { Failure } from './failure.ts'
import { newId } from './secrets.ts'
import { isSessionExpired } from './session-expiry.ts'
import { signToken, verifyToken } from './signed-token.ts'
import { useOnce } from './used-tokens.ts'

/** Different from that of session tokens, so that neither is valid in place of the other. */
type TicketAudience = 'backup-download' | 'own-data-download'

/** @param of what the ticket downloads */
export async function createTicket(
  deps: Pick<Deps, 'jwtSecret' | 'now' | 'randomBytes'>,
  caller: UserCaller,
  { audience, of }: { audience: TicketAudience; of: string },
): Promise<{ ticket: string; expires_at: string }> {
  const endsAt = deps.now() + accountLimits.downloadLinkMs
  const claims = { aud: audience, sub: of, jti: newId(deps), sid: sessionOf(caller).sessionId }
  const ticket = await signToken(deps, { ...claims, exp: Math.floor(endsAt / 1000) })
  return { ticket, expires_at: new Date(endsAt).toISOString() }
}

/**
 * Returns what the ticket downloads, and the account whose session created it.
 * @throws {Failure} download_link_ended: it has expired, or its creator's session has ended
 */
export async function readTicket(
  deps: Pick<Deps, 'db' | 'jwtSecret' | 'now'>,
  ticket: string,
  audience: TicketAudience,
): Promise<{ of: string; id: string; account: Account }> {
  const { sub: of, jti: id, sid } = await verifyToken(deps, ticket, audience, 'download_link_ended')
  const found = await deps.db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .selectAll('users')
    .select(['sessions.created_at as began_at', 'sessions.last_seen_at'])
    .where('sessions.id', '=', sid)
    .where('users.status', '=', 'Active')
    .executeTakeFirst()
  if (!found) throw new Failure('download_link_ended')
  const { began_at: beganAt, last_seen_at: lastSeenAt, ...account } = found
  if (isSessionExpired({ created_at: beganAt, last_seen_at: lastSeenAt }, deps.now()))
    throw new Failure('download_link_ended')
  return { of, id, account }
}

/** Marks the ticket as used. @param id of the ticket. @throws {Failure} download_link_ended: it was used before */
export async function useTicket(deps: Pick<Deps, 'db' | 'now'>, id: string): Promise<void> {
  const isFirst = await useOnce(deps, { kind: 'download', id, lifetimeMs: accountLimits.downloadLinkMs })
  if (!isFirst) throw new Failure('download_link_ended')
}
