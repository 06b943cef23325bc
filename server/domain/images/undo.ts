// A deletion that can be undone: gone for everyone at once, while row and bytes stay for a moment (decisions record 16).
import type { ExpressionBuilder } from 'kysely'
import { limits } from '../../../contract/limits.ts'
import type { Schema } from '../../db/schema.ts'
import type { Deps } from '../deps.ts'
import type { ImageRow } from './record.ts'

/** Long ago by the clock of every server, so that all of them take it for gone this moment. */
const longGone = 0

/** @returns whether it was there to be hidden: of two callers at once, one hears true */
export async function hideImage(deps: Deps, id: string): Promise<boolean> {
  const now = deps.now()
  const { numUpdatedRows } = await deps.db
    .updateTable('images')
    .set((image) => ({
      undo_expires_at: image.ref('expires_at'),
      undo_until: now + limits.undoMs,
      expires_at: longGone,
    }))
    .where('id', '=', id)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** @returns the image with the time it had left; undefined when it is too late */
export function unhideImage(deps: Deps, id: string): Promise<ImageRow | undefined> {
  const now = deps.now()
  return deps.db
    .updateTable('images')
    .set((image) => ({
      expires_at: image.fn.coalesce('undo_expires_at', 'expires_at'),
      undo_until: null,
      undo_expires_at: null,
    }))
    .where('id', '=', id)
    .where('undo_until', '>', now)
    .where('undo_expires_at', '>', now)
    .returningAll()
    .executeTakeFirst()
}

/** The images that may be removed for good: their time has passed, and that of their undo. */
export const isDue = (now: number) => (image: ExpressionBuilder<Schema, 'images'>) =>
  image.and([
    image('expires_at', '<=', now),
    image.or([image('undo_until', 'is', null), image('undo_until', '<=', now)]),
  ])
