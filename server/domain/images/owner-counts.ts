import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../db/schema.ts'

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
