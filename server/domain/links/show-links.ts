// Links as the API shows them to their owners.
import { sql } from 'kysely'
import type { Link } from '../../../contract/endpoints/links.ts'
import { limits } from '../../../contract/plain/limits.ts'
import { linkPath } from '../../../contract/plain/page-paths.ts'
import type { LinksTable } from '../../db/schema.ts'
import type { Deps, ResponseOrigins } from '../shared/deps.ts'
import { toImage } from '../images/image-row.ts'
import type { UserCaller } from '../shared/caller.ts'
import { countImages } from './link-albums.ts'
import { coversOf } from './link-covers.ts'
import { stateOf } from './link-states.ts'
import { linkFields } from '../images/sharing/link-state.ts'
import { isStillShared, visibleImages } from '../images/sharing/link-targets.ts'
import { isPlaceShown } from '../images/lists/query-terms-as-sql.ts'

/** In the same order. */
export async function toLinks(
  deps: Deps,
  rows: LinksTable[],
  { caller, ...origins }: ResponseOrigins & { caller: UserCaller },
): Promise<Link[]> {
  const shared = await stillShared(deps.db, rows)
  const live = await liveAlbumsOf(deps, shared)
  const [counts, named, titles, covers] = await Promise.all([
    countsOf(deps, shared, live),
    namedBy(deps, rows),
    titlesOf(deps, shared),
    coversOf(deps, shared, { caller, live }),
  ])
  const coverOf = (row: LinksTable) => {
    const cover = covers.get(row.id)
    return cover ? toImage(deps, cover, { baseUrl: origins.baseUrl, siteUrl: origins.siteUrl }) : null
  }
  return rows.map((row) => ({
    ...linkFields(row),
    url: origins.siteUrl + linkPath.replace('{slug}', row.slug),
    title: titles.get(row.id) ?? '',
    images: counts.get(row.id) ?? 0,
    named_images: named.get(row.id) ?? 0,
    cover: coverOf(row),
    state: stateOf(row, shared.includes(row), deps.now()),
  }))
}

/** Without links to albums that their makers do not manage any more: nobody opens them, and these see nothing of the album. */
async function stillShared(db: Deps['db'], rows: LinksTable[]): Promise<LinksTable[]> {
  const albums = rows.flatMap(({ album_id: album }) => album ?? [])
  if (albums.length === 0) return rows
  const found = await db.selectFrom('albums').select(['id', 'owner_id']).where('id', 'in', albums).execute()
  const owners = new Map(found.map(({ id, owner_id: owner }) => [id, owner]))
  const ofOwnAlbum = (row: LinksTable) => row.album_id === null || owners.get(row.album_id) === row.owner_id
  const kept = await Promise.all(rows.map(async (row) => ofOwnAlbum(row) || (await isStillShared(db, row))))
  return rows.filter((_, at) => kept[at])
}

/** The ids of the albums among them that are live. */
async function liveAlbumsOf({ db }: Pick<Deps, 'db'>, rows: LinksTable[]): Promise<ReadonlySet<string | null>> {
  const albums = rows.flatMap(({ album_id: album }) => album ?? [])
  if (albums.length === 0) return new Set()
  const query = db.selectFrom('albums').select('id').where('id', 'in', albums).where('query', 'is not', null)
  return new Set((await query.execute()).map(({ id }) => id))
}

const { maxCounted } = limits.list

/**
 * How many images visitors see, by link. Links to one album are counted together. Where visitors see more than are counted, it
 * is the number of images in the album.
 */
async function countsOf(
  deps: Pick<Deps, 'db' | 'now' | 'config'>,
  rows: LinksTable[],
  live: ReadonlySet<string | null>,
): Promise<Map<string, number>> {
  const named = rows.filter(({ album_id: album }) => album === null)
  const counts = new Map<string, number>()
  for (const row of rows) if (live.has(row.album_id)) counts.set(row.id, await countImages(deps, row, row.album_id))
  for (const shows_private of [0, 1] as const) {
    const ofAlbums = rows.filter((row) => row.album_id !== null && row.shows_private === shows_private)
    const ids = [...new Set(ofAlbums.flatMap(({ album_id: album }) => album ?? []))]
    if (ids.length === 0) continue
    // Of a large album not all are counted: those of a hundred thousand took a second.
    const some = visibleImages(deps, { album_id: '', shows_private })
      .innerJoin('album_images', 'album_images.image_id', 'images.id')
      .select(sql`1`.as('one'))
      .where('album_images.album_id', '=', sql.ref<string>('albums.id'))
      .where(isPlaceShown)
      .limit(maxCounted + 1)
    const found = await deps.db
      .selectFrom('albums')
      .leftJoin('album_counts', 'album_counts.album_id', 'albums.id')
      .select(['albums.id as album', 'album_counts.images as all'])
      .select(sql<number>`(select count(*) from ${some} as limited)`.as('counted'))
      .where('albums.id', 'in', ids)
      .execute()
    const byAlbum = new Map(
      found.map(({ album, all, counted }) => [
        album,
        Number(counted) > maxCounted ? Math.max(Number(all), Number(counted)) : Number(counted),
      ]),
    )
    for (const { id, album_id: album } of ofAlbums) if (!counts.has(id)) counts.set(id, byAlbum.get(album ?? '') ?? 0)
  }
  if (named.length === 0) return counts
  const found = await visibleImages(deps, { album_id: null, shows_private: 1 })
    .innerJoin('link_images', 'link_images.image_id', 'images.id')
    .select(({ fn }) => ['link_images.link_id as link', fn.countAll<number>().as('count')])
    .where(
      'link_images.link_id',
      'in',
      named.map(({ id }) => id),
    )
    .groupBy('link_images.link_id')
    .execute()
  for (const { link, count } of found) counts.set(link, count)
  return counts
}

/** How many images each link names. In the trash or hidden, they are still the link's. */
async function namedBy({ db }: Pick<Deps, 'db'>, rows: LinksTable[]): Promise<Map<string, number>> {
  if (rows.length === 0) return new Map()
  const found = await db
    .selectFrom('link_images')
    .select(({ fn }) => ['link_id', fn.countAll<number>().as('count')])
    .where(
      'link_id',
      'in',
      rows.map(({ id }) => id),
    )
    .groupBy('link_id')
    .execute()
  return new Map(found.map(({ link_id: id, count }) => [id, Number(count)]))
}

/** Of the album, or of the first image. */
async function titlesOf({ db }: Pick<Deps, 'db'>, rows: LinksTable[]): Promise<Map<string, string>> {
  if (rows.length === 0) return new Map()
  const found = await db
    .selectFrom('links')
    .leftJoin('albums', 'albums.id', 'links.album_id')
    .select(['links.id', 'albums.title'])
    .select((link) =>
      link
        .selectFrom('link_images')
        .innerJoin('images', 'images.id', 'link_images.image_id')
        .select(({ fn, ref, val }) =>
          fn.coalesce(fn('nullif', [ref('images.title'), val('')]), 'original_name').as('name'),
        )
        .whereRef('link_images.link_id', '=', 'links.id')
        .orderBy('link_images.position')
        .limit(1)
        .as('image'),
    )
    .where(
      'links.id',
      'in',
      rows.map(({ id }) => id),
    )
    .execute()
  return new Map(found.map(({ id, title, image }) => [id, title ?? (image as string | null) ?? '']))
}
