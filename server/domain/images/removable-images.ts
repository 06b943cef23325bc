// Images that may be removed permanently: expired, with the time for undo over.
import type { ExpressionBuilder } from 'kysely'
import type { Schema } from '../../db/schema.ts'
import type { Deps } from '../shared/deps.ts'

/** Returns a condition for queries on images. */
export const isRemovable = (now: number) => (image: ExpressionBuilder<Schema, 'images'>) =>
  image.and([
    image('expires_at', '<=', now),
    image.or([image('undo_until', 'is', null), image('undo_until', '<=', now)]),
  ])

/** The sweep runs every minute, so there are few. */
export async function countRemovableImages({
  db,
  now,
}: Pick<Deps, 'db' | 'now'>): Promise<{ images: number; bytes: number }> {
  const { images, bytes } = await db
    .selectFrom('images')
    .select((select) => [select.fn.countAll<number>().as('images'), select.fn.sum<number | null>('bytes').as('bytes')])
    .where(isRemovable(now()))
    .executeTakeFirstOrThrow()
  return { images, bytes: bytes ?? 0 }
}
