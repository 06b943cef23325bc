// View keys that name a link or a membership: each request asks the database whether it still opens the image (docs/decisions/0070).
import { sql } from 'kysely'
import { withAlbumsAround, withAlbumsInside } from '../../../db/nested-albums.ts'
import type { LinksTable } from '../../../db/schema.ts'
import type { Deps } from '../../shared/deps.ts'
import { accessOf, isLinkOpen } from './link-state.ts'
import { isStillShared, liveImages, visibleImages } from './link-targets.ts'
import { isSameKey, noImage, signLinkKey, signMemberKey, type ViewKey } from './view-keys.ts'
import type { Access } from './access-type.ts'

type KeyDeps = Pick<Deps, 'jwtSecret' | 'now' | 'db' | 'config'>

/**
 * The link is looked up first, and the key is checked for an image that does not exist too: the time of a response must not tell
 * whether there is one.
 */
export async function accessByLink(
  deps: KeyDeps,
  row: { id: string } | undefined,
  key: ViewKey,
): Promise<Access | null> {
  const link = await findKeyedLink(deps, key)
  if (!link || key.endsAt <= deps.now() || !isLinkOpen(link, deps.now())) return null
  if (!isSameKey(key.text, signLinkKey(deps, row ?? noImage, link, key.endsAt)) || !row) return null
  if (!(await isShared(deps, link, row.id))) return null
  return accessOf(link)
}

/** @returns undefined: there is none, or its owner is suspended */
const findKeyedLink = ({ db }: KeyDeps, key: ViewKey): Promise<LinksTable | undefined> =>
  db
    .selectFrom('links')
    .selectAll()
    .where('id', '=', key.id)
    .where((link) =>
      link(
        link.selectFrom('users').select('users.status').whereRef('users.id', '=', 'links.owner_id'),
        'is distinct from',
        'Inactive',
      ),
    )
    .executeTakeFirst()

async function isShared(deps: KeyDeps, link: LinksTable, imageId: string): Promise<boolean> {
  const { id, album_id: albumId } = link
  const image = visibleImages(deps, link).select('images.id').where('images.id', '=', imageId)
  if (albumId === null) {
    const named = image.where((row) =>
      row.exists(
        row
          .selectFrom('link_images')
          .select(sql`1`.as('one'))
          .where('link_id', '=', id)
          .whereRef('image_id', '=', 'images.id'),
      ),
    )
    return (await named.executeTakeFirst()) !== undefined
  }
  if (!(await image.executeTakeFirst()) || !(await isInAlbum(deps, imageId, albumId))) return false
  return isStillShared(deps.db, link)
}

/** Whether an image is in an album, or in one inside it. */
async function isInAlbum(deps: KeyDeps, imageId: string, albumId: string): Promise<boolean> {
  const { db } = deps
  const { rows } = await sql<{ id: string }>`
    ${withAlbumsAround(sql`select album_id from album_images where image_id = ${imageId}`)}
    select id from around where id = ${albumId} limit 1`.execute(db)
  return rows.length > 0 || isInLiveAlbum(deps, imageId, albumId)
}

/** Whether the query of the album, or of one inside it, finds the image. */
async function isInLiveAlbum(deps: KeyDeps, imageId: string, albumId: string): Promise<boolean> {
  const { rows } = await sql<{ id: string; owner_id: string; query: string }>`
    ${withAlbumsInside(sql`${albumId}`)}
    select albums.id, owner_id, query from inside join albums on albums.id = inside.id
    where query is not null`.execute(deps.db)
  for (const live of rows) {
    const found = liveImages(deps, { album_id: live.id, shows_private: 1 }, live).select('images.id')
    if (await found.where('images.id', '=', imageId).executeTakeFirst()) return true
  }
  return false
}

/**
 * Of a member who has accepted, or of the owner of an album with images of members, while the account is active. Albums of a
 * suspended user have no members.
 */
export async function accessByMembership(
  deps: KeyDeps,
  row: { id: string } | undefined,
  key: ViewKey,
): Promise<Access | null> {
  const member = await deps.db
    .selectFrom('album_members')
    .innerJoin('users', 'users.id', 'album_members.user_id')
    .innerJoin('albums', 'albums.id', 'album_members.album_id')
    .innerJoin('users as owner', 'owner.id', 'albums.owner_id')
    .select(['album_members.id', 'album_id'])
    .where('album_members.id', '=', key.id)
    .where('accepted_at', 'is not', null)
    .where('users.status', '!=', 'Inactive')
    .where('owner.status', '!=', 'Inactive')
    .unionAll(
      deps.db
        .selectFrom('albums')
        .innerJoin('users', 'users.id', 'albums.owner_id')
        .select(['albums.id', 'albums.id as album_id'])
        .where('albums.id', '=', key.id)
        .where('users.status', '!=', 'Inactive'),
    )
    .executeTakeFirst()
  if (!member || key.endsAt <= deps.now()) return null
  if (!isSameKey(key.text, signMemberKey(deps, row ?? noImage, member.id, key.endsAt)) || !row) return null
  const image = visibleImages(deps, { album_id: member.album_id, shows_private: 1 })
  const found = await image.select('images.id').where('images.id', '=', row.id).executeTakeFirst()
  if (!found || !(await isInAlbum(deps, row.id, member.album_id))) return null
  return { named: { linkId: null, hasOriginal: true, canDownload: true, maxSizePx: null, watermark: '' } }
}
