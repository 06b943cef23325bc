// The albums that the terms `album:...` of a query mean: by title in any case, or by id, with the albums inside them.
import { sql } from 'kysely'
import { parseImageQuery, type QueryTerm } from '../../../../contract/plain/image-query.ts'
import { withAlbumsInside } from '../../../db/nested-albums.ts'
import type { Deps } from '../../shared/deps.ts'

/** What an `album:` term finds: images of any of these albums, and those that any of these queries finds. */
export interface FoundAlbums {
  ids: readonly string[]
  /** Of live albums. They have no term `album:`, so that none can mean itself. */
  queries: readonly (readonly QueryTerm[])[]
}

/** By the text of the term. */
export type AlbumsOfTerms = ReadonlyMap<string, FoundAlbums>

/**
 * Finds them among the albums of a user and those that the user is a member of.
 * @param ownerId null: an admin lists everyone's images, where only ids mean an album
 */
export async function findAlbumsOfTerms(
  { db }: Pick<Deps, 'db'>,
  ownerId: string | null,
  terms: readonly QueryTerm[],
): Promise<AlbumsOfTerms> {
  const wanted = new Set(terms.flatMap((term) => (term.kind === 'album' && term.album !== null ? term.album : [])))
  const found = new Map<string, FoundAlbums>()
  for (const text of wanted) {
    const roots = ownerId === null ? [text] : await namedAlbums({ db }, ownerId, text)
    found.set(text, await foundIn({ db }, ownerId, roots))
  }
  return found
}

async function namedAlbums({ db }: Pick<Deps, 'db'>, ownerId: string, text: string): Promise<string[]> {
  const ofOthers = db
    .selectFrom('album_members')
    .select('album_id')
    .where('user_id', '=', ownerId)
    .where('accepted_at', 'is not', null)
  const albums = await db
    .selectFrom('albums')
    .select(['id', 'title'])
    .where((album) => album.or([album('owner_id', '=', ownerId), album('id', 'in', ofOthers)]))
    .execute()
  // Here and not in SQL: SQLite ignores the case of ASCII only.
  const title = text.toLowerCase()
  return albums.filter((album) => album.id === text || album.title.toLowerCase() === title).map(({ id }) => id)
}

/** In these albums and those inside them. The query of a live album finds images of its owner only. */
async function foundIn(
  { db }: Pick<Deps, 'db'>,
  ownerId: string | null,
  roots: readonly string[],
): Promise<FoundAlbums> {
  if (roots.length === 0) return { ids: [], queries: [] }
  const { rows } = await sql<{ id: string; owner_id: string | null; query: string | null }>`
    ${withAlbumsInside(sql.join(roots))}
    select distinct albums.id, owner_id, query from inside join albums on albums.id = inside.id`.execute(db)
  const stored = rows.filter(({ query }) => query === null).map(({ id }) => id)
  const live = rows.filter((album) => album.owner_id === ownerId).flatMap(({ query }) => query ?? [])
  return { ids: stored, queries: live.map((query) => parseImageQuery(query).terms) }
}
