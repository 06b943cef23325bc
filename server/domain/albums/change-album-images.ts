// Changes which images an album has: adds, moves and removes them.
import type { Kysely } from 'kysely'
import type { Input } from '../../../contract/endpoints/api.ts'
import type { Schema } from '../../db/schema.ts'
import { isListed } from '../images/lists/image-list-filters.ts'
import type { UserCaller } from '../shared/caller.ts'
import type { Deps } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import { albumFor, type OpenAlbum, changesOnlyOwn, type RoleInAlbum } from './album-access.ts'
import { lockAlbum, placeImages, positionsAt, writePositions } from './album-order.ts'

type Change<N extends 'addToAlbum' | 'moveInAlbum' | 'removeFromAlbum'> = { caller: UserCaller } & Pick<
  Input<N>,
  'params' | 'body'
>

/** @throws {Failure} album_not_found, album_role, album_is_live; image_not_found: `before` is not in the album */
export async function addToAlbum(deps: Deps, { caller, params, body: { ids, before = null } }: Change<'addToAlbum'>) {
  const added = await changeImages(deps, { caller, id: params.id, needed: 'add' }, (db, album) =>
    addImages({ ...deps, db }, { caller, albumId: album.id, ids, before }),
  )
  return { success: true as const, added }
}

/**
 * @param deps.db a transaction that holds the lock of the album
 * @returns those of the caller's images that were not in it
 */
export async function addImages(
  deps: Deps,
  {
    caller,
    albumId,
    ids,
    before = null,
  }: { caller: UserCaller; albumId: string; ids: readonly string[]; before?: string | null },
): Promise<string[]> {
  const { db } = deps
  const own = await db
    .selectFrom('images')
    .select('id')
    .where('id', 'in', ids)
    .where('owner_id', '=', caller.account.id)
    .where(isListed(deps, {}, caller.account.id))
    .execute()
  const isOwn = new Set(own.map(({ id }) => id))
  const isIn = await placedOf(db, albumId, ids)
  const added = [...new Set(ids)].filter((id) => isOwn.has(id) && !isIn.has(id))
  if (added.length === 0) return []
  await placeImages(db, { albumId, ids: added, before, addedBy: caller.account.id, now: deps.now() })
  return added
}

/**
 * With the role "add" only what the caller has added, so that several uploads can keep the order in which they were given.
 * @throws {Failure} as addToAlbum; invalid_input: an image is to be before itself
 */
export async function moveInAlbum(deps: Deps, { caller, params, body: { ids, before = null } }: Change<'moveInAlbum'>) {
  if (before !== null && ids.includes(before))
    throw new Failure('invalid_input', { field: 'before', problem: 'is one of the images that move' })
  await changeImages(deps, { caller, id: params.id, needed: 'add' }, async (db, album) => {
    const albumId = album.id
    const isIn = await placedOf(db, albumId, ids)
    const moved = [...new Set(ids)].filter((id) => isIn.has(id))
    if (moved.length === 0) return
    if (changesOnlyOwn(album) && !(await hasAddedAll(db, albumId, moved, caller.account.id)))
      throw new Failure('album_role')
    await writePositions(db, albumId, await positionsAt(db, { albumId, ids: moved, before }))
  })
  return { success: true as const }
}

/**
 * Gives an album these images of the caller alone, in this order, in one transaction.
 * @throws {Failure} album_not_found, album_role, album_is_live; image_not_found: one is not the caller's, nor in the album
 */
export async function setAlbumImages(deps: Deps, { caller, params, body: { ids } }: Change<'addToAlbum'>) {
  await changeImages(deps, { caller, id: params.id, needed: 'manage' }, async (db, { id: albumId }) => {
    await addImages({ ...deps, db }, { caller, albumId, ids })
    const isIn = await placedOf(db, albumId, ids)
    if (ids.some((id) => !isIn.has(id))) throw new Failure('image_not_found')
    await db.deleteFrom('album_images').where('album_id', '=', albumId).where('image_id', 'not in', ids).execute()
    await writePositions(db, albumId, await positionsAt(db, { albumId, ids, before: null }))
  })
}

/** @throws {Failure} album_not_found, album_role, album_is_live */
export async function removeFromAlbum(deps: Deps, { caller, params, body: { ids } }: Change<'removeFromAlbum'>) {
  const removed = await changeImages(deps, { caller, id: params.id, needed: 'add' }, (db, album) =>
    db
      .deleteFrom('album_images')
      .where('album_id', '=', album.id)
      .where('image_id', 'in', ids)
      .$if(changesOnlyOwn(album), (rows) => rows.where('added_by', '=', caller.account.id))
      .returning('image_id')
      .execute(),
  )
  return { success: true as const, removed: removed.map(({ image_id: id }) => id) }
}

/** Changes the images of an album in a transaction that no other change of them overlaps. */
function changeImages<T>(
  deps: Deps,
  { caller, id, needed }: { caller: UserCaller; id: string; needed: RoleInAlbum },
  change: (db: Kysely<Schema>, album: OpenAlbum) => Promise<T>,
): Promise<T> {
  return deps.db.transaction().execute(async (db) => {
    await lockAlbum(db, id)
    const album = await albumFor({ db }, caller, id, needed)
    if (album.query !== null) throw new Failure('album_is_live')
    return change(db, album)
  })
}

async function placedOf(db: Kysely<Schema>, albumId: string, ids: readonly string[]): Promise<Set<string>> {
  const placed = await db
    .selectFrom('album_images')
    .select('image_id')
    .where('album_id', '=', albumId)
    .where('image_id', 'in', ids)
    .execute()
  return new Set(placed.map(({ image_id: id }) => id))
}

async function hasAddedAll(
  db: Kysely<Schema>,
  albumId: string,
  ids: readonly string[],
  accountId: string,
): Promise<boolean> {
  const others = await db
    .selectFrom('album_images')
    .select('image_id')
    .where('album_id', '=', albumId)
    .where('image_id', 'in', ids)
    .where(({ eb, or }) => or([eb('added_by', 'is', null), eb('added_by', '!=', accountId)]))
    .limit(1)
    .executeTakeFirst()
  return others === undefined
}
