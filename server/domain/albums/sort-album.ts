// Sorts an album once. Until the next sort, it can be ordered by hand.
import { setImmediate } from 'node:timers/promises'
import { generateNKeysBetween } from 'fractional-indexing'
import { type Kysely, sql } from 'kysely'
import type { Input } from '../../../contract/endpoints/api.ts'
import type { Schema } from '../../db/schema.ts'
import type { UserCaller } from '../shared/caller.ts'
import type { Deps } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import { albumFor } from './album-access.ts'
import { lockAlbum, writePositions } from './album-order.ts'

type By = Input<'sortAlbum'>['body']['by']

/**
 * Gives all images positions after the last one, in batches from the first on: others run meanwhile, and what a crash leaves is
 * sorted by the same request.
 * @throws {Failure} album_not_found, album_role, album_is_live
 */
export async function sortAlbum(
  deps: Deps,
  { caller, params: { id }, body: { by } }: { caller: UserCaller } & Pick<Input<'sortAlbum'>, 'params' | 'body'>,
) {
  const album = await albumFor(deps, caller, id, 'manage')
  if (album.query !== null) throw new Failure('album_is_live')
  const sorted = (await readAll(deps.db, id, by)).toSorted(compareBy[by]).map(({ id: image }) => image)
  const last = await deps.db
    .selectFrom('album_images')
    .select((row) => row.fn.max('position').as('position'))
    .where('album_id', '=', id)
    .executeTakeFirst()
  const positions = generateNKeysBetween(last?.position ?? null, null, sorted.length)
  for (let n = 0; n < sorted.length; n += batchSize) {
    const part = sorted.slice(n, n + batchSize)
    await deps.db.transaction().execute(async (db) => {
      await lockAlbum(db, id)
      await writePositions(db, id, new Map(part.map((image, place) => [image, positions[n + place] ?? ''])))
    })
    await setImmediate()
  }
  return { success: true as const }
}

interface Sorted {
  id: string
  value: string | number
}

const ascending = (a: Sorted, b: Sorted) =>
  (a.value < b.value ? -1 : Number(a.value > b.value)) || (a.id < b.id ? -1 : 1)
const compareBy: Record<By, (a: Sorted, b: Sorted) => number> = {
  oldest: ascending,
  newest: (a, b) => ascending(b, a),
  name: ascending,
  size: (a, b) => ascending(b, a),
}
const columns = { oldest: 'created_at', newest: 'created_at', name: 'original_name', size: 'bytes' } as const

/** Rows that a statement reads or writes: 10 ms on SQLite, where it blocks all others. */
const batchSize = 500

async function readAll(db: Kysely<Schema>, albumId: string, by: By): Promise<Sorted[]> {
  const all: Sorted[] = []
  for (;;) {
    const batch = await db
      .selectFrom('album_images')
      .innerJoin('images', 'images.id', 'album_images.image_id')
      .select(['image_id as id', sql.ref<string | number>(`images.${columns[by]}`).as('value')])
      .where('album_id', '=', albumId)
      .where('image_id', '>', all.at(-1)?.id ?? '')
      .orderBy('image_id')
      .limit(batchSize)
      .execute()
    all.push(...batch)
    if (batch.length < batchSize) return all
    await setImmediate()
  }
}
