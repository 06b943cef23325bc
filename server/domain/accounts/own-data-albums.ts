// Albums, memberships and links in the archive of a user's data.
import type { AlbumsTable } from '../../db/schema.ts'
import { linkFields } from '../images/sharing/link-state.ts'
import type { Account } from '../shared/caller.ts'
import type { Deps } from '../shared/deps.ts'
import { isoTime, isoTimeOrNull } from '../shared/iso-time.ts'

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
        added_at: isoTime(image.added_at),
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
  created_at: isoTime(album.created_at),
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
  created_at: isoTime(created),
  accepted_at: isoTimeOrNull(accepted),
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
    const { revoked_at: revokedAt } = link
    const ids = (await images.execute()).map((row) => row.image_id)
    yield { ...linkFields(link), revoked_at: isoTimeOrNull(revokedAt), images: ids }
  }
}
