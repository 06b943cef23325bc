// Counts views in memory and writes them in batches: how often an image was viewed on a day, and
// nothing about who viewed it (docs/decisions/0046).
import { type Kysely, sql } from 'kysely'
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
            await write(db, day, batch)
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

async function write(db: Kysely<Schema>, day: number, batch: Count[]): Promise<void> {
  const views = batch.reduce((sum, [, count]) => sum + count, 0)
  await db.transaction().execute(async (transaction) => {
    // First: the lock on this row makes servers write one after another, so that they cannot deadlock.
    await transaction
      .insertInto('view_totals')
      .values({ day, views })
      .onConflict((conflict) =>
        conflict
          .column('day')
          .doUpdateSet((row) => ({ views: row('view_totals.views', '+', row.ref('excluded.views')) })),
      )
      .execute()
    const ids = batch.map(([id]) => id)
    const stored = await transaction.selectFrom('images').select('id').where('id', 'in', ids).execute()
    const existing = new Set(stored.map(({ id }) => id))
    const counted = batch.filter(([id]) => existing.has(id))
    if (counted.length === 0) return
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
  })
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
