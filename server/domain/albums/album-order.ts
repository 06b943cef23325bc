// The order of an album: a text between two others, so that a move writes one row (docs/decisions/0070).
import { generateNKeysBetween } from 'fractional-indexing'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../db/schema.ts'
import { Failure } from '../shared/failure.ts'

/**
 * Locks an album until the transaction ends: two images that are added at the same time get different positions. The statement
 * writes, because SQLite does not wait when a transaction upgrades from reading to writing.
 * @throws {Failure} album_not_found: it was deleted meanwhile
 */
export async function lockAlbum(transaction: Kysely<Schema>, id: string): Promise<void> {
  const locked = await transaction.updateTable('albums').set({ id }).where('id', '=', id).executeTakeFirst()
  if (locked.numUpdatedRows === 0n) throw new Failure('album_not_found')
}

/** Several, in the order in which bulk changes of images lock them. One that is gone is passed over. */
export async function lockAlbums(transaction: Kysely<Schema>, ids: readonly string[]): Promise<void> {
  for (const id of ids.toSorted()) await transaction.updateTable('albums').set({ id }).where('id', '=', id).execute()
}

/** A position grows by a character with about six moves to the same place. Longer ones are replaced, with those around them. */
const maxPositionLength = 60

/** How many more neighbours get new positions where those so far are too close to each other. */
const widening = 20

interface Place {
  albumId: string
  /** In the order in which they are to be. */
  ids: readonly string[]
  /** The image that follows them; null: none. */
  before: string | null
}

/**
 * Returns positions for these images, and for neighbours that have to make room, by image.
 * @param transaction one that holds {@link lockAlbum}
 * @throws {Failure} image_not_found: `before` is not in the album
 */
export async function positionsAt(transaction: Kysely<Schema>, place: Place): Promise<Map<string, string>> {
  const next = place.before === null ? null : await findPlaced(transaction, place.albumId, place.before)
  for (let width = 1; ; width *= widening) {
    const positions = positionsBetween(await neighbours(transaction, place, next, width), place.ids, width)
    if (positions) return positions
  }
}

/**
 * Adds images to an album, where they make room. An image that is in it stays where it is.
 * @param transaction one that holds {@link lockAlbum}
 * @throws {Failure} image_not_found: `before` is not in the album
 */
export async function placeImages(
  transaction: Kysely<Schema>,
  { addedBy, now, ...place }: Place & { addedBy: string | null; now: number },
): Promise<void> {
  const positions = await positionsAt(transaction, place)
  const placed = { album_id: place.albumId, added_by: addedBy, added_at: now }
  const rows = place.ids.map((id) => ({ ...placed, image_id: id, position: positions.get(id) ?? '' }))
  for (const id of place.ids) positions.delete(id)
  // First: the insert locks the count, for which a deletion of a neighbour waits with that neighbour's row locked.
  await writePositions(transaction, place.albumId, positions)
  await transaction
    .insertInto('album_images')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

interface Placed {
  image_id: string
  position: string
}

async function findPlaced(db: Kysely<Schema>, albumId: string, imageId: string): Promise<Placed> {
  const found = await placedIn(db, albumId).where('image_id', '=', imageId).executeTakeFirst()
  if (!found) throw new Failure('image_not_found')
  return found
}

const placedIn = (db: Kysely<Schema>, albumId: string) =>
  db.selectFrom('album_images').select(['image_id', 'position']).where('album_id', '=', albumId)

/** The images on both sides of the place, the nearest first: at most `width` each. */
async function neighbours(db: Kysely<Schema>, { albumId }: Place, next: Placed | null, width: number) {
  const at = next && sql`(${next.position}, ${next.image_id})`
  const left = await placedIn(db, albumId)
    .$if(at !== null, (rows) => rows.where(sql<boolean>`(position, image_id) < ${at}`))
    .orderBy('position', 'desc')
    .orderBy('image_id', 'desc')
    .limit(width)
    .execute()
  if (at === null) return { left, right: [] }
  const right = await placedIn(db, albumId)
    .where(sql<boolean>`(position, image_id) >= ${at}`)
    .orderBy('position')
    .orderBy('image_id')
    .limit(width)
    .execute()
  return { left, right }
}

/** The outermost neighbours keep their positions, unless no further ones are there. undefined: there is no room between them. */
function positionsBetween(
  { left, right }: { left: Placed[]; right: Placed[] },
  ids: readonly string[],
  width: number,
): Map<string, string> | undefined {
  const lower = left.length === width ? (left.at(-1)?.position ?? null) : null
  const upper = right.length === width ? (right.at(-1)?.position ?? null) : null
  if (lower !== null && upper !== null && lower >= upper) return undefined
  const moving = new Set(ids)
  const staying = (side: Placed[]) => side.slice(0, width - 1).filter(({ image_id }) => !moving.has(image_id))
  const order = [
    ...staying(left)
      .toReversed()
      .map(({ image_id }) => image_id),
    ...ids,
    ...staying(right).map(({ image_id }) => image_id),
  ]
  const keys = generateNKeysBetween(lower, upper, order.length)
  if (keys.some((key) => key.length > maxPositionLength)) return undefined
  return new Map(order.map((id, n) => [id, keys[n] ?? '']))
}

/** Rows that a statement writes: it has two parameters for each. */
const rowsPerWrite = 500

export async function writePositions(
  db: Kysely<Schema>,
  albumId: string,
  positions: ReadonlyMap<string, string>,
): Promise<void> {
  const all = [...positions]
  for (let n = 0; n < all.length; n += rowsPerWrite) {
    const part = all.slice(n, n + rowsPerWrite)
    await sql`
      with placed (id, place) as (values ${sql.join(part.map(([id, position]) => sql`(${id}, ${position})`))})
      update album_images set position = (select place from placed where id = image_id)
      where album_id = ${albumId} and image_id in (${sql.join(part.map(([id]) => id))})`.execute(db)
  }
}
