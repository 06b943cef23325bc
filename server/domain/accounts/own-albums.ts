// Albums, memberships and links in the archive of a user's data.
import type { AlbumsTable, LinksTable } from '../../db/schema.ts'
import type { Account } from '../shared/caller.ts'
import type { Deps } from '../shared/deps.ts'

type Database = Pick<Deps, 'db'>

/** Own albums, with the ids of their images in order: those of others too, which `added_by_you` tells apart. */
export async function* albumsOf({ db }: Database, { id }: Pick<Account, 'id'>) {
  const own = db.selectFrom('albums').selectAll().where('owner_id', '=', id).orderBy('created_at').orderBy('id')
  for (const album of await own.execute()) {
    const images = await db
      .selectFrom('album_images')
      .select(['image_id', 'added_by', 'added_at'])
      .where('album_id', '=', album.id)
      .orderBy('position')
      .orderBy('image_id')
      .execute()
    yield {
      ...fieldsOfAlbum(album),
      members: await membersOf({ db }, album.id),
      images: images.map((image) => ({
        id: image.image_id,
        added_by_you: image.added_by === id,
        added_at: toIso(image.added_at),
      })),
    }
  }
}

const fieldsOfAlbum = (album: AlbumsTable) => ({
  id: album.id,
  title: album.title,
  description: album.description,
  parent_id: album.parent_id,
  cover_id: album.cover_id,
  query: album.query,
  upload_visibility: album.upload_visibility,
  created_at: toIso(album.created_at),
})

/** Whom the owner invited, as the owner named them. */
async function membersOf({ db }: Database, albumId: string): Promise<object[]> {
  const rows = await db
    .selectFrom('album_members')
    .select(['email', 'role', 'created_at', 'accepted_at'])
    .where('album_id', '=', albumId)
    .orderBy('created_at')
    .execute()
  return rows.map((row) => ({ email: row.email, role: row.role, ...timesOf(row) }))
}

const timesOf = ({
  created_at: created,
  accepted_at: accepted,
}: {
  created_at: number
  accepted_at: number | null
}) => ({
  created_at: toIso(created),
  accepted_at: isoOrNull(accepted),
})

/** Albums of others that the user is a member of. */
export async function membershipsOf({ db }: Database, { id }: Account): Promise<object[]> {
  const rows = await db
    .selectFrom('album_members')
    .innerJoin('albums', 'albums.id', 'album_members.album_id')
    .select(['album_id', 'title', 'email', 'role', 'album_members.created_at', 'accepted_at'])
    .where('user_id', '=', id)
    .orderBy('album_members.created_at')
    .execute()
  return rows.map((row) => ({
    album_id: row.album_id,
    title: row.title,
    email: row.email,
    role: row.role,
    ...timesOf(row),
  }))
}

/** Without the hashes of passwords. */
export async function* linksOf({ db }: Database, { id }: Pick<Account, 'id'>) {
  const own = db.selectFrom('links').selectAll().where('owner_id', '=', id).orderBy('created_at').orderBy('id')
  for (const link of await own.execute()) {
    const images = db.selectFrom('link_images').select('image_id').where('link_id', '=', link.id).orderBy('position')
    yield { ...fieldsOfLink(link), images: (await images.execute()).map((row) => row.image_id) }
  }
}

const fieldsOfLink = (link: LinksTable) => ({
  id: link.id,
  slug: link.slug,
  album_id: link.album_id,
  name: link.name,
  note: link.note,
  shows_private: link.shows_private === 1,
  has_password: link.password_hash !== null,
  starts_at: isoOrNull(link.starts_at),
  ends_at: isoOrNull(link.ends_at),
  views_left: link.views_left,
  can_download: link.can_download === 1,
  max_size: link.max_size,
  watermark: link.watermark,
  views: link.views,
  last_viewed_at: isoOrNull(link.last_viewed_at),
  created_at: toIso(link.created_at),
  revoked_at: isoOrNull(link.revoked_at),
})

const toIso = (at: number) => new Date(at).toISOString()
const isoOrNull = (at: number | null) => (at === null ? null : toIso(at))
