// Which image stands for a link in lists.
import { sql } from 'kysely'
import type { LinksTable } from '../../db/schema.ts'
import type { ImageRow } from '../images/image-row.ts'
import { placedImages, visibleImages } from '../images/sharing/link-targets.ts'
import type { UserCaller } from '../shared/caller.ts'
import type { Deps } from '../shared/deps.ts'

/** Of each link the chosen cover of its album, or else the first image; without those that only a visitor's key would open. */
export async function coversOf(
  deps: Deps,
  rows: LinksTable[],
  { caller, live }: { caller: UserCaller; live: ReadonlySet<string | null> },
): Promise<Map<string, ImageRow>> {
  const ids = new Map<string, string>()
  if (rows.length === 0) return new Map()
  for (const shows_private of [0, 1] as const) {
    const links = rows.filter((row) => row.shows_private === shows_private).map(({ id }) => id)
    if (links.length === 0) continue
    const named = visibleImages(deps, { album_id: null, shows_private: 1 })
      .innerJoin('link_images', 'link_images.image_id', 'images.id')
      .select('images.id')
      .where('link_images.link_id', '=', sql.ref<string>('links.id'))
      .orderBy('link_images.position')
      .limit(1)
    const placed = visibleImages(deps, { album_id: '', shows_private })
      .innerJoin('album_images', 'album_images.image_id', 'images.id')
      .select('images.id')
      .where('album_images.album_id', '=', sql.ref<string>('links.album_id'))
    const found = await deps.db
      .selectFrom('links')
      .leftJoin('albums', 'albums.id', 'links.album_id')
      .select('links.id')
      .select(named.as('named'))
      .select(placed.where('images.id', '=', sql.ref<string>('albums.cover_id')).as('chosen'))
      .select(placed.orderBy('album_images.position').orderBy('album_images.image_id').limit(1).as('first'))
      .where('links.id', 'in', links)
      .execute()
    for (const { id, named: one, chosen, first } of found) {
      const cover = one ?? chosen ?? first
      if (cover !== null) ids.set(id, cover)
    }
  }
  for (const row of rows) {
    const [newest] = live.has(row.album_id) ? await placedImages(deps, row, { albumId: row.album_id, limit: 1 }) : []
    if (newest) ids.set(row.id, newest.id)
  }
  const images = await deps.db
    .selectFrom('images')
    .selectAll()
    .where('id', 'in', [...new Set(ids.values()), ''])
    .where((image) => image.or([image('visibility', '=', 'public'), image('owner_id', '=', caller.account.id)]))
    .execute()
  const byId = new Map(images.map((image) => [image.id, image]))
  return new Map([...ids].flatMap(([link, image]) => (byId.has(image) ? [[link, byId.get(image) as ImageRow]] : [])))
}
