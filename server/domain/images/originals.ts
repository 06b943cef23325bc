import type { Readable } from 'node:stream'
import { BlobMissing, type ByteRange } from '../../blobs/blob-store.ts'
import type { Deps } from '../deps.ts'
import { formats } from './formats.ts'
import { savedName } from './image-names.ts'
import { type ImageRow, findLiveImage } from './image-row.ts'
import type { PictureRequest, ServedPicture } from './served.ts'

/** An original as it is delivered: read only when its headers are not enough. */
export interface ServedOriginal extends ServedPicture {
  read(range?: ByteRange): Promise<Buffer | Readable>
}

/** @throws {Failure} image_gone, image_not_found */
export async function getOriginal(
  deps: Deps,
  { params, mayHold }: PictureRequest & { params: { file_name: string } },
): Promise<ServedOriginal> {
  const row = await findLiveImage(deps, 'file_name', params.file_name)
  return {
    mime: formats[row.format].mime,
    row,
    fileName: row.file_name,
    savedName: savedName(row.original_name, formats[row.format].extension),
    etag: row.sha256,
    size: row.bytes,
    async read(range) {
      try {
        return await deps.blobs.read(row.id, range, { wholeBytes: row.bytes, mayHold })
      } catch (error) {
        // Deleted between its row and its bytes: gone, as a moment later it would have been anyway.
        if (error instanceof BlobMissing) await findLiveImage(deps, 'id', row.id)
        throw error
      }
    },
    readAgain: deps.blobs.isOnDisk ? () => readAgain(deps, row) : undefined,
    onReused() {},
  }
}

async function readAgain({ blobs }: Deps, { id, bytes }: ImageRow): Promise<Buffer | null> {
  const found = await blobs.read(id, undefined, { wholeBytes: bytes })
  if (Buffer.isBuffer(found)) return found
  found.destroy()
  return null
}
