// The album that an upload is added to: the one that it names, or that of its API key.
import type { Kysely } from 'kysely'
import type { Schema } from '../../db/schema.ts'
import type { Caller, UserCaller } from '../shared/caller.ts'
import type { Deps } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import { albumFor, type OpenAlbum } from './album-access.ts'
import { lockAlbum, placeImages } from './album-order.ts'

/**
 * Returns undefined where the upload is of no album. An API key whose album has been deleted goes on without it.
 * @param wanted its id as sent; empty: none
 * @throws {Failure} album_not_found, also for guests; album_role, album_is_live
 */
export async function chooseUploadAlbum(
  deps: Pick<Deps, 'db'>,
  caller: Caller,
  wanted: string | undefined,
): Promise<OpenAlbum | undefined> {
  const ofKey = albumOfKey(caller)
  if (caller.kind === 'guest') {
    if (wanted) throw new Failure('album_not_found')
    return undefined
  }
  if (ofKey !== null) {
    const album = await deps.db.selectFrom('albums').select('id').where('id', '=', ofKey).executeTakeFirst()
    return album && albumForUploads(deps, caller, ofKey)
  }
  return wanted ? albumForUploads(deps, caller, wanted) : undefined
}

/** @throws {Failure} album_not_found, album_role, album_is_live */
export async function albumForUploads(deps: Pick<Deps, 'db'>, caller: UserCaller, id: string): Promise<OpenAlbum> {
  const album = await albumFor(deps, caller, id, 'add')
  if (album.query !== null) throw new Failure('album_is_live')
  return album
}

const albumOfKey = (caller: Caller): string | null =>
  caller.kind === 'user' && 'apiKeyId' in caller.by ? caller.by.grant.albumId : null

/**
 * Adds a new image at the end of an album, whether it is quarantined or not.
 * @param transaction the one that stores the image
 * @returns whether it was added: not to a key's album that was deleted meanwhile
 * @throws {Failure} album_not_found: the upload named an album that was deleted meanwhile
 */
export async function addUpload(
  transaction: Kysely<Schema>,
  { albumId, imageId, caller, now }: { albumId: string; imageId: string; caller: Caller; now: number },
): Promise<boolean> {
  try {
    await lockAlbum(transaction, albumId)
  } catch (error) {
    if (error instanceof Failure && albumOfKey(caller) === albumId) return false
    throw error
  }
  const addedBy = caller.kind === 'user' ? caller.account.id : null
  await placeImages(transaction, { albumId, ids: [imageId], before: null, addedBy, now })
  return true
}
