// Decodes the file of an upload, and refuses what is broken, too large or of another type.
import { join } from 'node:path'
import { formatsFor, listAccepted, type Uploader } from '../../../contract/plain/formats.ts'
import { ImageRefused, type Ingested, type IngestJob } from '../../imaging/pool/imaging.ts'
import { asFailure } from '../delivery/imaging-failure.ts'
import type { Deps } from '../shared/deps.ts'
import { assertDiskSpace } from '../shared/disk-space.ts'
import { Failure } from '../shared/failure.ts'
import type { UploadRequest } from './upload-request.ts'

interface DecodeRequest extends Pick<UploadRequest, 'caller' | 'address' | 'file'> {
  /** Whose formats it may have. */
  uploader: Uploader
}

export type Decoded = Omit<IngestJob, 'sourcePath' | 'allow'> & { image: Ingested }

/**
 * Decodes an upload and rewrites it into its folder, as the first half of storing it.
 * Callers ask the blocklist about the file before this, and about the rewritten bytes after it.
 * @throws {Failure} unsupported_type, broken_image, image_over_limit, busy, storage_full
 */
export async function decodeUpload(deps: Deps, { file, uploader, ...by }: DecodeRequest): Promise<Decoded> {
  // Something else may have filled the disk since the upload was admitted.
  await assertDiskSpace(deps.tempDir)
  const paths = {
    originalPath: join(file.folder, 'original'),
    thumbnailPath: join(file.folder, 'thumbnail'),
    listThumbnailPath: join(file.folder, 'list-thumbnail'),
    intermediatePath: join(file.folder, 'intermediate'),
  }
  const image = await ingest(deps, by, { ...paths, sourcePath: file.path, allow: formatsFor(uploader) })
  return { ...paths, image }
}

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
