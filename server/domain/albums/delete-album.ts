// Deletes an album, with its images or without.
import { setImmediate } from 'node:timers/promises'
import type { Input } from '../../../contract/endpoints/api.ts'
import { audit } from '../audit/audit.ts'
import { softDeleteImage } from '../images/deletion/delete-image.ts'
import type { RequestOrigin, UserCaller } from '../shared/caller.ts'
import type { Deps } from '../shared/deps.ts'
import { retryWhenDiskFull } from '../shared/retry-when-disk-full.ts'
import { lockUser } from '../shared/transaction-locks.ts'
import { albumFor, type OpenAlbum } from './album-access.ts'
import { emptyAlbum } from './empty-album.ts'

/**
 * First its images, so that the same request completes what a crash leaves.
 * @throws {Failure} album_not_found, album_role
 */
export async function deleteAlbum(
  deps: Deps,
  { caller, address, params, query }: RequestOrigin<UserCaller> & Pick<Input<'deleteAlbum'>, 'params' | 'query'>,
) {
  const album = await albumFor(deps, caller, params.id, 'owner')
  const deletedImages = query.images === 'delete' ? await deleteImagesOf(deps, { caller, address }, album) : 0
  // Most rows go before the album, whose removal takes the others with it in one statement. A full disk is no reason to fail.
  await retryWhenDiskFull(deps, () => emptyAlbum(deps.db, album.id))
  await retryWhenDiskFull(deps, () => removeAlbum(deps, { caller, address }, album, deletedImages))
  return { success: true as const, deleted_images: deletedImages }
}

/** Images that are read at once. */
const batchSize = 200

/** Those of the owner go to the trash, one after another as in requests. The owner cannot delete what members have added. */
async function deleteImagesOf(deps: Deps, request: RequestOrigin<UserCaller>, album: OpenAlbum): Promise<number> {
  const by = deps.config.TRASH_DAYS > 0 ? 'toTrash' : 'byOwner'
  let deleted = 0
  for (let last = ''; ;) {
    const own = await deps.db
      .selectFrom('album_images')
      .innerJoin('images', 'images.id', 'album_images.image_id')
      .select('image_id')
      .where('album_id', '=', album.id)
      .where('image_id', '>', last)
      .where('images.owner_id', '=', request.caller.account.id)
      .where('images.quarantined_at', 'is', null)
      .orderBy('image_id')
      .limit(batchSize)
      .execute()
    for (const { image_id: id } of own)
      if (await retryWhenDiskFull(deps, () => softDeleteImage(deps, id, { ...request, by }))) deleted += 1
    last = own.at(-1)?.image_id ?? last
    if (own.length < batchSize) return deleted
    await setImmediate()
  }
}

/** Albums inside it move to where it was. Links to it and its members go with it. */
const removeAlbum = (
  deps: Deps,
  { caller, address }: RequestOrigin<UserCaller>,
  { id, title, owner_id: ownerId }: OpenAlbum,
  images: number,
) =>
  deps.db.transaction().execute(async (transaction) => {
    await lockUser(transaction, ownerId ?? '')
    const parent = transaction.selectFrom('albums').select('parent_id').where('id', '=', id)
    const { parent_id: parentId = null } = (await parent.executeTakeFirst()) ?? {}
    await transaction.updateTable('albums').set({ parent_id: parentId }).where('parent_id', '=', id).execute()
    await transaction.updateTable('api_keys').set({ album_id: null }).where('album_id', '=', id).execute()
    const { numDeletedRows } = await transaction.deleteFrom('albums').where('id', '=', id).executeTakeFirst()
    if (numDeletedRows === 0n) return
    const entry = { target: { id, label: title }, details: { images } }
    await audit({ ...deps, db: transaction }, { actor: caller, address, action: 'album_deleted', ...entry })
  })
