// Which images are deleted and by whom, in the trash, or to be removed permanently: what their expiry says about it.
import type { ExpressionBuilder, SelectQueryBuilder } from 'kysely'
import { limits } from '../../../../contract/plain/limits.ts'
import type { Schema } from '../../../db/schema.ts'
import type { Deps } from '../../shared/deps.ts'

/**
 * Expiry times of images whose deletion can be undone, in the past by every clock: every query treats them as
 * expired. They record who deleted them, and whether they are in the trash of their owner.
 */
export const deletedExpiry = { byOwner: 0, byAdmin: 1, toTrash: 2 }
export type Deletion = keyof typeof deletedExpiry

/** Every later expiry is a time. */
export const lastDeletedExpiry = Math.max(...Object.values(deletedExpiry))

/** Returns a condition for queries on images: expired, with the time for undo over. */
export const isRemovable = (now: number) => (image: ExpressionBuilder<Schema, 'images'>) =>
  image.or([
    // Without the deleted ones, of which there may be many: by the index of expiry those come first.
    image.and([
      image('expires_at', '>', lastDeletedExpiry),
      image('expires_at', '<=', now),
      // A view that moves the expiry may not be written yet.
      image.or([
        image('expires_after_view_days', 'is', null),
        image('expires_at', '<=', now - limits.viewedExpiryGraceMs),
        image('views_left', '=', 0),
        image('former_owner_id', 'is not', null),
      ]),
    ]),
    image('undo_until', '<=', now),
  ])

/** Returns a condition for queries on images: served, or deleted and can be restored. Moderation is about both. */
export const mayBeServed = (now: number) => (image: ExpressionBuilder<Schema, 'images'>) =>
  image.or([image('expires_at', '>', now), image('undo_until', '>', now)])

/** Returns a condition for queries on images: in the trash of its owner, who can restore it. */
export const isInTrash = (now: number) => (image: ExpressionBuilder<Schema, 'images'>) =>
  image.and([image('expires_at', '=', deletedExpiry.toTrash), image('undo_until', '>', now)])

/** The sweep runs every minute, so there are few. */
export const countRemovableImages = ({ db, now }: Pick<Deps, 'db' | 'now'>) =>
  sumOf(db.selectFrom('images').where(isRemovable(now())))

/** Of all accounts: read by the index of what can be restored. */
export const countTrashedImages = ({ db, now }: Pick<Deps, 'db' | 'now'>) =>
  sumOf(db.selectFrom('images').where(isInTrash(now())))

async function sumOf(rows: SelectQueryBuilder<Schema, 'images', object>): Promise<{ images: number; bytes: number }> {
  const { images, bytes } = await rows
    .select((select) => [select.fn.countAll<number>().as('images'), select.fn.sum<number | null>('bytes').as('bytes')])
    .executeTakeFirstOrThrow()
  return { images, bytes: bytes ?? 0 }
}
