// Finds the images of a search, or of a filter by type, in a long list by an index
// (docs/decisions/0058).
import { setImmediate } from 'node:timers/promises'
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { limits } from '../../../../contract/plain/limits.ts'
import { countRows } from '../../../db/count-rows.ts'
import type { Schema } from '../../../db/schema.ts'
import type { Deps } from '../../shared/deps.ts'
import { lastDeletedExpiry } from '../deletion/deletion-states.ts'
import { selectSorted, type SortedImage, type SortedImageQuery } from './image-batches.ts'
import {
  type ImageFilters,
  imageSortOrders,
  isInOrderOfTypes,
  isListed,
  isUnfiltered,
  type SortOrder,
} from './image-list-filters.ts'
import { isPlaceShown, termCandidates, withoutIndex } from './query-terms-as-sql.ts'

/** Longer lists are searched by an index or in batches; shorter ones take one query of at most 30 ms. */
const longList = 20_000
/** Rows that a query reads on SQLite, where it blocks all others: 10 ms. */
const maxCandidates = 2 * limits.list.maxCounted

/** Whose images a list has. */
export interface ListScope {
  /** null: everyone's. */
  ownerId: string | null
  /** A maintained count that includes quarantined images and expired ones that are not swept yet, not the trash. */
  storedImages: number
}

interface FoundImages {
  total: number
  /** After the cursor, in order. */
  images: SortedImage[]
}

/** Whether a query for the page and one for the total take too long, so that it takes `findByIndex` or batches. */
export function isLongSearch({ ownerId, storedImages }: ListScope, query: SortedImageQuery): boolean {
  const { terms, type, expires } = query
  const hasTerms = Boolean(terms?.length)
  if (!hasTerms && isInOrderOfTypes(ownerId, query)) return false
  return (hasTerms || type !== undefined) && expires !== 'soon' && storedImages > longList
}

/**
 * Returns the images of the list if they are at most `maxCounted`. Otherwise `many`, or `unknown`
 * when no index can say.
 * @param limit maximum number of returned images
 */
export async function findByIndex(
  deps: Deps,
  { ownerId }: ListScope,
  { sort, after, limit = limits.list.maxCounted, ...filters }: SortedImageQuery & { limit?: number },
): Promise<FoundImages | 'many' | 'unknown'> {
  if (await isLargeAlbum(deps, ownerId, filters)) return 'many'
  const select = (owner: string | null) =>
    selectSorted(deps, owner, { sort, after })
      .where(isListed(deps, filters, ownerId))
      .limit(limits.list.maxCounted + 1)
  if (deps.config.DATABASE_URL !== undefined) {
    const { total, page } = await readFound(deps, select(ownerId), { sort, limit })
    return total > limits.list.maxCounted ? 'many' : { total, images: page }
  }
  const indexes = sqliteIndexes(deps, ownerId, filters)
  const selective = indexes.length > 1 ? await firstSelective(deps, indexes) : undefined
  // Without one, the first may still say that there are many.
  const index = selective ?? indexes[0]
  if (index) {
    const candidates = firstCandidates(index)
    const found = select(null).where(sql<boolean>`images.rowid in (select number from candidates)`)
    const images = ownerId === null ? found : found.where(withoutIndex<string>('owner_id'), '=', ownerId)
    const { total, candidateCount, page } = await readFound(deps, images, { sort, limit, candidates })
    if (total > limits.list.maxCounted) return 'many'
    // Else the index has more, of other owners too, and images of this one may be among them.
    if (candidateCount <= maxCandidates) return { total, images: page }
  }
  return 'unknown'
}

/**
 * Whether the only filter is an album with more images of the owner than are counted. It tells without reading them: who adds
 * an image to an album owns it.
 */
async function isLargeAlbum(
  deps: Deps,
  ownerId: string | null,
  { terms = [], albums, ...filters }: ImageFilters,
): Promise<boolean> {
  const [term] = terms
  if (ownerId === null || terms.length !== 1 || term?.kind !== 'album' || term.isExcluded || !isUnfiltered(filters))
    return false
  const ids = albums?.get(term.album ?? '')?.ids ?? []
  if (ids.length === 0) return false
  const { db } = deps
  const largest = await db
    .selectFrom('album_counts')
    .selectAll()
    .where('album_id', 'in', ids)
    .orderBy('images', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!largest || largest.images <= limits.list.maxCounted) return false
  const enough = limits.list.maxCounted + 1 + (await countHidden(deps, ownerId))
  const own = db
    .selectFrom('album_images')
    .select('image_id')
    .where('album_id', '=', largest.album_id)
    .where('added_by', '=', ownerId)
    .where(isPlaceShown)
  return (await countRows(db.selectFrom(own.limit(enough).as('own')))) === enough
}

/** An owner's undeleted images that no list shows: expired and not swept yet, or quarantined. An index has each kind. */
async function countHidden({ db, now }: Deps, ownerId: string): Promise<number> {
  const own = db.selectFrom('images').where('owner_id', '=', ownerId)
  const [expired, quarantined] = await Promise.all([
    countRows(own.where('expires_at', '>', lastDeletedExpiry).where('expires_at', '<=', now())),
    countRows(own.where('quarantined_at', '>', 0)),
  ])
  return expired + quarantined
}

const firstCandidates = (index: RawBuilder<unknown>) => sql`select number from (${index}) limit ${maxCandidates + 1}`

/** The first index that finds few enough. Counting is cheap; a query has up to 20 terms, and other requests run meanwhile. */
async function firstSelective({ db }: Deps, indexes: RawBuilder<unknown>[]): Promise<RawBuilder<unknown> | undefined> {
  for (const index of indexes) {
    const counted = sql<{ count: number }>`select count(*) as count from (${firstCandidates(index)})`
    const { rows } = await counted.execute(db)
    if (Number(rows[0]?.count) <= maxCandidates) return index
    await setImmediate()
  }
  return undefined
}

type ListedImages = SelectQueryBuilder<Schema, 'images', SortedImage & { isAfter: 0 | 1 }>

/**
 * Counts these images, and returns those after the cursor in order: one statement finds them once.
 * @param candidates a query to which `images` refers as `candidates`
 */
async function readFound(
  { db }: Deps,
  images: ListedImages,
  { sort, limit, candidates }: { sort: SortOrder; limit: number; candidates?: RawBuilder<unknown> },
): Promise<{ total: number; candidateCount: number; page: SortedImage[] }> {
  const direction = imageSortOrders[sort].direction === 'asc' ? sql`asc` : sql`desc`
  const order = sql`value ${direction}, id ${direction}`
  const { rows } = await sql<{ total: number; candidateCount: number } & (SortedImage | { id: null })>`
    with ${candidates ? sql`candidates as materialized (${candidates}), ` : sql``}found as materialized ${images}
    select ${candidates ? sql`(select count(*) from candidates)` : sql`0`} as "candidateCount",
      (select count(*) from found) as total, page.*
    from (select 1) as counts left join (
      select id, width, height, value from found where "isAfter" = 1 order by ${order} limit ${limit}) as page on true
    order by ${order}`.execute(db)
  // Without images, one row has the counts.
  const { total = 0, candidateCount = 0 } = rows[0] ?? {}
  return { total, candidateCount, page: rows.filter((row) => row.id !== null) }
}

/** Queries for the row numbers of images that may match, each by an index. */
function sqliteIndexes(
  { now }: Deps,
  ownerId: string | null,
  { terms = [], albums = new Map(), type }: ImageFilters,
): RawBuilder<unknown>[] {
  const indexes = termCandidates(terms, { now: now(), ownerId, isSqlite: true, albums, isForFewRows: false })
  if (type !== undefined && ownerId !== null)
    indexes.push(
      sql`select rowid as number from images where owner_id = ${ownerId} and format = ${type} and undo_until is null`,
    )
  return indexes
}
