// One upload: idempotency key, decode and rewrite without metadata, durable store, row, response.
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import type { Input } from '../../../contract/endpoints/api.ts'
import type { UploadedImage } from '../../../contract/endpoints/images.ts'
import type { Visibility } from '../../../contract/plain/visibility.ts'
import { joinTags } from '../../db/image-tags.ts'
import type { Schema } from '../../db/schema.ts'
import { ImageRefused, type Ingested, type IngestJob } from '../../imaging/pool/imaging.ts'
import { hashAddress } from '../shared/addresses.ts'
import type { OpenAlbum } from '../albums/album-access.ts'
import { addToAlbum } from '../albums/album-images.ts'
import { findUploadAlbum } from '../albums/upload-album.ts'
import { recordingBlockRefusals } from '../moderation/block-refusals.ts'
import { assertBytesNotBlocked, assertFileNotBlocked } from '../moderation/blocked-images.ts'
import { type Caller, mayManage } from '../shared/caller.ts'
import type { Deps, RequestContext } from '../shared/deps.ts'
import { assertDiskSpace } from '../shared/disk-space.ts'
import { Failure } from '../shared/failure.ts'
import { hashSecret, newId, newSecret } from '../shared/secrets.ts'
import { formats, formatsFor, listAccepted, type Uploader } from '../../../contract/plain/formats.ts'
import { findIdempotentUpload, findStoredUpload, idempotencyOf } from './idempotency.ts'
import { asFailure } from '../delivery/imaging-failure.ts'
import { cacheFile } from '../delivery/cache-file.ts'
import { displayName, importedName, fileNameStem } from '../images/image-names.ts'
import { expiryColumns, type Lifetime, lifetimeOf, roleOf } from '../images/expiry/expiry-by-role.ts'
import type { ImageRow } from '../images/image-row.ts'
import { storeRow } from './store-row.ts'
import { toUploadedImage } from './upload-response.ts'
import { intermediateKey, listThumbnailKey, thumbnailKey } from '../delivery/variant-plan.ts'

/** A received file in its own temporary folder, which the creator removes. */
export interface ReceivedFile {
  folder: string
  path: string
  /** As sent by the client. */
  name: string
}

/** Of an image that was uploaded to another host. Users' formats are allowed for guests' images too. */
interface Imported {
  /** UTC milliseconds. */
  createdAt: number
  /** How often it was viewed elsewhere. */
  views: number
  /** Runs in the transaction that inserts the row. */
  record: (db: Kysely<Schema>, row: ImageRow) => Promise<void>
}

type UploadRequest = RequestContext<Caller> &
  Pick<Input<'uploadImage'>, 'body' | 'headers'> & {
    file: ReceivedFile
    /** The same bytes get the image that exists, for callers who may manage it. */
    reusesSameBytes?: boolean
    imported?: Imported
  }

interface DecodeRequest extends Pick<UploadRequest, 'caller' | 'address' | 'file'> {
  /** Whose formats it may have. */
  uploader: Uploader
  /** SHA-256 of the file where it is known. */
  contentHash?: string | undefined
}

type Decoded = Omit<IngestJob, 'sourcePath' | 'allow'> & { image: Ingested }

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
  const album = await findUploadAlbum(deps, caller, body.album)
  const visibility = visibilityOf(caller, body.visibility, album)
  const { image, ...paths } = await decodeUpload(deps, {
    caller,
    address,
    file,
    uploader: imported ? 'user' : caller.kind,
    contentHash: idempotency?.contentHash,
  })
  const same = await reuseSameBytes(deps, request, { sha256: image.sha256, lifetime, visibility })
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

/**
 * Decodes an upload and rewrites it into its folder, as the first half of storing it.
 * @throws {Failure} as uploadImage, of the file only
 */
export async function decodeUpload(
  deps: Deps,
  { file, uploader, contentHash, ...by }: DecodeRequest,
): Promise<Decoded> {
  await assertFileNotBlocked(deps, file.path, contentHash)
  // Something else may have filled the disk since the upload was admitted.
  await assertDiskSpace(deps.tempDir)
  const paths = {
    originalPath: join(file.folder, 'original'),
    thumbnailPath: join(file.folder, 'thumbnail'),
    listThumbnailPath: join(file.folder, 'list-thumbnail'),
    intermediatePath: join(file.folder, 'intermediate'),
  }
  const image = await ingest(deps, by, { ...paths, sourcePath: file.path, allow: formatsFor(uploader) })
  await assertBytesNotBlocked(deps, image.sha256)
  return { ...paths, image }
}

/** An optimization: the first views of the image find these files. */
async function cacheFirstViews(deps: Deps, row: ImageRow, { image, ...paths }: Decoded): Promise<void> {
  await cacheFile(deps, row, thumbnailKey(row), paths.thumbnailPath)
  if (listThumbnailKey(row) !== thumbnailKey(row))
    await cacheFile(deps, row, listThumbnailKey(row), paths.listThumbnailPath)
  if (image.intermediate) await cacheFile(deps, row, intermediateKey, paths.intermediatePath)
}

/**
 * Returns the caller's own available image of these bytes, which then lives at least so long
 * from now; undefined when there is none, or when the request wants a new one.
 */
async function reuseSameBytes(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  { reusesSameBytes, body, caller }: UploadRequest,
  { sha256, lifetime, visibility }: { sha256: string; lifetime: Lifetime; visibility: Visibility },
): Promise<ImageRow | undefined> {
  // The image that exists comes with its delete link and gets a later expiry: not by a key that may only upload.
  if (!reusesSameBytes || body.max_views !== undefined || caller.kind !== 'user' || !mayManage(caller)) return undefined
  const { account } = caller
  const found = await db
    .selectFrom('images')
    .selectAll()
    .where('owner_id', '=', account.id)
    .where('sha256', '=', sha256)
    .where('expires_at', '>', now())
    .where('quarantined_at', 'is', null)
    .where('views_left', 'is', null)
    // A public one would show what was to be private.
    .where('visibility', '=', visibility)
    .orderBy('expires_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  const columns = expiryColumns(now(), lifetime)
  if (!found || found.expires_at >= columns.expires_at) return found
  return db
    .updateTable('images')
    .set(columns)
    .where('id', '=', found.id)
    .where('expires_at', '>', now())
    .returningAll()
    .executeTakeFirst()
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

/** Tags are an account's: of a guest nobody could list them. @throws {Failure} tags_need_account */
export function assertMayHaveTags({ caller, body }: Pick<UploadRequest, 'caller' | 'body'>): void {
  if (caller.kind === 'guest' && body.tags !== undefined && body.tags.length > 0) throw new Failure('tags_need_account')
}

/** Guests have only what they share. @throws {Failure} private_needs_account */
export function visibilityOf(caller: Caller, wanted: Visibility | undefined, album: OpenAlbum | undefined): Visibility {
  if (caller.kind === 'user') {
    const { account, by } = caller
    const ofKey = 'apiKeyId' in by ? by.grant.uploadVisibility : null
    return wanted ?? (album && visibilityIn(album)) ?? ofKey ?? account.upload_visibility
  }
  if (wanted === 'private') throw new Failure('private_needs_account')
  return 'public'
}

/** The album of somebody else makes no image public that its owner would have private. */
const visibilityIn = ({ role, upload_visibility: visibility }: OpenAlbum): Visibility | null =>
  role === 'owner' || visibility === 'private' ? visibility : null

async function ingest(
  deps: Deps,
  { caller, address }: Pick<UploadRequest, 'caller' | 'address'>,
  job: IngestJob,
): Promise<Ingested> {
  try {
    return await deps.imaging.ingest(job, deps.imaging.jobContext(caller.kind === 'user' ? caller.account.id : address))
  } catch (error) {
    if (!(error instanceof ImageRefused)) throw asFailure(error)
    const options = { cause: error }
    if (error.reason === 'broken') throw new Failure('broken_image', { problem: error.message }, options)
    if (error.reason === 'over_limit') throw new Failure('image_over_limit', { problem: error.message }, options)
    throw new Failure('unsupported_type', { types: listAccepted(caller.kind) }, options)
  }
}

interface NewImage {
  image: Ingested
  resembles: string | null
  lifetime: Lifetime
  /** Of a guest's. */
  deleteToken: string | undefined
  visibility: Visibility
}

function newRow(
  deps: Deps,
  { caller, address, file, body, imported }: UploadRequest,
  { image, resembles, lifetime, deleteToken, visibility }: NewImage,
): ImageRow {
  const id = newId(deps)
  const now = deps.now()
  const hasAddress = !imported && deps.config.ADDRESS_RETENTION_DAYS > 0
  const [extension] = formats[image.format].extensions
  const originalName = displayName(imported ? importedName(file.name, extension) : file.name)
  return {
    id,
    file_name: `${fileNameStem(originalName)}-${id}.${extension}`,
    original_name: originalName,
    owner_id: caller.kind === 'user' ? caller.account.id : null,
    guest_token_hash: deleteToken === undefined ? null : hashSecret(deleteToken),
    format: image.format,
    width: image.widthPx,
    height: image.heightPx,
    frames: image.frames,
    has_alpha: image.hasAlpha ? 1 : 0,
    bytes: image.bytes,
    sha256: image.sha256,
    placeholder: image.placeholder,
    created_at: imported?.createdAt ?? now,
    ...expiryColumns(now, lifetime),
    undo_until: null,
    undo_expires_at: null,
    quarantined_at: resembles === null ? null : now,
    former_owner_id: null,
    address_hash: hasAddress ? hashAddress(deps, address) : null,
    phash: image.phashes[0] ?? null,
    phash_quality: image.phashQuality,
    resembles,
    blur: image.blur,
    title: body.title ?? '',
    alt: body.alt ?? '',
    slug: null,
    tags: joinTags(body.tags ?? []),
    views_left: body.max_views ?? null,
    views: imported?.views ?? 0,
    visibility,
    view_key_version: 0,
  }
}
