// Limits of a single API key: uploads an hour, and bytes in all.
import type { Kysely } from 'kysely'
import { formatBytes } from '../../../contract/plain/format-bytes.ts'
import { limits } from '../../../contract/plain/limits.ts'
import type { Schema } from '../../db/schema.ts'
import type { KeyCredential } from '../shared/caller.ts'
import type { Deps } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import { throttle, type Undo } from '../shared/throttle.ts'

/** @param bytes of the upload. Default: any @throws {Failure} api_key_quota when fewer are left */
export function assertKeyNotUsedUp({ grant: { maxBytes, uploadedBytes } }: KeyCredential, bytes = 1): void {
  if (maxBytes !== null && uploadedBytes + bytes > maxBytes) throw overLimit(maxBytes, uploadedBytes)
}

/** Counts an upload. @throws {Failure} too_many_requests */
export const throttleKey = (
  deps: Pick<Deps, 'counters' | 'now'>,
  { apiKeyId, grant: { uploadsPerHour } }: KeyCredential,
): Promise<Undo> =>
  throttle(deps, { key: `key-upload:${apiKeyId}`, limit: uploadsPerHour ?? 0, windowMs: limits.uploadWindowMs })

/**
 * Counts an upload for its API key. Call it in the transaction that stores the image, after the
 * owner's counts: everything that locks both rows locks the owner's first.
 * @throws {Failure} api_key_quota; api_key_unknown: the key was deleted meanwhile
 */
export async function countKeyUpload(transaction: Kysely<Schema>, apiKeyId: string, bytes: number): Promise<void> {
  const { numUpdatedRows } = await transaction
    .updateTable('api_keys')
    .set((row) => ({ uploaded_bytes: row('uploaded_bytes', '+', bytes) }))
    .where('id', '=', apiKeyId)
    .where((row) =>
      row.or([row('max_bytes', 'is', null), row(row('uploaded_bytes', '+', bytes), '<=', row.ref('max_bytes'))]),
    )
    .executeTakeFirst()
  if (numUpdatedRows === 1n) return
  const key = await transaction
    .selectFrom('api_keys')
    .select(['max_bytes', 'uploaded_bytes'])
    .where('id', '=', apiKeyId)
    .executeTakeFirst()
  if (!key?.max_bytes) throw new Failure('api_key_unknown')
  throw overLimit(key.max_bytes, key.uploaded_bytes)
}

const overLimit = (maxBytes: number, uploadedBytes: number) =>
  new Failure('api_key_quota', {
    limit: formatBytes(maxBytes),
    left: formatBytes(Math.max(0, maxBytes - uploadedBytes)),
  })
