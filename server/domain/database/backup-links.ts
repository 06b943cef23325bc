// Download links for browsers, which do not send the session token (docs/decisions/0019).
import { limits } from '../../../contract/limits.ts'
import { routes } from '../../../contract/routes.ts'
import { sessionOf, type UserCaller } from '../caller.ts'
import type { Deps, RequestContext } from '../deps.ts'
import { Failure } from '../failure.ts'
import { newId } from '../secrets.ts'
import { hasEnded } from '../session-end.ts'
import { signToken, verifyToken } from '../signed-token.ts'
import { auditDownload, findArchive, type ServedFile } from './backups.ts'

/** Different from that of session tokens, so that neither is valid in place of the other. */
const audience = 'backup-download'
const path = routes.downloadBackupByLink.replace('POST ', '')

/** @throws {Failure} like downloadBackup, before the download starts */
export async function createBackupLink(
  deps: Deps,
  { caller, params }: RequestContext<UserCaller> & { params: { id: string } },
) {
  await findArchive(deps, params.id)
  const endsAt = deps.now() + limits.backup.linkMs
  const claims = { aud: audience, sub: params.id, jti: newId(deps), sid: sessionOf(caller).sessionId }
  const ticket = await signToken(deps, { ...claims, exp: Math.floor(endsAt / 1000) })
  return { url: path, ticket, expires_at: new Date(endsAt).toISOString() }
}

/**
 * @throws {Failure} download_link_ended: it was used, has expired, or its creator's session or admin
 * role has ended
 */
export async function downloadBackupByLink(
  deps: Deps,
  { address, body }: { address: string; body: { ticket: string } },
): Promise<ServedFile> {
  const { sub: id, jti, sid } = await verifyToken(deps, body.ticket, audience, 'download_link_ended')
  const maker = await deps.db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['sessions.created_at', 'sessions.last_seen_at', 'users.id', 'users.email'])
    .where('sessions.id', '=', sid)
    .where('users.role', '=', 'admin')
    .where('users.status', '=', 'Active')
    .executeTakeFirst()
  if (!maker || hasEnded(maker, deps.now())) throw new Failure('download_link_ended')
  const file = await findArchive(deps, id)
  // Counted by the id, not by the text: base64url has several spellings of the same signature.
  const { hits } = await deps.counters.hit(`backup-link:${jti}`, limits.backup.linkMs, deps.now())
  if (hits > 1) throw new Failure('download_link_ended')
  await auditDownload(deps, id, { actor: { id: maker.id, email: maker.email }, address })
  return file
}
