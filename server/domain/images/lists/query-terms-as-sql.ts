// What each kind of term of a query means in SQL: a condition, and for long lists on SQLite an index that finds candidates
// (docs/decisions/0058, docs/decisions/0067).
import { type RawBuilder, sql } from 'kysely'
import type { Comparison, QueryTerm } from '../../../../contract/plain/image-query.ts'
import { dayMs } from '../../../../contract/plain/limits.ts'
import { matchesPattern } from '../../../db/search-index.ts'
import { isTagOrBelow, rangeBelow } from '../../../db/image-tags.ts'
import { keptExpiry } from '../../../db/never-expires.ts'
import type { AlbumsOfTerms, FoundAlbums } from './albums-in-query.ts'
import { escapeLike } from '../../../db/contains-text.ts'

type Kind = QueryTerm['kind']
type TermOf<K extends Kind> = Extract<QueryTerm, { kind: K }>

interface TermContext {
  now: number
  /** Whose images are listed; null: everyone's. */
  ownerId: string | null
  isSqlite: boolean
  /** Of the terms `album:`. */
  albums: AlbumsOfTerms
  /** Whether the condition is asked for rows that were found already. */
  isForFewRows: boolean
}

interface TermSql<K extends Kind> {
  /** Of a row of `images`. */
  condition: (term: TermOf<K>, context: TermContext) => RawBuilder<boolean>
  /** A query for the row numbers, as `number`, of images that may match, by an index of SQLite. */
  candidates?: (term: TermOf<K>, context: TermContext) => RawBuilder<unknown> | undefined
}

/**
 * An expression that no index serves. Where few rows are excluded by a column, sorting by its index
 * costs more than reading the list in its order and skipping those rows.
 */
export const withoutIndex = <T = number>(column: string) => sql<T>`coalesce(${sql.ref(column)}, ${sql.ref(column)})`

/** Said again beside the condition of the image, for the index of an album's places without deleted images. */
export const isPlaceShown = sql<boolean>`album_images.is_deleted = 0`

/** Read in the order of the table that names the images: a limit ends it. A subquery would be read to its end. */
const rowsNamedBy = (table: 'image_tags' | 'images_by_views' | 'album_images') =>
  sql`select images.rowid as number from ${sql.ref(table)} cross join images on images.id = image_id`

const termSql: { [K in Kind]: TermSql<K> } = {
  text: {
    // PostgreSQL refuses NUL, which no stored text has.
    condition: ({ text }, { isSqlite }) =>
      text.includes('\0') ? sql`1 = 0` : matchesPattern(`%${escapeLike(toSearchTerm(text))}%`, { isSqlite }),
    candidates({ text }) {
      const trigrams = trigramsOf(toSearchTerm(text).toLowerCase())
      if (trigrams.length === 0) return undefined
      const match = trigrams.map((trigram) => `"${trigram.replaceAll('"', '""')}"`).join(' AND ')
      return sql`select rowid as number from image_search where image_search match ${match}`
    },
  },
  tag: {
    condition({ tag }, { ownerId, isSqlite }) {
      if (tag === null) return sql`images.tags = ''`
      // SQLite looks for the tags of one image, and PostgreSQL for all images with the tag: with the owner, by its index.
      const ofOwner = isSqlite || ownerId === null ? sql`` : sql`and image_tags.owner_id = ${ownerId}`
      return sql`exists (select 1 from image_tags where image_tags.image_id = images.id ${ofOwner}
        and ${isTagOrBelow('image_tags.tag', tag)})`
    },
    candidates({ tag }, { ownerId }) {
      if (ownerId === null) return undefined
      if (tag === null) return sql`${liveOf(ownerId)} and tags = ''`
      const { below, above } = rangeBelow(tag)
      const tagged = sql`${rowsNamedBy('image_tags')} where image_tags.owner_id = ${ownerId}`
      return sql`${tagged} and tag = ${tag} union all ${tagged} and tag > ${below} and tag < ${above}`
    },
  },
  album: {
    condition({ album }, context) {
      if (album === null)
        return context.ownerId === null
          ? sql`not exists (select 1 from album_images where album_images.image_id = images.id)`
          : sql`exists (select 1 from images_by_views
              where image_id = images.id and list_owner_id = ${context.ownerId} and in_album = 0)`
      const { ids, queries } = albumsOf(album, context)
      // Says nothing more, but keeps PostgreSQL from reading the whole album into a hash table for a few rows.
      const perImage = context.isForFewRows && !context.isSqlite ? sql`and album_images.image_id >= images.id` : sql``
      const isIn = sql<boolean>`exists (select 1 from album_images
        where album_images.image_id = images.id ${perImage} and album_images.album_id in (${sql.join(ids)}))`
      const found = queries.map(
        (terms) =>
          sql<boolean>`(${sql.join([sql`1 = 1`, ...terms.map((term) => termCondition(term, context))], sql` and `)})`,
      )
      const any = [...(ids.length > 0 ? [isIn] : []), ...found]
      return any.length === 0 ? sql`1 = 0` : sql`(${sql.join(any, sql` or `)})`
    },
    candidates({ album }, context) {
      if (album === null)
        return context.ownerId === null
          ? undefined
          : sql`${rowsNamedBy('images_by_views')} where list_owner_id = ${context.ownerId} and in_album = 0`
      const { ids, queries } = albumsOf(album, context)
      return queries.length > 0 || ids.length === 0
        ? undefined
        : sql`${rowsNamedBy('album_images')} where album_id in (${sql.join(ids)}) and ${isPlaceShown}`
    },
  },
  type: {
    condition: ({ formats }) => sql`images.format in (${sql.join(formats)})`,
    candidates: ({ formats }, { ownerId }) =>
      ownerId === null ? undefined : sql`${liveOf(ownerId)} and format in (${sql.join(formats)})`,
  },
  expires: compared(
    'expires_at',
    ({ comparison, ms }, { now }) => ({ comparison, value: now + ms }),
    // Those that never expire.
    keptExpiry,
  ),
  kept: {
    condition: (_, { isSqlite }) =>
      sql`${isSqlite ? withoutIndex('expires_at') : sql.ref('expires_at')} = ${keptExpiry}`,
    candidates: (_, { ownerId }) =>
      ownerId === null ? undefined : sql`${liveOf(ownerId)} and expires_at = ${keptExpiry}`,
  },
  viewed: {
    condition({ comparison, ms }, { now, isSqlite }) {
      const since = now - ms
      // The day of the time counts as after it: an image that may have been viewed in time was.
      const isViewed = sql`exists (select 1 from image_views
        where image_views.image_id = images.id and image_views.day >= ${Math.floor(since / dayMs)})`
      const createdAt = isSqlite ? withoutIndex('created_at') : sql.ref('created_at')
      return comparison.startsWith('<')
        ? sql`(${createdAt} >= ${since} or ${isViewed})`
        : sql`(${createdAt} < ${since} and not ${isViewed})`
    },
    // Views of before the upload do not exist.
    candidates: ({ comparison, ms }, { now, ownerId }) =>
      ownerId === null || comparison.startsWith('<') ? undefined : sql`${liveOf(ownerId)} and created_at < ${now - ms}`,
  },
  uploaded: compared('created_at', ({ side, at }, { now }) => ({
    comparison: side === 'before' ? '<' : '>=',
    value: 'utcMs' in at ? at.utcMs : now - at.agoMs,
  })),
  size: compared('bytes', ({ comparison, bytes }) => ({ comparison, value: bytes })),
  views: {
    condition: ({ comparison, views }) => sql`images.views ${signs[comparison]} ${views}`,
    candidates: ({ comparison, views }, { ownerId }) =>
      ownerId === null
        ? undefined
        : sql`${rowsNamedBy('images_by_views')}
            where list_owner_id = ${ownerId} and view_count ${signs[comparison]} ${views}`,
  },
  visibility: {
    condition: ({ visibility }) => sql`images.visibility = ${visibility}`,
    candidates: ({ visibility }, { ownerId }) =>
      ownerId === null || visibility === 'public' ? undefined : sql`${liveOf(ownerId)} and visibility = 'private'`,
  },
}

const albumsOf = (album: string, { albums }: TermContext): FoundAlbums => albums.get(album) ?? { ids: [], queries: [] }

/** As the indexes of lists have them: without images that were deleted and can be restored. */
const liveOf = (ownerId: string) =>
  sql`select rowid as number from images where owner_id = ${ownerId} and undo_until is null`

/**
 * A term that compares a column, which has an index for each owner.
 * @param below values from this one on are of no image that matches a term with `>`
 */
function compared<K extends Kind>(
  column: 'expires_at' | 'created_at' | 'bytes',
  read: (term: TermOf<K>, context: TermContext) => { comparison: Comparison; value: number },
  below = Infinity,
): TermSql<K> {
  const compare = (left: RawBuilder<number>, term: TermOf<K>, context: TermContext) => {
    const { comparison, value } = read(term, context)
    const bound = comparison.startsWith('>') && below < Infinity ? sql` and ${left} < ${below}` : sql``
    return sql<boolean>`(${left} ${signs[comparison]} ${value}${bound})`
  }
  return {
    condition: (term, context) =>
      compare(context.isSqlite ? withoutIndex(column) : sql<number>`${sql.ref(column)}`, term, context),
    candidates: (term, context) =>
      context.ownerId === null
        ? undefined
        : sql`${liveOf(context.ownerId)} and ${compare(sql<number>`${sql.ref(column)}`, term, context)}`,
  }
}

const signs: Record<Comparison, RawBuilder<unknown>> = { '<': sql`<`, '<=': sql`<=`, '>': sql`>`, '>=': sql`>=` }

/** The text of a search in the normal form of stored names (contract/plain/clean-name.ts). */
const toSearchTerm = (text: string): string => text.normalize('NFC')

/** Every three successive characters, as SQLite's tokenizer divides a text. NUL would end its query. */
function trigramsOf(text: string): string[] {
  const characters = Array.from(text.replaceAll('\0', ' '))
  return [...new Set(characters.slice(2).map((_, n) => characters.slice(n, n + 3).join('')))]
}

// The kind of a term decides about its type, which TypeScript does not follow through the table.
const sqlOf = (term: QueryTerm) => termSql[term.kind] as TermSql<Kind>

export function termCondition(term: QueryTerm, context: TermContext): RawBuilder<boolean> {
  const condition = sqlOf(term).condition(term, context)
  return term.isExcluded ? sql<boolean>`not (${condition})` : condition
}

/** Queries for the row numbers of images that may match, each by an index of SQLite. */
export const termCandidates = (terms: readonly QueryTerm[], context: TermContext): RawBuilder<unknown>[] =>
  terms.flatMap((term) => (term.isExcluded ? [] : (sqlOf(term).candidates?.(term, context) ?? [])))
