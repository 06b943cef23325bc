import { buffer } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { BlobMissing, type ByteRange, type ReadOptions } from '../../blobs/blob-store.ts'
import { limits } from '../../../contract/plain/limits.ts'
import type { Deps } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import { formats } from '../../../contract/plain/formats.ts'
import { savedName } from '../images/image-names.ts'
import type { ViewedImage } from '../images/image-row.ts'
import { findLiveImage, findUnexpiredImage } from '../images/find-image.ts'
import { findManaged, type OwnerRequest } from '../images/managed-image.ts'
import { type Access, everyone, type MayView, viewableBy } from '../images/may-view.ts'
import type { ServedImage } from './served-image.ts'
import { planViewed } from './variant-plan.ts'
import { getOrRenderVariant } from './variants.ts'
import type { Visitor } from './render-variant.ts'

/**
 * @param params.file_name with or without its extension, which ksnip omits
 * @throws {Failure} image_gone, image_unavailable, image_not_found; through a link also busy, too_many_requests,
 * decoder_unavailable
 */
export async function getOriginal(
  deps: Deps,
  { params, query, ...visitor }: Visitor & { params: { file_name: string }; query: { key?: string | undefined } },
): Promise<ServedImage> {
  const row = await findByFileName(deps, params.file_name, viewableBy(deps, query))
  // The file as the link allows it.
  return givesOriginal(row) || !row.named?.canDownload
    ? originalOf(deps, row)
    : getOrRenderVariant(deps, row, visitor, planViewed(row, atFullSize))
}

const atFullSize = {
  format: 'own',
  fit: 'inside',
  quality: limits.variant.defaultQuality,
  keepsAnimation: true,
} as const

/** Whether whoever views it gets the file as it was uploaded. */
export const givesOriginal = ({ named }: Access): boolean => named?.hasOriginal ?? true

/** The original for its owner, which is not a view. @throws {Failure} as getImage */
export async function getOwnOriginal(deps: Deps, request: OwnerRequest): Promise<ServedImage> {
  return originalOf(deps, await findManaged(deps, request))
}

/** @throws {Failure} image_not_found: it is viewed through a link without originals */
export function originalOf(deps: Deps, row: ViewedImage): ServedImage {
  if (!givesOriginal(row)) throw new Failure('image_not_found')
  const read = async (range?: ByteRange, options?: ReadOptions) => {
    try {
      return await deps.blobs.read(row.id, range, { wholeBytes: row.bytes, ...options })
    } catch (error) {
      // The image was deleted after the row was read: respond 410, as to a later request.
      if (error instanceof BlobMissing) await findUnexpiredImage(deps, 'id', row.id, everyone)
      throw error
    }
  }
  return {
    row,
    mime: formats[row.format].mime,
    fileName: row.file_name,
    savedName: savedName(row.original_name, formats[row.format].extensions[0]),
    etag: row.sha256,
    size: row.bytes,
    kind: 'original',
    isOnDisk: deps.blobs.isOnDisk,
    path: deps.blobs.pathOf?.(row.id),
    async read(range) {
      const bytes = await read(range)
      return Buffer.isBuffer(bytes) ? bytes : buffer(bytes)
    },
    async open(pieceBytes, range) {
      const bytes = await read(range, { pieceBytes })
      return Buffer.isBuffer(bytes) ? Readable.from([bytes]) : bytes
    },
  }
}

async function findByFileName(deps: Deps, name: string, mayView: MayView): Promise<ViewedImage> {
  if (name.includes('.')) return findLiveImage(deps, 'file_name', name, mayView)
  const row = await findLiveImage(deps, 'id', originalId(name), mayView)
  if (!row.file_name.startsWith(`${name}.`)) throw new Failure('image_not_found')
  return row
}

/** The id in the name of an original's URL, with or without its extension. */
export const originalId = (fileName: string): string => fileName.replace(/\.\w+$/, '').slice(-22)
