// Transfers albums of guests to a user, along with the images.
import type { Kysely } from 'kysely'
import type { Schema } from '../../db/schema.ts'
import type { Deps } from '../shared/deps.ts'
import { secretMatches } from '../shared/secrets.ts'
import { lockUser } from '../shared/transaction-locks.ts'
import { lockAlbums } from './album-order.ts'
import { countAlbums } from './albums.ts'
import type { Claim } from './guest-album.ts'

/**
 * Gives a user the albums whose token is sent, and those whose images are all theirs, with their links. Those beyond MAX_ALBUMS
 * stay a guest's, and so do their links: the images are claimed all the same. Links that come with an album may be more than
 * MAX_LINKS: they were given away already, and only new ones are refused.
 * @param deps.db a transaction
 * @param imageIds images that are the user's now
 */
export async function claimGuestAlbums(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  ownerId: string,
  { imageIds, albums }: { imageIds: readonly string[]; albums: readonly Claim[] },
): Promise<void> {
  const whole = imageIds.length === 0 ? [] : await albumsOfOwner(db, ownerId, imageIds)
  const found = [...new Set([...(await provenAlbums(db, albums)), ...whole])]
  if (found.length === 0) return
  await lockUser(db, ownerId)
  const room = Math.max(0, config.MAX_ALBUMS - (await countAlbums({ db }, ownerId)))
  const ids = found.slice(0, room)
  if (ids.length === 0) return
  await lockAlbums(db, ids)
  // An owner may show what is private in an album: others' images may become that later.
  await db
    .deleteFrom('album_images')
    .where('album_id', 'in', ids)
    .where('image_id', 'not in', db.selectFrom('images').select('id').where('owner_id', '=', ownerId))
    .execute()
  const owner = { owner_id: ownerId, guest_token_hash: null }
  await db.updateTable('album_images').set({ added_by: ownerId }).where('album_id', 'in', ids).execute()
  await db.updateTable('albums').set(owner).where('id', 'in', ids).where('owner_id', 'is', null).execute()
  await db.updateTable('links').set(owner).where('album_id', 'in', ids).where('owner_id', 'is', null).execute()
}

/** Those of guests with any of the images, in which no image is another's. */
async function albumsOfOwner(db: Kysely<Schema>, ownerId: string, imageIds: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('albums')
    .select('albums.id')
    .where('albums.owner_id', 'is', null)
    .where(
      'albums.id',
      'in',
      db
        .selectFrom('album_images')
        .select('album_id')
        .where('image_id', 'in', [...imageIds]),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('album_images')
            .innerJoin('images', 'images.id', 'album_images.image_id')
            .select('images.id')
            .whereRef('album_images.album_id', '=', 'albums.id')
            .where((image) =>
              image.or([image('images.owner_id', 'is', null), image('images.owner_id', '!=', ownerId)]),
            ),
        ),
      ),
    )
    .execute()
  return rows.map(({ id }) => id)
}

async function provenAlbums(db: Kysely<Schema>, claims: readonly Claim[]): Promise<string[]> {
  if (claims.length === 0) return []
  const rows = await db
    .selectFrom('albums')
    .select(['id', 'guest_token_hash'])
    .where(
      'id',
      'in',
      claims.map(({ id }) => id),
    )
    .where('owner_id', 'is', null)
    .execute()
  return rows
    .filter(({ id, guest_token_hash: hash }) =>
      claims.some((claim) => claim.id === id && hash !== null && secretMatches(claim.token, hash)),
    )
    .map(({ id }) => id)
}
