import { accountLimits } from '../../../contract/plain/account-limits.ts'
import { grantedBy, type Scope } from '../../../contract/plain/scopes.ts'
import type { ApiKeysTable } from '../../db/schema.ts'
import { shortAddress } from '../shared/address-privacy.ts'
import type { KeyCaller } from '../shared/caller.ts'
import type { Deps } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import { hashSecret } from '../shared/secrets.ts'
import { hasValidChecksum } from './api-key-text.ts'

/**
 * Returns the caller of an API key.
 * @param address the client's address, of which the network is stored with the time of use
 * @throws {Failure} api_key_unknown, api_key_expired, inactive_account
 */
export async function authenticateByKey(
  deps: Pick<Deps, 'db' | 'now'>,
  key: string,
  address: string,
): Promise<KeyCaller> {
  // The checksum detects typing errors without a query. Lookup is by SHA-256: the timing of an
  // index lookup reveals nothing useful about 256 random bits.
  if (!hasValidChecksum(key)) throw new Failure('api_key_unknown')
  const found = await deps.db
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    .selectAll('users')
    .select(['api_keys.id as key_id', 'last_used_at', 'scopes', 'expires_at'])
    .select(['uploads_per_hour', 'max_bytes', 'uploaded_bytes', 'api_keys.upload_visibility as key_visibility'])
    .select('api_keys.album_id as key_album_id')
    .where('api_keys.key_hash', '=', hashSecret(key))
    .executeTakeFirst()
  if (!found) throw new Failure('api_key_unknown')
  const { key_id: apiKeyId, last_used_at: lastUsedAt, scopes, expires_at: expiresAt, ...rest } = found
  const { uploads_per_hour: uploadsPerHour, max_bytes: maxBytes, uploaded_bytes: uploadedBytes, ...owner } = rest
  const { key_visibility: uploadVisibility, key_album_id: albumId, ...account } = owner
  const now = deps.now()
  if (expiresAt !== null && expiresAt <= now) throw new Failure('api_key_expired')
  if (account.status !== 'Active') throw new Failure('inactive_account')
  if (lastUsedAt === null || now - lastUsedAt > accountLimits.apiKeys.lastUsedEveryMs) {
    const use = { last_used_at: now, last_used_network: shortAddress(address) }
    await deps.db.updateTable('api_keys').set(use).where('id', '=', apiKeyId).execute()
  }
  const grant = { scopes: scopesOf({ scopes }), uploadsPerHour, maxBytes, uploadedBytes, uploadVisibility, albumId }
  return { kind: 'user', account, by: { apiKeyId, grant } }
}

export const scopesOf = ({ scopes }: Pick<ApiKeysTable, 'scopes'>): Scope[] => grantedBy(scopes.split(',') as Scope[])
