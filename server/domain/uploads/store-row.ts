import type { Kysely } from 'kysely'
import { replaceTagRows } from '../../db/image-tags.ts'
import type { Schema } from '../../db/schema.ts'
import { DatabaseUnavailable } from '../../db/database-errors.ts'
import type { Caller } from '../shared/caller.ts'
import type { Deps } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import { addUpload } from '../albums/album-of-upload.ts'
import { countKeyUpload } from './key-limits.ts'
import {
  findIdempotentUpload,
  IdempotencyKeyTaken,
  type UploadIdempotency,
  storeIdempotencyKey,
} from './idempotency.ts'
import { imageTotals } from '../images/image-totals.ts'
import { hasTotalQuota, assertWithinQuota, assertWithinTotals } from '../images/quota.ts'
import { lockInTransaction } from '../shared/transaction-locks.ts'
import { assertBytesNotBlocked } from '../moderation/blocked-images.ts'
import { countForOwner } from '../images/owner-counts.ts'
import { type ImageRow, tagsOf } from '../images/image-row.ts'
import { queueImageEvents } from '../webhooks/queue-events.ts'

/**
 * Returns another row when a concurrent upload with the same idempotency key was faster.
 * @throws {Failure} quota_exceeded, guest_quota_full, total_quota_full, api_key_quota, image_blocked;
 * album_not_found; inactive_account, invalid_token: the account was suspended, or it or the API key was deleted meanwhile
 */
export async function storeRow(
  deps: Deps,
  row: ImageRow,
  {
    idempotency,
    caller,
    albumId,
    record,
  }: {
    idempotency: UploadIdempotency | undefined
    caller: Caller
    albumId?: string | undefined
    /** Runs in the transaction, after the row is inserted. */
    record?: ((db: Kysely<Schema>, row: ImageRow) => Promise<void>) | undefined
  },
): Promise<[ImageRow, isDuplicate: boolean]> {
  let isWritten = false
  try {
    return await deps.db.transaction().execute(async (transaction) => {
      const isGuest = row.owner_id === null
      const isLimited = hasTotalQuota(deps.config, isGuest)
      await lockInTransaction(deps, transaction, 'blockedImages', 'shared')
      if (isLimited) await lockInTransaction(deps, transaction, 'totals')
      // @NOTE The first statement must write: SQLite does not wait for another process when a
      // transaction upgrades from reading to writing.
      await transaction.insertInto('images').values(row).execute()
      if (row.tags !== '') await replaceTagRows(transaction, row, tagsOf(row))
      const owner =
        row.owner_id === null
          ? undefined
          : await countForOwner(transaction, row.owner_id, { images: 1, bytes: row.bytes })
      // Before the quotas, so that the repetition of an upload that filled one gets the stored image.
      // @NOTE After the owner's row is locked: PostgreSQL must see the image of a concurrent upload.
      if (idempotency) await storeIdempotencyKey(transaction, idempotency, row)
      if (owner) assertWithinQuota(deps.config, owner)
      // A body may take an hour. Not of an import, whose accounts may have been suspended before.
      const wasActive = caller.kind === 'user' && caller.account.status === 'Active'
      if (wasActive && owner && owner.status !== 'Active') throw new Failure('inactive_account')
      if (caller.kind === 'user' && 'apiKeyId' in caller.by)
        await countKeyUpload(transaction, caller.by.apiKeyId, row.bytes)
      if (isLimited) assertWithinTotals(deps.config, await imageTotals(transaction), isGuest)
      // Again: the block may have come while the original was stored.
      await assertBytesNotBlocked({ db: transaction }, row.sha256)
      const isDuplicate = await hasSameBytes(transaction, row)
      const isAdded =
        albumId !== undefined &&
        (await addUpload(transaction, { albumId, imageId: row.id, caller, now: row.created_at }))
      const details = { albums: isAdded ? [albumId] : [] }
      await queueImageEvents({ ...deps, db: transaction }, 'image.uploaded', [{ image: row, details }])
      await record?.(transaction, row)
      isWritten = true
      return [row, isDuplicate]
    })
  } catch (error) {
    // The commit may even complete after this check; the sweep removes what remains.
    if (isWritten && error instanceof DatabaseUnavailable) throw error
    await discard(deps, row.id, isWritten)
    const faster =
      error instanceof IdempotencyKeyTaken && idempotency ? await findIdempotentUpload(deps, idempotency) : undefined
    if (faster) return [faster, false]
    if (row.owner_id !== null) await assertOwnerExists(deps, row.owner_id)
    throw error
  }
}

/** @param mayBeStored then the bytes are deleted only when their row is known to be missing */
async function discard(deps: Deps, id: string, mayBeStored: boolean): Promise<void> {
  try {
    const row = mayBeStored
      ? await deps.db.selectFrom('images').select('id').where('id', '=', id).executeTakeFirst()
      : undefined
    if (!row) await Promise.all([deps.blobs.delete(id), deps.variants.deleteImage(id)])
  } catch (error) {
    // The sweep removes bytes without a row.
    deps.log.warn({ err: error, imageId: id }, 'Bytes of a failed upload could not be removed')
  }
}

/** The account was deleted during the upload. @throws {Failure} invalid_token */
export async function assertOwnerExists(deps: Deps, ownerId: string): Promise<void> {
  const owner = await deps.db.selectFrom('users').select('id').where('id', '=', ownerId).executeTakeFirst()
  if (!owner) throw new Failure('invalid_token')
}

/** Duplicates are reported to owners only; guests have no images to compare with. */
async function hasSameBytes(transaction: Kysely<Schema>, row: ImageRow): Promise<boolean> {
  if (row.owner_id === null) return false
  const same = await transaction
    .selectFrom('images')
    .select('id')
    .where('owner_id', '=', row.owner_id)
    .where('sha256', '=', row.sha256)
    .where('id', '!=', row.id)
    .where('expires_at', '>', row.created_at)
    .limit(1)
    .executeTakeFirst()
  return same !== undefined
}
