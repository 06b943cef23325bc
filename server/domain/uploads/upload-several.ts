// Several images in one upload: when one cannot be stored, those before it are deleted.
import { stat } from 'node:fs/promises'
import type { UploadedImage } from '../../../contract/endpoints/images.ts'
import type { Caller, RequestOrigin } from '../shared/caller.ts'
import type { Deps, ResponseOrigins } from '../shared/deps.ts'
import { assertKeyNotUsedUp } from './key-limits.ts'
import { addToGuestAlbum, assertGuestAlbum } from '../albums/guest-album.ts'
import { removeImages } from '../images/deletion/remove-images.ts'
import { uploadImage } from './upload-one.ts'
import type { ReceivedFile } from './upload-request.ts'

interface ImagesUpload extends RequestOrigin<Caller>, ResponseOrigins {
  /** At least one. */
  files: ReceivedFile[]
  /** undefined: as long as possible. */
  lifetimeMs: number | undefined
  /** undefined: no limit. */
  maxViews: number | undefined
  tags: string[] | undefined
  /** Its id. */
  album?: string | undefined
  /** One of guests, with its token. */
  guestAlbum?: { id: string; token: string } | undefined
  reusesSameBytes: boolean
}

/**
 * Without {@link ImagesUpload.reusesSameBytes} for several files.
 * @throws {Failure} like uploadImage, for the first file that cannot be stored; api_key_quota, album_not_found and
 * guest_album_full: for all of them
 */
export async function uploadImages(
  deps: Deps,
  { files, lifetimeMs, maxViews, tags, album, guestAlbum, ...upload }: ImagesUpload,
): Promise<[UploadedImage, ...UploadedImage[]]> {
  if (files.length > 1) await assertWithinKeyLimits(upload.caller, files)
  if (guestAlbum) await assertGuestAlbum(deps, guestAlbum)
  const stored: UploadedImage[] = []
  try {
    for (const file of files)
      stored.push(
        await uploadImage(deps, {
          ...upload,
          file,
          body: { expires_in: lifetimeMs, max_views: maxViews, tags, album },
          headers: {},
        }),
      )
    if (guestAlbum) {
      const images = stored.map(({ id, delete_token: token = '' }) => ({ id, token }))
      await addToGuestAlbum(deps, { params: guestAlbum, body: { token: guestAlbum.token, images } })
    }
    return stored as [UploadedImage, ...UploadedImage[]]
  } catch (error) {
    const ids = stored.map(({ id }) => id)
    const { caller: actor, address } = upload
    if (ids.length > 0) await removeImages(deps, ids, { actor, address, action: 'image_deleted' })
    throw error
  }
}

/** Before the first of them is stored. Each is counted exactly when it is stored. @throws {Failure} api_key_quota */
async function assertWithinKeyLimits(caller: Caller, files: ReceivedFile[]): Promise<void> {
  if (caller.kind === 'guest' || !('apiKeyId' in caller.by)) return
  const sizes = await Promise.all(files.map(async ({ path }) => (await stat(path)).size))
  assertKeyNotUsedUp(
    caller.by,
    sizes.reduce((sum, size) => sum + size, 0),
  )
}
