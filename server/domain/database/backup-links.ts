// Links for downloads by a browser, which sends no token with them (decision record 0019).
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
/** Another audience than a session's: neither is worth anything in place of the other. */
const audience = 'backup-download'
const path = routes.downloadBackupByLink.split(' ')[1]

/** @throws {Failure} as downloadBackup: a link never leads to a refusal that could be told before */
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

/** @throws {Failure} download_link_ended: its time, its session or its maker's role; as downloadBackup */
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
