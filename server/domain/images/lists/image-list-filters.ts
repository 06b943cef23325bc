// Filters and sort orders of image lists.
import type { Expression, ExpressionBuilder, Kysely, SelectQueryBuilder, SqlBool } from 'kysely'
import type { Input } from '../../../../contract/endpoints/api.ts'
import { parseImageQuery, problemText, type QueryTerm } from '../../../../contract/plain/image-query.ts'
import type { imageSorts } from '../../../../contract/plain/image-sorts.ts'
import { dayMs, limits } from '../../../../contract/plain/limits.ts'
import type { Schema } from '../../../db/schema.ts'
import type { Deps } from '../../shared/deps.ts'
import { Failure } from '../../shared/failure.ts'
import { type AlbumsOfTerms, findAlbumsOfTerms } from './albums-in-query.ts'
import { termCondition, withoutIndex } from './query-terms-as-sql.ts'

/**
 * Each order has an index (see the migrations), which is read both ways. The id breaks ties, in the same direction.
 * `by` is the column of `images`; {@link orderColumns} are those of the index.
 */
export const imageSortOrders = {
  newest: { by: 'created_at', direction: 'desc', type: 'number' },
  oldest: { by: 'created_at', direction: 'asc', type: 'number' },
  expiry: { by: 'expires_at', direction: 'asc', type: 'number' },
  expiry_desc: { by: 'expires_at', direction: 'desc', type: 'number' },
  largest: { by: 'bytes', direction: 'desc', type: 'number' },
  smallest: { by: 'bytes', direction: 'asc', type: 'number' },
  name: { by: 'original_name', direction: 'asc', type: 'string' },
  name_desc: { by: 'original_name', direction: 'desc', type: 'string' },
  views: { by: 'views', direction: 'desc', type: 'number' },
  views_asc: { by: 'views', direction: 'asc', type: 'number' },
} as const satisfies Record<(typeof imageSorts)[number], object>

export type SortOrder = keyof typeof imageSortOrders

/** The columns of the order, to select images from {@link imagesInOrder}. */
export const orderColumns = (sort: SortOrder) =>
  imageSortOrders[sort].by === 'views'
    ? (['images_by_views.view_count', 'images_by_views.image_id'] as const)
    : ([`images.${imageSortOrders[sort].by}`, 'images.id'] as const)

/**
 * Selects from all images, or those of an owner. Where they are sorted by views, from the table with that order, which has the
 * owners' undeleted images: an index of `images.views` would make each view a write in every index on PostgreSQL.
 */
export function imagesInOrder(db: Kysely<Schema>, sort: SortOrder | undefined, ownerId: string | null) {
  if (sort === undefined || imageSortOrders[sort].by !== 'views') {
    const images = db.selectFrom('images')
    return ownerId === null ? images : images.where('images.owner_id', '=', ownerId)
  }
  const ordered = db.selectFrom('images_by_views').innerJoin('images', 'images.id', 'images_by_views.image_id')
  const own = ownerId === null ? ordered : ordered.where('list_owner_id', '=', ownerId)
  // The columns of the other table are only in the order.
  return own as unknown as SelectQueryBuilder<Schema, 'images', object>
}

export type ImageListQuery = Input<'listImages'>['query']
export interface ImageFilters extends Pick<ImageListQuery, 'type' | 'expires' | 'visibility'> {
  /** Of the query, as {@link readTerms} reads it. */
  terms?: readonly QueryTerm[] | undefined
  /** Those of its terms, as {@link readQuery} finds them. */
  albums?: AlbumsOfTerms | undefined
  id?: string | undefined
  /** Of the original, hex. */
  sha256?: string | undefined
  /** Of the uploader. */
  addressHash?: string | undefined
  /** For admins. Default: quarantined images are not listed. */
  quarantined?: 'included' | 'only' | undefined
}

/** Whether the list has every unexpired image of its scope, perhaps without the quarantined ones. */
export const isUnfiltered = ({
  terms,
  type,
  expires,
  visibility,
  id,
  sha256,
  addressHash,
  quarantined,
}: ImageFilters): boolean =>
  !terms?.length &&
  [type, expires, visibility, id, sha256, addressHash].every((value) => value === undefined) &&
  quarantined !== 'only'

/** Reads a query. @throws {Failure} invalid_input: a term that says nothing */
function readTerms(q = ''): QueryTerm[] {
  const { terms, problem } = parseImageQuery(q)
  if (problem) throw new Failure('invalid_input', { field: 'q', problem: problemText(problem) })
  return terms
}

/** Reads a query, and finds the albums of its terms. @throws {Failure} as {@link readTerms} */
export async function readQuery(
  deps: Pick<Deps, 'db'>,
  ownerId: string | null,
  q: string | undefined,
): Promise<Pick<ImageFilters, 'terms' | 'albums'>> {
  const terms = readTerms(q)
  return { terms, albums: await findAlbumsOfTerms(deps, ownerId, terms) }
}

/**
 * Returns the condition for images in a list, by the current time and these filters.
 * @param ownerId null: everyone's
 * @param isForFewRows whether it is asked for rows that were found already, and finds none itself
 */
export const isListed =
  (
    { config, now: currentTime }: Pick<Deps, 'config' | 'now'>,
    { terms = [], albums = new Map(), type, expires, visibility, id, sha256, addressHash, quarantined }: ImageFilters,
    ownerId: string | null,
    isForFewRows = false,
  ) =>
  (image: ExpressionBuilder<Schema, 'images'>) => {
    const now = currentTime()
    // Deleted ones, of which there may be many, are not in the indexes of lists.
    const conditions: Expression<SqlBool>[] = [image('undo_until', 'is', null)]
    // Few are expired. By an index of them, SQLite without statistics would sort all others: 120 ms for 100,000.
    conditions.push(image(withoutIndex('expires_at'), '>', now))
    if (quarantined !== 'included')
      conditions.push(image('quarantined_at', quarantined === 'only' ? 'is not' : 'is', null))
    if (id !== undefined) conditions.push(image('id', '=', id))
    if (sha256 !== undefined) conditions.push(image('sha256', '=', sha256))
    if (addressHash !== undefined) conditions.push(image('address_hash', '=', addressHash))
    if (type !== undefined) conditions.push(image('format', '=', type))
    if (visibility !== undefined) conditions.push(image('visibility', '=', visibility))
    if (expires === 'soon') conditions.push(image('expires_at', '<=', now + limits.expiryNoticeDays * dayMs))
    const context = { now, ownerId, isSqlite: config.DATABASE_URL === undefined, albums, isForFewRows }
    for (const term of terms) conditions.push(termCondition(term, context))
    return image.and(conditions)
  }

/** Whether the index of owners and types has the images of this list in its order. */
export const isInOrderOfTypes = (ownerId: string | null, { type, sort }: ImageFilters & { sort: SortOrder }): boolean =>
  ownerId !== null && type !== undefined && imageSortOrders[sort].by === 'created_at'
