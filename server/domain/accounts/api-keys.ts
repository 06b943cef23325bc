import { crc32 } from 'node:zlib'
import type { ApiKey, NewApiKey } from '../../../contract/api-keys.ts'
import { limits } from '../../../contract/limits.ts'
import type { ApiKeysTable } from '../../db/schema.ts'
import type { UserCaller } from '../caller.ts'
import type { Deps } from '../deps.ts'
import { Failure } from '../failure.ts'
import { hashSecret, newId } from '../secrets.ts'

/** @throws {Failure} too_many_api_keys; invalid_token: the account was deleted meanwhile */
export async function createApiKey(
  deps: Deps,
  { caller, body }: { caller: UserCaller; body: { name?: string | undefined } },
): Promise<NewApiKey & { success: true; apiKey: NewApiKey }> {
  const { maxPerUser: limit, prefixLength } = limits.apiKeys
  const key = newKey(deps)
  const row: ApiKeysTable = {
    id: newId(deps),
    user_id: caller.account.id,
    name: body.name || 'API key',
    prefix: key.slice(0, prefixLength),
    key_hash: hashSecret(key),
    created_at: deps.now(),
    last_used_at: null,
  }
  await deps.db.transaction().execute(async (transaction) => {
    // Writing the owner's row first serializes concurrent creations of one user.
    const owner = transaction.updateTable('users').set({ id: row.user_id }).where('id', '=', row.user_id)
    if ((await owner.executeTakeFirst()).numUpdatedRows === 0n) throw new Failure('invalid_token')
    await transaction.insertInto('api_keys').values(row).execute()
    const { count } = await transaction
      .selectFrom('api_keys')
      .select((select) => select.fn.countAll<number>().as('count'))
      .where('user_id', '=', row.user_id)
      .executeTakeFirstOrThrow()
    if (count > limit) throw new Failure('too_many_api_keys', { limit })
  })
  deps.log.info({ user: row.user_id, key: row.id }, 'API key created')
  const created = { ...toApiKey(row), key }
  return { success: true, ...created, apiKey: created }
}

export async function listApiKeys(deps: Deps, { caller }: { caller: UserCaller }) {
  const rows = await deps.db
    .selectFrom('api_keys')
    .selectAll()
    .where('user_id', '=', caller.account.id)
    .orderBy('created_at', 'desc')
    .execute()
  return { items: rows.map(toApiKey), total: rows.length, nextCursor: null }
}

/** @throws {Failure} api_key_not_found, also for the key of another user */
export async function deleteApiKey(deps: Deps, { caller, params }: { caller: UserCaller; params: { id: string } }) {
  const { numDeletedRows } = await deps.db
    .deleteFrom('api_keys')
    .where('id', '=', params.id)
    .where('user_id', '=', caller.account.id)
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw new Failure('api_key_not_found')
  deps.log.info({ user: caller.account.id, key: params.id }, 'API key deleted')
  return { success: true as const }
}

/** Returns the caller of an API key. @throws {Failure} invalid_token, inactive_account */
export async function authenticateByKey(deps: Pick<Deps, 'db' | 'now'>, key: string): Promise<UserCaller> {
  // The checksum detects typing errors without a query. Lookup is by SHA-256: the timing of an
  // index lookup reveals nothing useful about 256 random bits.
  if (!hasValidChecksum(key)) throw new Failure('invalid_token')
  const found = await deps.db
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    .selectAll('users')
    .select(['api_keys.id as key_id', 'api_keys.last_used_at'])
    .where('api_keys.key_hash', '=', hashSecret(key))
    .executeTakeFirst()
  if (!found) throw new Failure('invalid_token')
  const { key_id: keyId, last_used_at: lastUsedAt, ...account } = found
  if (account.status !== 'Active') throw new Failure('inactive_account')
  if (lastUsedAt === null || deps.now() - lastUsedAt > limits.apiKeys.lastUsedEveryMs) {
    await deps.db.updateTable('api_keys').set({ last_used_at: deps.now() }).where('id', '=', keyId).execute()
  }
  return { kind: 'user', account, by: { apiKeyId: keyId } }
}

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const bodyLength = 43
const sumLength = 6

/** `ik_`, 256 random bits in base 62, and a checksum by which scanners recognize leaked keys. */
function newKey({ randomBytes }: Pick<Deps, 'randomBytes'>): string {
  const key = `ik_${base62(BigInt(`0x${randomBytes(32).toString('hex')}`), bodyLength)}`
  return key + sum(key)
}

const hasValidChecksum = (key: string) => sum(key.slice(0, -sumLength)) === key.slice(-sumLength)

const sum = (text: string) => base62(BigInt(crc32(text)), sumLength)

function base62(value: bigint, length: number): string {
  let rest = value
  let text = ''
  for (; rest > 0n; rest /= 62n) text = letters.charAt(Number(rest % 62n)) + text
  return text.padStart(length, '0')
}

function toApiKey(row: ApiKeysTable): ApiKey {
  const createdAt = new Date(row.created_at).toISOString()
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    createdAt,
    created_at: createdAt,
    lastUsed: row.last_used_at === null ? null : new Date(row.last_used_at).toISOString(),
  }
}
