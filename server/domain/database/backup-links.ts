// Download links for browsers, which do not send the session token (docs/decisions/0019).
import { jwtVerify, SignJWT } from 'jose'
import { JOSEError } from 'jose/errors'
import { limits } from '../../../contract/limits.ts'
import { routes } from '../../../contract/routes.ts'
import { sessionOf, type UserCaller } from '../caller.ts'
import type { Deps, RequestContext } from '../deps.ts'
import { Failure } from '../failure.ts'
import { hasEnded } from '../session-end.ts'
import { downloadBackup, type ServedFile } from './backups.ts'

const issuer = 'image-host'
/**
 * A different audience than session tokens have, so that neither is valid in place of the other.
 */
const audience = 'backup-download'
const path = routes.downloadBackupByLink.split(' ')[1]

/**
 * @throws {Failure} like downloadBackup: errors that are known now are reported before the download
 */
export async function createBackupLink(
  deps: Deps,
  { caller, params }: RequestContext<UserCaller> & { params: { id: string } },
) {
  await downloadBackup(deps, { params })
  const endsAt = deps.now() + limits.backup.linkMs
  const ticket = await new SignJWT({})
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(params.id)
    .setJti(sessionOf(caller))
    .setExpirationTime(new Date(endsAt))
    .sign(deps.jwtSecret)
  return { url: `${path}?ticket=${ticket}`, expires_at: new Date(endsAt).toISOString() }
}

/**
 * @throws {Failure} download_link_ended: the link expired, its session ended, or its creator is no
 * admin any more; like downloadBackup
 */
export async function downloadBackupByLink(deps: Deps, { query }: { query: { ticket: string } }): Promise<ServedFile> {
  const { id, sessionId } = await readTicket(deps, query.ticket)
  const maker = await deps.db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['sessions.created_at', 'sessions.last_seen_at'])
    .where('sessions.id', '=', sessionId)
    .where('users.role', '=', 'admin')
    .where('users.status', '=', 'Active')
    .executeTakeFirst()
  if (!maker || hasEnded(maker, deps.now())) throw new Failure('download_link_ended')
  return downloadBackup(deps, { params: { id } })
}

async function readTicket(deps: Deps, ticket: string): Promise<{ id: string; sessionId: string }> {
  try {
    const { payload } = await jwtVerify(ticket, deps.jwtSecret, {
      algorithms: ['HS256'],
      typ: 'JWT',
      issuer,
      audience,
      requiredClaims: ['sub', 'jti', 'exp'],
      currentDate: new Date(deps.now()),
    })
    return { id: payload.sub ?? '', sessionId: payload.jti ?? '' }
  } catch (error) {
    if (error instanceof JOSEError) throw new Failure('download_link_ended', {}, { cause: error })
    throw error
  }
}
