// The way in: decoded once, rewritten without its metadata, on disk for good, then the row, then the reply.
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { dayMs, limits } from '../../../contract/limits.ts'
import type { UploadedImage } from '../../../contract/images.ts'
import { ImageRefused, ImagingBusy, type Ingested } from '../../imaging/imaging.ts'
import type { Caller } from '../caller.ts'
import type { Deps, RequestContext } from '../deps.ts'
import { Failure } from '../failure.ts'
import { hashSecret, newId, newSecret } from '../secrets.ts'
import { formats, formatsFor, mimesFor } from './formats.ts'
import { displayName, slug } from './names.ts'
import { type ImageRow, toImage } from './record.ts'
import { intermediateKey, thumbnailKey } from './variants.ts'

/** A file that has arrived in a temporary folder of its own. Whoever made the folder removes it. */
export interface ReceivedFile {
  folder: string
  path: string
  /** As the client sent it. */
  name: string
}

/** What this caller's upload may be. @throws {Failure} guest_uploads_off */
export function uploadRules(deps: Deps, caller: Caller) {
  if (caller.kind === 'guest' && !deps.config.GUEST_UPLOADS) throw new Failure('guest_uploads_off')
  return { ...limits[caller.kind], allow: formatsFor(caller.kind) }
}

/**
 * Stores an uploaded picture. When it resolves, bytes and row survive a power cut; when it fails, nothing is left.
 * @throws {Failure} unsupported_type, broken_image, image_over_limit, busy, storage_full
 */
export async function uploadImage(
  deps: Deps,
  { caller, baseUrl, file }: RequestContext<Caller> & { file: ReceivedFile },
): Promise<UploadedImage> {
  const rules = uploadRules(deps, caller)
  await refuseWhenFull(deps)
  const paths = {
    originalPath: join(file.folder, 'original'),
    thumbnailPath: join(file.folder, 'thumbnail'),
    intermediatePath: join(file.folder, 'intermediate'),
  }
  const picture = await ingest(deps, caller, { ...paths, sourcePath: file.path, allow: rules.allow })
  const deleteToken = caller.kind === 'guest' ? newSecret(deps) : undefined
  const row = newRow(deps, { caller, picture, name: file.name, keptDays: rules.keptDays, deleteToken })

  await Promise.all([
    deps.blobs.put(row.id, paths.originalPath),
    deps.variants.put(row.id, thumbnailKey(row), paths.thumbnailPath),
    picture.intermediate && deps.variants.put(row.id, intermediateKey, paths.intermediatePath),
  ])
  await insertRow(deps, row)
  return { ...toImage(row, baseUrl), ...(deleteToken === undefined ? {} : { delete_token: deleteToken }) }
}

async function ingest(deps: Deps, caller: Caller, job: Parameters<Deps['imaging']['ingest']>[0]): Promise<Ingested> {
  try {
    return await deps.imaging.ingest(job)
  } catch (error) {
    if (error instanceof ImagingBusy) throw new Failure('busy', {}, { cause: error, retryAfterS: 2 })
    if (!(error instanceof ImageRefused)) throw error
    const options = { cause: error }
    if (error.reason === 'broken') throw new Failure('broken_image', { problem: error.message }, options)
    if (error.reason === 'over_limit') throw new Failure('image_over_limit', { problem: error.message }, options)
    throw new Failure('unsupported_type', { types: mimesFor(caller.kind).join(', ') }, options)
  }
}

function newRow(
  deps: Deps,
  given: { caller: Caller; picture: Ingested; name: string; keptDays: number; deleteToken: string | undefined },
): ImageRow {
  const { caller, picture, deleteToken } = given
  const id = newId(deps)
  const now = deps.now()
  const originalName = displayName(given.name)
  return {
    id,
    file_name: `${slug(originalName)}-${id}.${formats[picture.format].extension}`,
    original_name: originalName,
    owner_id: caller.kind === 'user' ? caller.account.id : null,
    guest_token_hash: deleteToken === undefined ? null : hashSecret(deleteToken),
    format: picture.format,
    width: picture.widthPx,
    height: picture.heightPx,
    frames: picture.frames,
    has_alpha: picture.hasAlpha ? 1 : 0,
    bytes: picture.bytes,
    sha256: picture.sha256,
    placeholder: picture.placeholder,
    created_at: now,
    expires_at: now + given.keptDays * dayMs,
  }
}

/** A row that cannot be written takes its bytes with it; what a crash leaves between the two, the sweep finds. */
async function insertRow(deps: Deps, row: ImageRow): Promise<void> {
  try {
    await deps.db.insertInto('images').values(row).execute()
  } catch (error) {
    await Promise.allSettled([deps.blobs.delete(row.id), deps.variants.deleteImage(row.id)])
    throw error
  }
}

/** Uploads stop before the disk is full, so that the database and deletions go on: at 5 % or 1 GiB, whichever is less. */
async function refuseWhenFull(deps: Deps): Promise<void> {
  const disk = await statfs(deps.tempDir)
  const reserveBytes = Math.min(disk.blocks * disk.bsize * 0.05, 1024 ** 3)
  if (disk.bavail * disk.bsize < reserveBytes) throw new Failure('storage_full')
}
