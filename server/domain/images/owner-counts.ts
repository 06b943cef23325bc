// Maintained counts of images: lists of a million rows are not counted.
import { type Kysely, sql } from 'kysely'
import type { Schema, UsersTable } from '../../db/schema.ts'
import type { Deps } from '../shared/deps.ts'
import { imageTotals } from './image-totals.ts'
import type { Amount } from '../shared/disk-space.ts'
import type { CountedAccount } from './quota.ts'

/**
 * Updates the owner's image count and bytes. Call it in the transaction that changes the rows: it
 * locks the owner's row, so that concurrent uploads cannot exceed a quota together.
 * @returns the counts afterwards, and whether the account is active; undefined when the account was deleted
 */
export function countForOwner(
  transaction: Kysely<Schema>,
  ownerId: string,
  change: Amount,
): Promise<(CountedAccount & Pick<UsersTable, 'status'>) | undefined> {
  return transaction
    .updateTable('users')
    .set({
      image_count: sql`image_count + ${change.images}`,
      image_bytes: sql`image_bytes + ${change.bytes}`,
    })
    .where('id', '=', ownerId)
    .returning(['image_count', 'image_bytes', 'quota_bytes', 'quota_images', 'status'])
    .executeTakeFirst()
}

/** Returns the number of all images without the trash, which may be large; with expired rows that are not swept yet. */
export async function countUntrashedImages({ db }: Pick<Deps, 'db'>): Promise<number> {
  const ofUsers = db.selectFrom('users').select((users) => users.fn.sum<number | null>('image_count').as('images'))
  const [{ guestImages }, { images }] = await Promise.all([imageTotals(db), ofUsers.executeTakeFirstOrThrow()])
  return guestImages + (images ?? 0)
}

/** Returns the number of all stored images, including the trash and expired rows that are not swept yet. */
export const countStoredImages = async ({ db }: Pick<Deps, 'db'>): Promise<number> => (await imageTotals(db)).images
