import type { Kysely } from 'kysely'
import type { Schema } from '../../db/schema.ts'
import { DatabaseUnavailable } from '../../db/database-errors.ts'
import type { Deps } from '../deps.ts'
import { Failure } from '../failure.ts'
import { imageOf, IdempotencyKeyTaken, type Once, storeIdempotencyKey } from './idempotency.ts'
import { countForOwner } from './owner-counts.ts'
import type { ImageRow } from './image-row.ts'

/**
 * Writes the row, with what is counted for its owner and the key it answers to, in one transaction. When another upload with
 * the same key was faster, that one's row is the answer.
 */
export async function storeRow(
  deps: Deps,
  row: ImageRow,
  once: Once | undefined,
): Promise<[ImageRow, isDuplicate: boolean]> {
  let isWritten = false
  try {
    return await deps.db.transaction().execute(async (transaction) => {
      // @NOTE A write comes first: SQLite does not wait for another process when a transaction turns from reading to writing.
      await transaction.insertInto('images').values(row).execute()
      if (row.owner_id !== null) await countForOwner(transaction, row.owner_id, { images: 1, bytes: row.bytes })
      if (once) await storeIdempotencyKey(transaction, once, row)
      const isDuplicate = await hasSameBytes(transaction, row)
      isWritten = true
      return [row, isDuplicate]
    })
  } catch (error) {
    // A commit whose answer was lost may even happen after we have asked for its row: what is left is the sweep's.
    if (isWritten && error instanceof DatabaseUnavailable) throw error
    await discard(deps, row.id, isWritten)
    const faster = error instanceof IdempotencyKeyTaken && once ? await imageOf(deps, once) : undefined
    if (faster) return [faster, false]
    if (row.owner_id !== null) await refuseDeletedOwner(deps, row.owner_id)
    throw error
  }
}

/** @param mayBeStored bytes go only when their row is known not to be there */
async function discard(deps: Deps, id: string, mayBeStored: boolean): Promise<void> {
  try {
    const row = mayBeStored
      ? await deps.db.selectFrom('images').select('id').where('id', '=', id).executeTakeFirst()
      : undefined
    if (!row) await Promise.all([deps.blobs.delete(id), deps.variants.deleteImage(id)])
  } catch (error) {
    // What is left without a row, the sweep finds.
    deps.log.warn({ err: error, imageId: id }, 'Bytes of a failed upload could not be removed')
  }
}

/** The account was deleted while it was being given an image. @throws {Failure} invalid_token */
export async function refuseDeletedOwner(deps: Deps, ownerId: string): Promise<void> {
  const owner = await deps.db.selectFrom('users').select('id').where('id', '=', ownerId).executeTakeFirst()
  if (!owner) throw new Failure('invalid_token')
}

/** Guests own nothing that could be compared: only an owner is told that they have these bytes already. */
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
