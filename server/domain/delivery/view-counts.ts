// Counts views in memory and writes them in batches: how often an image was viewed on a day, and
// nothing about who viewed it (docs/decisions/0046).
import { type Kysely, PostgresAdapter, sql } from 'kysely'
import { dayMs, limits } from '../../../contract/plain/limits.ts'
import type { Schema } from '../../db/schema.ts'
import { inBatches } from '../shared/batches.ts'
import type { ViewCounts } from '../shared/ports.ts'

type Count = [imageId: string, views: number]

/** Further images are not counted until the next flush: a database that is down must not fill the memory. */
const maxImages = 100_000
const rowsPerInsert = 500

export function openViewCounts(db: Kysely<Schema>, now: () => number, isOn: boolean): ViewCounts {
  const days = new Map<number, Map<string, number>>()

  function add(day: number, imageId: string, views: number): void {
    const counts = days.get(day) ?? new Map<string, number>()
    const before = counts.get(imageId)
    if (before === undefined && counts.size >= maxImages) return
    days.set(day, counts.set(imageId, (before ?? 0) + views))
  }

  return {
    count(imageId) {
      if (isOn) add(Math.floor(now() / dayMs), imageId, 1)
    },

    async flush() {
      for (const [day, counts] of [...days]) {
        days.delete(day)
        for await (const batch of inBatches(counts, rowsPerInsert)) {
          try {
            for (const [imageId, count] of await write(db, day, batch)) add(day, imageId, count)
          } catch (error) {
            for (const [imageId, count] of counts) add(day, imageId, count)
            throw error
          }
          for (const [imageId] of batch) counts.delete(imageId)
        }
      }
    },
  }
}

/** @returns those that have to be written later: another transaction is changing their images */
function write(db: Kysely<Schema>, day: number, batch: Count[]): Promise<Count[]> {
  return db.transaction().execute(async (transaction) => {
    const addToTotal = (views: number) =>
      transaction
        .insertInto('view_totals')
        .values({ day, views })
        .onConflict((conflict) =>
          conflict
            .column('day')
            .doUpdateSet((row) => ({ views: row('view_totals.views', '+', row.ref('excluded.views')) })),
        )
        .execute()
    // First: the lock on this row makes servers write one after another, so that they cannot deadlock.
    await addToTotal(sumOf(batch))
    const { free, taken } = await lockFree(
      transaction,
      batch.map(([id]) => id),
    )
    const later = batch.filter(([id]) => taken.has(id))
    if (later.length > 0) await addToTotal(-sumOf(later))
    const counted = batch.filter(([id]) => free.has(id))
    if (counted.length === 0) return later
    await transaction
      .insertInto('image_views')
      .values(counted.map(([id, count]) => ({ image_id: id, day, views: count })))
      .onConflict((conflict) =>
        conflict
          .columns(['image_id', 'day'])
          .doUpdateSet((row) => ({ views: row('image_views.views', '+', row.ref('excluded.views')) })),
      )
      .execute()
    // Lists are sorted by the sums.
    const added = counted.map(([id, count]) => sql`(${id}, cast(${count} as bigint))`)
    await sql`
      update images set views = images.views + added.column2
      from (values ${sql.join(added)}) as added where images.id = added.column1`.execute(transaction)
    await moveExpiries(transaction, day, [...free])
    return later
  })
}

/**
 * Images that expire after their last view get the expiry of a view at the end of this day: one write of an image and day. Not
 * in the statement that writes the views, because a cached response depends on the expiry (server/db/image-changes.ts).
 */
async function moveExpiries(transaction: Kysely<Schema>, day: number, ids: string[]): Promise<void> {
  const moved = sql<number>`(cast(${day + 1} as bigint) + expires_after_view_days) * ${sql.lit(dayMs)}`
  await transaction
    .updateTable('images')
    .set({ expires_at: moved })
    .where('id', 'in', ids)
    .where('expires_after_view_days', 'is not', null)
    .where('expires_at', '<', moved)
    // It was viewed before it expired: also when that is a few seconds ago.
    .where('expires_at', '>', day * dayMs - limits.viewedExpiryGraceMs)
    .where('undo_until', 'is', null)
    .where('former_owner_id', 'is', null)
    .where((image) => image.or([image('views_left', 'is', null), image('views_left', '>', 0)]))
    .execute()
}

const sumOf = (counts: Count[]) => counts.reduce((sum, [, count]) => sum + count, 0)

/**
 * Locks the images that no other transaction changes now: waiting for the others could be a deadlock, because deletions lock
 * many images too, in another order.
 */
async function lockFree(transaction: Kysely<Schema>, ids: string[]): Promise<Record<'free' | 'taken', Set<string>>> {
  const stored = transaction.selectFrom('images').select('id')
  const isPostgres = transaction.getExecutor().adapter instanceof PostgresAdapter
  const locking = stored.where('id', 'in', ids)
  const locked = await (isPostgres ? locking.forNoKeyUpdate().skipLocked() : locking).execute()
  const free = new Set(locked.map(({ id }) => id))
  const others = ids.filter((id) => !free.has(id))
  // The rest is gone.
  const taken = !isPostgres || others.length === 0 ? [] : await stored.where('id', 'in', others).execute()
  return { free, taken: new Set(taken.map(({ id }) => id)) }
}

/** Returns every day that is shown, also those without views. */
export function viewsPerDay(rows: { day: number; views: number }[], now: number): { date: string; views: number }[] {
  const first = firstShownDay(now)
  const viewsOf = new Map(rows.map(({ day, views }) => [day, views]))
  return Array.from({ length: limits.stats.days }, (_, at) => ({
    date: new Date((first + at) * dayMs).toISOString().slice(0, 10),
    views: viewsOf.get(first + at) ?? 0,
  }))
}

/** In days since 1970, UTC. */
export const firstShownDay = (now: number) => Math.floor(now / dayMs) - limits.stats.days + 1
