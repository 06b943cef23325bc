// Maintained counts of images: lists of a million rows are not counted.
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../db/schema.ts'
import type { Deps } from '../deps.ts'

/** Updates the owner's image count and bytes. Call it in the transaction that changes the rows. */
export async function countForOwner(
  transaction: Kysely<Schema>,
  ownerId: string,
  change: { images: number; bytes: number },
): Promise<void> {
  await transaction
    .updateTable('users')
    .set({
      image_count: sql`image_count + ${change.images}`,
      image_bytes: sql`image_bytes + ${change.bytes}`,
    })
    .where('id', '=', ownerId)
    .execute()
}

/** Returns the number of all stored images, including expired rows that are not swept yet. */
export async function countStoredImages({ db }: Pick<Deps, 'db'>): Promise<number> {
  const { total } = await db
    .selectFrom('image_totals')
    .select((select) => select.fn.sum<number | null>('images').as('total'))
    .executeTakeFirstOrThrow()
  return total ?? 0
}
