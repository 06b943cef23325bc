// One upload: idempotency key, decode and rewrite without metadata, durable store, row, response.
import type { UploadedImage } from '../../../contract/endpoints/images.ts'
import { addToAlbum } from '../albums/change-album-images.ts'
import { chooseUploadAlbum } from '../albums/album-of-upload.ts'
import { putInVariantCache } from '../delivery/put-in-variant-cache.ts'
import { intermediateKey, listThumbnailKey, thumbnailKey } from '../delivery/variant-plan.ts'
import { lifetimeOf, roleOf } from '../images/expiry/expiry-by-role.ts'
import type { ImageRow } from '../images/image-row.ts'
import { recordingBlockRefusals } from '../moderation/block-refusals.ts'
import { assertBytesNotBlocked, assertFileNotBlocked } from '../moderation/blocked-images.ts'
import type { Deps } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import { newSecret } from '../shared/secrets.ts'
import { type Decoded, decodeUpload } from './decode-upload.ts'
import { findIdempotentUpload, findStoredUpload, idempotencyOf } from './idempotency.ts'
import { assertMayHaveTags, newRow, visibilityOf } from './new-image.ts'
import { reuseSameBytes } from './reuse-same-bytes.ts'
import { storeRow } from './store-row.ts'
import type { UploadRequest } from './upload-request.ts'
import { toUploadedImage } from './upload-response.ts'

/**
 * Stores an uploaded image. When it resolves, bytes and row survive a power loss; when it fails,
 * nothing remains.
 * @throws {Failure} unsupported_type, broken_image, image_over_limit, image_blocked, invalid_input:
 * expires_in; album_not_found, album_role, album_is_live; keep_not_allowed, busy, storage_full, idempotency_key_reused, quota_exceeded, guest_quota_full,
 * total_quota_full, api_key_quota
 */
export const uploadImage = (deps: Deps, request: UploadRequest): Promise<UploadedImage> =>
  recordingBlockRefusals(deps, request, () => storeUpload(deps, request))

async function storeUpload(deps: Deps, request: UploadRequest): Promise<UploadedImage> {
  const { caller, address, file, body, imported } = request
  const idempotency = await idempotencyOf(deps, request)
  const before = idempotency && (await findIdempotentUpload(deps, idempotency))
  const respond = (row: ImageRow, token: string | undefined, isDuplicate = false) =>
    toUploadedImage(deps, row, request, { deleteToken: token, isDuplicate })
  if (before) return respond(before, idempotency.deleteToken)

  assertMayHaveTags(request)
  const lifetime = lifetimeOf(deps.config, roleOf(caller), body.expires_in)
  const album = await chooseUploadAlbum(deps, caller, body.album)
  // As the request says, else as the album, the API key or the account does.
  const visibility = visibilityOf(caller, body.visibility, album)
  await assertFileNotBlocked(deps, file.path, idempotency?.contentHash)
  const uploader = imported ? 'user' : caller.kind
  const { image, ...paths } = await decodeUpload(deps, { caller, address, file, uploader })
  await assertBytesNotBlocked(deps, image.sha256)
  const same = request.reusesSameBytes
    ? await reuseSameBytes(deps, request, { sha256: image.sha256, lifetime, visibility })
    : undefined
  if (same && album && caller.kind === 'user')
    await addToAlbum(deps, { caller, params: { id: album.id }, body: { ids: [same.id] } })
  if (same) return respond(same, undefined, true)
  const resembles = await deps.similarImages.find(deps.db, image.phashes, image.phashQuality)
  const deleteToken = caller.kind === 'guest' ? (idempotency?.deleteToken ?? newSecret(deps)) : undefined
  const row = newRow(deps, request, { image, resembles, lifetime, deleteToken, visibility })

  await deps.blobs.put(row.id, paths.originalPath)
  const [stored, isDuplicate] = await storeRow(deps, row, {
    idempotency,
    caller,
    albumId: album?.id,
    record: imported?.record,
  })
  if (stored === row) await cacheFirstViews(deps, row, { image, ...paths })
  if (stored.resembles !== null) deps.log.info({ image: stored.id, resembles }, 'upload quarantined')
  return respond(stored, deleteToken, isDuplicate)
}

/** An optimization: the first views of the image find these files. */
async function cacheFirstViews(deps: Deps, row: ImageRow, { image, ...paths }: Decoded): Promise<void> {
  await putInVariantCache(deps, row, thumbnailKey(row), paths.thumbnailPath)
  if (listThumbnailKey(row) !== thumbnailKey(row))
    await putInVariantCache(deps, row, listThumbnailKey(row), paths.listThumbnailPath)
  if (image.intermediate) await putInVariantCache(deps, row, intermediateKey, paths.intermediatePath)
}

/** Responds once more to an upload that stored its image. @throws {Failure} image_gone */
export async function repeatResponse(
  deps: Deps,
  request: Omit<UploadRequest, 'file' | 'body'>,
): Promise<UploadedImage> {
  const stored = await findStoredUpload(deps, request, request.headers['idempotency-key'] ?? '')
  if (!stored) throw new Failure('image_gone')
  return toUploadedImage(deps, stored.row, request, { deleteToken: stored.deleteToken, isDuplicate: false })
}
