// Maintained counts of images: lists of a million rows are not counted.
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../db/schema.ts'
import type { Deps } from '../deps.ts'
import { type Amount, type CountedAccount, refuseOverQuota } from '../quota.ts'

/**
 * Updates the owner's image count and bytes. Call it in the transaction that changes the rows.
 * @returns the counts afterwards; undefined when the account was deleted
 */
export function countForOwner(
  transaction: Kysely<Schema>,
  ownerId: string,
  change: Amount,
): Promise<CountedAccount | undefined> {
  return transaction
    .updateTable('users')
    .set({
      image_count: sql`image_count + ${change.images}`,
      image_bytes: sql`image_bytes + ${change.bytes}`,
    })
    .where('id', '=', ownerId)
    .returning(['image_count', 'image_bytes', 'quota_bytes', 'quota_images'])
    .executeTakeFirst()
}

/**
 * Adds images to an owner. The update locks the owner's row, so that concurrent uploads cannot
 * exceed the quota together.
 * @throws {Failure} quota_exceeded: the transaction must not commit
 */
export async function addToOwner(
  { config }: Pick<Deps, 'config'>,
  transaction: Kysely<Schema>,
  ownerId: string,
  added: Amount,
): Promise<void> {
  const owner = await countForOwner(transaction, ownerId, added)
  if (owner) refuseOverQuota(config, owner)
}

/** Returns the number of all stored images, including expired rows that are not swept yet. */
export async function countStoredImages({ db }: Pick<Deps, 'db'>): Promise<number> {
  const { total } = await db
    .selectFrom('image_totals')
    .select((select) => select.fn.sum<number | null>('images').as('total'))
    .executeTakeFirstOrThrow()
  return total ?? 0
}
