// Albums of guests: images that were uploaded together, under one link. Its token adds images and deletes it.
import { generateNKeysBetween } from 'fractional-indexing'
import type { Kysely } from 'kysely'
import type { Input } from '../../../contract/endpoints/api.ts'
import type { GuestAlbum } from '../../../contract/endpoints/guest-albums.ts'
import { hourMs, limits } from '../../../contract/plain/limits.ts'
import type { Schema } from '../../db/schema.ts'
import { toImage } from '../images/image-row.ts'
import { removeImages } from '../images/deletion/remove-images.ts'
import { newLink } from '../images/sharing/new-link.ts'
import type { Deps, RequestContext, ResponseOrigins } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import { hashSecret, newId, newSecret, secretMatches } from '../shared/secrets.ts'
import { throttleAddress } from '../shared/throttle.ts'
import { shownImages } from './album-contents.ts'

const { guestAlbumsPerHour, maxGuestImages } = limits.albums

const emptyAlbum = { description: '', parent_id: null, cover_id: null, query: null, upload_visibility: null }

/** The id of an image or album of guests, and the token that proves whose it is. */
export interface Claim {
  id: string
  token: string
}

/** @throws {Failure} guest_uploads_off, too_many_requests, image_not_found, wrong_guest_token */
export async function createGuestAlbum(
  deps: Deps,
  { body, address, siteUrl }: RequestContext<unknown> & Pick<Input<'createGuestAlbum'>, 'body'>,
): Promise<GuestAlbum> {
  if (!deps.config.GUEST_UPLOADS) throw new Failure('guest_uploads_off')
  const uncount = await throttleAddress(deps, address, {
    key: 'guest-album',
    limit: guestAlbumsPerHour,
    windowMs: hourMs,
  })
  const album = { id: newId(deps), token: newSecret(deps) }
  const guest = { owner_id: null, guest_token_hash: hashSecret(album.token) }
  const link = newLink(deps, { ...guest, album_id: album.id })
  try {
    await deps.db.transaction().execute(async (db) => {
      const row = { ...emptyAlbum, ...guest, id: album.id, title: body.title ?? '', created_at: deps.now() }
      await db.insertInto('albums').values(row).execute()
      await appendImages({ ...deps, db }, album.id, body.images)
      await db.insertInto('links').values(link).execute()
    })
  } catch (error) {
    await uncount()
    throw error
  }
  return { ...album, url: `${siteUrl}/l/${link.slug}` }
}

/** @throws {Failure} album_not_found, image_not_found, wrong_guest_token, guest_album_full */
export async function addToGuestAlbum(deps: Deps, { params, body }: Pick<Input<'addToGuestAlbum'>, 'params' | 'body'>) {
  const images = await deps.db.transaction().execute(async (db) => {
    await findOwnAlbum(db, { id: params.id, token: body.token })
    return appendImages({ ...deps, db }, params.id, body.images)
  })
  return { success: true as const, images }
}

/** @throws {Failure} album_not_found */
export async function deleteGuestAlbum(
  deps: Deps,
  {
    params,
    body,
    query,
    address,
  }: RequestContext<unknown> & Pick<Input<'deleteGuestAlbum'>, 'params' | 'body' | 'query'>,
) {
  const images = await deps.db.transaction().execute(async (db) => {
    await findOwnAlbum(db, { id: params.id, token: body.token })
    const guests = await db
      .selectFrom('album_images')
      .innerJoin('images', 'images.id', 'album_images.image_id')
      .select('images.id')
      .where('album_id', '=', params.id)
      .where('images.owner_id', 'is', null)
      .where('images.quarantined_at', 'is', null)
      .execute()
    await db.deleteFrom('albums').where('id', '=', params.id).execute()
    return guests.map(({ id }) => id)
  })
  if (query.images !== 'delete' || images.length === 0) return { success: true as const, deleted_images: 0 }
  const by = { actor: { kind: 'guest' as const }, address, action: 'image_deleted' as const }
  const removed = await removeImages(deps, images, by)
  return { success: true as const, deleted_images: removed.images }
}

/** @throws {Failure} album_not_found */
export async function assertGuestAlbum({ db }: Pick<Deps, 'db'>, { id, token }: Claim) {
  const album = await db
    .selectFrom('albums')
    .selectAll()
    .where('id', '=', id)
    .where('owner_id', 'is', null)
    .executeTakeFirst()
  if (!album?.guest_token_hash || !secretMatches(token, album.guest_token_hash)) throw new Failure('album_not_found')
  return album
}

/** What its link shows, for who has its token. @throws {Failure} album_not_found */
export async function getGuestAlbum(deps: Deps, claim: Claim, origins: ResponseOrigins) {
  const { title, description, created_at: createdAt } = await assertGuestAlbum(deps, claim)
  const link = await deps.db
    .selectFrom('links')
    .select('slug')
    .where('album_id', '=', claim.id)
    .where('owner_id', 'is', null)
    .executeTakeFirst()
  const rows = await shownImages(deps, claim.id)
    .selectAll('images')
    .orderBy('position')
    .orderBy('image_id')
    .limit(maxGuestImages)
    .execute()
  return {
    title,
    description,
    created_at: new Date(createdAt).toISOString(),
    url: `${origins.siteUrl}/l/${link?.slug ?? ''}`,
    images: rows.map((row) => toImage(deps, row, origins)),
  }
}

/** One without images is given this time for its first one: clients of Imgur create it before they upload. */
const emptyMs = hourMs

/** An album of guests ends with its last image, and so does its link. @param now UTC milliseconds of a trusted clock */
export async function sweepGuestAlbums({ db }: Pick<Deps, 'db'>, now: number): Promise<void> {
  await db
    .deleteFrom('albums')
    .where('owner_id', 'is', null)
    .where('created_at', '<=', now - emptyMs)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('album_images').select('image_id').whereRef('album_images.album_id', '=', 'albums.id'))),
    )
    .execute()
}

/** Locks it until the transaction ends: two that add images see each other's. @throws {Failure} album_not_found */
async function findOwnAlbum(db: Kysely<Schema>, { id, token }: Claim): Promise<void> {
  // @NOTE A write, since SQLite knows no lock of a row, and waits for another process only when a transaction writes first.
  const album = await db
    .updateTable('albums')
    .set((row) => ({ created_at: row.ref('created_at') }))
    .where('id', '=', id)
    .where('owner_id', 'is', null)
    .returning('guest_token_hash')
    .executeTakeFirst()
  // The same for an album that does not exist, one of a user, and a wrong token.
  if (!album?.guest_token_hash || !secretMatches(token, album.guest_token_hash)) throw new Failure('album_not_found')
}

/**
 * @param deps.db a transaction
 * @returns how many images the album has now
 * @throws {Failure} image_not_found, wrong_guest_token, guest_album_full
 */
async function appendImages(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  albumId: string,
  claims: readonly Claim[],
): Promise<number> {
  await assertOwnImages({ db, now }, claims)
  const present = await db
    .selectFrom('album_images')
    .select(['image_id', 'position'])
    .where('album_id', '=', albumId)
    .orderBy('position')
    .execute()
  const known = new Set(present.map(({ image_id }) => image_id))
  const ids = [...new Set(claims.map(({ id }) => id))].filter((id) => !known.has(id))
  if (present.length + ids.length > maxGuestImages) throw new Failure('guest_album_full', { limit: maxGuestImages })
  const positions = generateNKeysBetween(present.at(-1)?.position, null, ids.length)
  const rows = ids.map((image_id, at) => ({
    album_id: albumId,
    image_id,
    position: positions[at] ?? '',
    added_by: null,
    added_at: now(),
  }))
  if (rows.length > 0) await db.insertInto('album_images').values(rows).execute()
  return present.length + rows.length
}

/** @throws {Failure} image_not_found, wrong_guest_token */
async function assertOwnImages({ db, now }: Pick<Deps, 'db' | 'now'>, claims: readonly Claim[]): Promise<void> {
  if (claims.length === 0) return
  const rows = await db
    .selectFrom('images')
    .select(['id', 'guest_token_hash'])
    .where(
      'id',
      'in',
      claims.map(({ id }) => id),
    )
    .where('owner_id', 'is', null)
    .where('quarantined_at', 'is', null)
    .where('expires_at', '>', now())
    .execute()
  const hashes = new Map(rows.map((row) => [row.id, row.guest_token_hash]))
  for (const { id, token } of claims) {
    const hash = hashes.get(id)
    if (hash === undefined) throw new Failure('image_not_found')
    if (hash === null || !secretMatches(token, hash)) throw new Failure('wrong_guest_token')
  }
}
