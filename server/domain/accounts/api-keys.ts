import type { Kysely } from 'kysely'
import type { Input } from '../../../contract/endpoints/api.ts'
import type { ApiKey, NewApiKey } from '../../../contract/endpoints/api-keys.ts'
import { accountLimits } from '../../../contract/plain/account-limits.ts'
import { grantedBy } from '../../../contract/plain/scopes.ts'
import { countRows } from '../../db/count-rows.ts'
import type { ApiKeysTable, Schema } from '../../db/schema.ts'
import { albumForUploads } from '../albums/album-of-upload.ts'
import { actorIdOf, audit, type AuditDeps, type AuditEvent, type AuditOrigin } from '../audit/audit.ts'
import { type RequestOrigin, sessionOf, type UserCaller } from '../shared/caller.ts'
import type { Deps, InTransaction } from '../shared/deps.ts'
import { isoTimeOrNull } from '../shared/iso-time.ts'
import { Failure } from '../shared/failure.ts'
import { notifyUser } from '../mail/mail-queue.ts'
import { mailSite, newKeyMail } from '../mail/mail-texts.ts'
import { hashSecret, newId } from '../shared/secrets.ts'
import { lockUser } from '../shared/transaction-locks.ts'
import { newKeyText } from './api-key-text.ts'
import { scopesOf } from './authenticate-key.ts'
import { confirmRecently } from './confirm-password.ts'

type ApiKeyOptions = Input<'createApiKey'>['body']

/**
 * @throws {Failure} password_required, wrong_password, busy; too_many_api_keys; invalid_input: expiresAt; album_not_found, album_role,
 * album_is_live: albumId; invalid_token: the session ended
 * or the account was deleted meanwhile
 */
export async function createApiKey(
  deps: Deps,
  { caller, address, body }: RequestOrigin & { body: ApiKeyOptions },
): Promise<NewApiKey & { success: true; apiKey: NewApiKey }> {
  await confirmRecently(deps, { caller, address }, body.currentPassword)
  if (body.albumId !== undefined) await albumForUploads(deps, caller, body.albumId)
  const owner = { userId: caller.account.id, sessionId: sessionOf(caller).sessionId }
  const created = await addApiKey(deps, owner, body, { actor: caller, address })
  deps.log.info({ user: caller.account.id, key: created.id, scopes: created.scopes }, 'API key created')
  return { success: true, ...created, apiKey: created }
}

/**
 * @param owner.sessionId the session that creates the key; undefined for a command of the operator
 * @throws {Failure} as {@link createApiKey}
 */
export async function addApiKey(
  deps: Deps,
  { userId, sessionId }: { userId: string; sessionId?: string },
  options: ApiKeyOptions,
  by: AuditOrigin,
): Promise<NewApiKey> {
  const { maxPerUser: limit } = accountLimits.apiKeys
  const key = newKeyText(deps)
  const row = newRow(deps, { userId, key, options })
  await deps.db.transaction().execute(async (transaction) => {
    // A session that ends now must not leave a key behind.
    if (!(await lockUser(transaction, userId))) throw new Failure('invalid_token')
    if (sessionId !== undefined) await assertSessionActive(transaction, sessionId)
    await transaction.insertInto('api_keys').values(row).execute()
    const count = await countRows(transaction.selectFrom('api_keys').where('user_id', '=', userId))
    if (count > limit) throw new Failure('too_many_api_keys', { limit })
    const own = { ...deps, db: transaction }
    await audit(own, { ...by, action: 'api_key_created', ...toEntry(row) })
    await notifyUser(own, userId, newKeyMail(mailSite(deps), scopesOf(row)))
  })
  return { ...toApiKey(row), key }
}

function newRow(
  deps: Deps,
  { userId, key, options }: { userId: string; key: string; options: ApiKeyOptions },
): ApiKeysTable {
  return {
    id: newId(deps),
    user_id: userId,
    name: options.name || 'API key',
    prefix: key.slice(0, accountLimits.apiKeys.prefixLength),
    key_hash: hashSecret(key),
    created_at: deps.now(),
    last_used_at: null,
    scopes: grantedBy(options.scopes ?? ['manage']).join(','),
    expires_at: options.expiresAt === undefined ? null : futureTime(options.expiresAt, deps.now()),
    uploads_per_hour: options.uploadsPerHour ?? null,
    max_bytes: options.maxBytes ?? null,
    uploaded_bytes: 0,
    last_used_network: null,
    upload_visibility: options.uploadVisibility ?? null,
    album_id: options.albumId ?? null,
  }
}

/** ISO 8601 writes later years with a sign and six digits, which the contract does not allow. */
const year10000 = Date.UTC(10_000, 0)

/** @throws {Failure} invalid_input */
function futureTime(iso: string, now: number): number {
  const at = Date.parse(iso)
  if (at > now && at < year10000) return at
  const problem = at > now ? 'must be before the year 10000' : 'must be in the future'
  throw new Failure('invalid_input', { field: 'expiresAt', problem })
}

async function assertSessionActive(transaction: Kysely<Schema>, id: string): Promise<void> {
  const session = await transaction.selectFrom('sessions').select('id').where('id', '=', id).executeTakeFirst()
  if (!session) throw new Failure('invalid_token')
}

export async function listApiKeys(deps: Deps, { caller }: { caller: UserCaller }) {
  const rows = await findKeys(deps).where('user_id', '=', caller.account.id).execute()
  return { items: rows.map(toApiKey), total: rows.length, nextCursor: null }
}

/** Of all users, or of one, with the email of each owner. */
export async function listKeysWithOwners(deps: Deps, userId?: string): Promise<(ApiKey & { owner: string })[]> {
  const found = userId === undefined ? findKeys(deps) : findKeys(deps).where('user_id', '=', userId)
  const rows = await found.innerJoin('users', 'users.id', 'api_keys.user_id').select('users.email').execute()
  return rows.map((row) => ({ ...toApiKey(row), owner: row.email }))
}

/** Newest first. */
const findKeys = ({ db }: Pick<Deps, 'db'>) =>
  db.selectFrom('api_keys').selectAll('api_keys').orderBy('api_keys.created_at', 'desc')

/** @throws {Failure} api_key_not_found, also for the key of another user */
export async function deleteApiKey(
  deps: Deps,
  { caller, address, params }: RequestOrigin & { params: { id: string } },
) {
  await removeApiKey(deps, { id: params.id, userId: caller.account.id }, { actor: caller, address })
  return { success: true as const }
}

/** @param key.userId its owner. Default: anyone. @throws {Failure} api_key_not_found */
export async function removeApiKey(
  deps: Deps,
  { id, userId }: { id: string; userId?: string },
  by: AuditOrigin,
): Promise<ApiKey> {
  const removed = await deps.db.transaction().execute(async (transaction) => {
    let deletion = transaction.deleteFrom('api_keys').where('id', '=', id)
    if (userId !== undefined) deletion = deletion.where('user_id', '=', userId)
    const deleted = await deletion.returningAll().executeTakeFirst()
    if (!deleted) throw new Failure('api_key_not_found')
    await audit({ ...deps, db: transaction }, { ...by, action: 'api_key_deleted', ...toEntry(deleted) })
    return deleted
  })
  deps.log.info({ user: removed.user_id, key: id, by: actorIdOf(by.actor) }, 'API key deleted')
  return toApiKey(removed)
}

/** @param deps.db a transaction that has written the user's row, so that no key is created meanwhile */
export async function deleteAllApiKeys(deps: InTransaction<AuditDeps>, userId: string, by: AuditOrigin): Promise<void> {
  const deleted = await deps.db.deleteFrom('api_keys').where('user_id', '=', userId).returningAll().execute()
  await audit(deps, ...deleted.map((row) => ({ ...by, action: 'api_key_deleted' as const, ...toEntry(row) })))
}

/** Of the audit log: what the key may do, and never the key. */
export function toEntry(row: ApiKeysTable): Pick<AuditEvent, 'target' | 'details'> {
  const { scopes, expiresAt, uploadsPerHour, maxBytes } = toApiKey(row)
  return {
    target: { id: row.id, label: row.name },
    details: { owner: row.user_id, scopes, expiresAt, uploadsPerHour, maxBytes },
  }
}

function toApiKey(row: ApiKeysTable): ApiKey {
  const createdAt = new Date(row.created_at).toISOString()
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    createdAt,
    created_at: createdAt,
    scopes: scopesOf(row),
    expiresAt: isoTimeOrNull(row.expires_at),
    uploadsPerHour: row.uploads_per_hour,
    maxBytes: row.max_bytes,
    uploadedBytes: row.uploaded_bytes,
    uploadVisibility: row.upload_visibility,
    albumId: row.album_id,
    lastUsed: isoTimeOrNull(row.last_used_at),
    lastUsedFrom: row.last_used_network,
  }
}
