// The list of a user's sessions, and the end of single ones.
import type { OwnSession } from '../../../contract/endpoints/sessions.ts'
import { audit } from '../audit/audit.ts'
import { type RequestOrigin, sessionOf, type UserCaller } from '../shared/caller.ts'
import type { Deps } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import { isSessionExpired } from '../shared/session-expiry.ts'

/** The last used first. */
export async function listSessions(
  deps: Pick<Deps, 'db' | 'now'>,
  { caller }: { caller: UserCaller },
): Promise<{ sessions: OwnSession[] }> {
  const { sessionId } = sessionOf(caller)
  const rows = await deps.db
    .selectFrom('sessions')
    .select(['id', 'device', 'network', 'created_at', 'last_seen_at'])
    .where('user_id', '=', caller.account.id)
    .orderBy('last_seen_at', 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
  const sessions = rows
    .filter((row) => !isSessionExpired(row, deps.now()))
    .map((row) => ({
      id: row.id,
      device: row.device,
      network: row.network,
      created_at: new Date(row.created_at).toISOString(),
      last_used_at: new Date(row.last_seen_at).toISOString(),
      current: row.id === sessionId,
    }))
  return { sessions }
}

/** Ends any session of the caller, this one too. @throws {Failure} session_not_found */
export async function deleteSession(
  deps: Deps,
  { caller, address, params }: RequestOrigin & { params: { id: string } },
) {
  await deps.db.transaction().execute(async (db) => {
    const ended = await db
      .deleteFrom('sessions')
      .where('id', '=', params.id)
      .where('user_id', '=', caller.account.id)
      .returning(['id', 'device'])
      .executeTakeFirst()
    if (!ended) throw new Failure('session_not_found')
    const target = { id: ended.id, label: ended.device ?? undefined }
    await audit({ ...deps, db }, { actor: caller, address, action: 'session_ended', target })
  })
  deps.log.info({ user: caller.account.id, session: params.id }, 'session ended')
  return { success: true as const }
}

/** Ends all sessions of the caller except this one. */
export async function deleteOtherSessions(deps: Deps, { caller, address }: RequestOrigin) {
  const ended = await deps.db.transaction().execute(async (db) => {
    const rows = await db
      .deleteFrom('sessions')
      .where('user_id', '=', caller.account.id)
      .where('id', '!=', sessionOf(caller).sessionId)
      .returning(['id', 'device'])
      .execute()
    const entries = rows.map(({ id, device }) => ({ id, label: device ?? undefined }))
    await audit(
      { ...deps, db },
      ...entries.map((target) => ({ actor: caller, address, action: 'session_ended' as const, target })),
    )
    return rows.length
  })
  deps.log.info({ user: caller.account.id, sessions: ended }, 'other sessions ended')
  return { success: true as const, ended }
}
