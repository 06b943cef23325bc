// Finds the images of a search, or of a filter by type, in a long list by an index
// (docs/decisions/0058).
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { limits } from '../../../contract/limits.ts'
import type { Schema } from '../../db/schema.ts'
import type { Deps } from '../deps.ts'
import type { SortOrder } from './image-batches.ts'
import { type ImageFilters, imageSortOrders, isListed, toSearchTerm, unindexed } from './image-list-filters.ts'

/** Longer lists are searched by an index or in batches; shorter ones take one query of at most 30 ms. */
const longList = 20_000
/** Rows that a query reads on SQLite, where it blocks all others: 10 ms. */
const maxCandidates = 2 * limits.list.maxCounted

/** Whose images a list has. */
export interface ListScope {
  /** null: everyone's. */
  ownerId: string | null
  /** A maintained count that includes quarantined images and expired ones that are not swept yet. */
  storedImages: number
}

interface FoundImages {
  total: number
  /** In order. */
  images: SelectQueryBuilder<Schema, 'images', object>
}

export const isLongSearch = ({ storedImages }: ListScope, { q, type, expires }: ImageFilters): boolean =>
  Boolean(q || type) && expires !== 'soon' && storedImages > longList

/**
 * Returns the images of the list if they are at most `maxCounted`. Otherwise `many`, or `unknown`
 * when no index can say.
 */
export async function findByIndex(
  deps: Deps,
  { ownerId }: ListScope,
  { sort, ...filters }: ImageFilters & { sort: SortOrder },
): Promise<FoundImages | 'many' | 'unknown'> {
  const { by, direction } = imageSortOrders[sort]
  const listed = deps.db.selectFrom('images').where(isListed(deps.now(), filters))
  // By no index of the order, which has all other images as well.
  const inOrder = (images: typeof listed) => images.orderBy(unindexed(by), direction).orderBy('id', direction)
  if (deps.config.DATABASE_URL !== undefined) {
    const images = ownerId === null ? listed : listed.where('owner_id', '=', ownerId)
    const total = await countUpToLimit(deps, images)
    return total > limits.list.maxCounted ? 'many' : { total, images: inOrder(images) }
  }
  for (const index of sqliteIndexes(ownerId, filters)) {
    const candidates = sql`select number from (${index}) limit ${maxCandidates + 1}`
    const found = listed.where(sql<boolean>`images.rowid in (${candidates})`)
    const images = ownerId === null ? found : found.where(unindexed<string>('owner_id'), '=', ownerId)
    const total = await countUpToLimit(deps, images)
    if (total > limits.list.maxCounted) return 'many'
    const { rows } = await sql<{ n: number }>`select count(*) as n from (${candidates})`.execute(deps.db)
    // Else the index has more, of other owners too, and images of this one may be among them.
    if ((rows[0]?.n ?? 0) <= maxCandidates) return { total, images: inOrder(images) }
  }
  return 'unknown'
}

/** Counts at most one more than `maxCounted`, which stands for all larger totals. */
export async function countUpToLimit({ db }: Deps, images: FoundImages['images']): Promise<number> {
  const { n } = await db
    .selectFrom(
      images
        .select('images.id')
        .limit(limits.list.maxCounted + 1)
        .as('found'),
    )
    .select((found) => found.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return n
}

/** Queries for the row numbers of images that may match, each by an index. */
function sqliteIndexes(ownerId: string | null, { q = '', type }: ImageFilters): RawBuilder<unknown>[] {
  const indexes: RawBuilder<unknown>[] = []
  const trigrams = trigramsOf(toSearchTerm(q).toLowerCase())
  if (trigrams.length > 0) {
    const match = trigrams.map((trigram) => `"${trigram.replaceAll('"', '""')}"`).join(' AND ')
    indexes.push(sql`select rowid as number from image_search where image_search match ${match}`)
  }
  if (type !== undefined && ownerId !== null)
    indexes.push(sql`select rowid as number from images where owner_id = ${ownerId} and format = ${type}`)
  return indexes
}

/** Every three successive characters, as SQLite's tokenizer divides a text. NUL would end its query. */
function trigramsOf(text: string): string[] {
  const characters = Array.from(text.replaceAll('\0', ' '))
  return [...new Set(characters.slice(2).map((_, n) => characters.slice(n, n + 3).join('')))]
}
