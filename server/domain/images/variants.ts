// Variants of an image, made when they are first asked for and kept. What each looks like is a row of the table.
import type { Readable } from 'node:stream'
import type { MayHold } from '../../blobs/blob-store.ts'
import { limits } from '../../../contract/limits.ts'
import type { Deps } from '../deps.ts'
import { Failure } from '../failure.ts'
import { formats } from './formats.ts'
import { madeOnce } from './made-once.ts'
import { savedName } from './image-names.ts'
import { type ImageRow, findLiveImage } from './image-row.ts'
import type { PictureRequest, ServedPicture } from './served.ts'
import { withPixels } from './sources.ts'
import { planVariant, type VariantPlan, type VariantRequest } from './variant-plan.ts'

/** The name under which the thumbnail made at the upload is found by the requests for it. */
export const thumbnailKey = (row: ImageRow) => planVariant(row, thumbnail(limits.variant.thumbnailPx)).key

/** A variant as it is delivered. */
export interface ServedImage extends ServedPicture {
  body: Buffer | Readable
}

const quality = limits.variant.defaultQuality
const inOwnFormat = { format: 'own', quality, keepsAnimation: true } as const

type Id = PictureRequest & { address: string; params: { id: string } }
type Width = Id & { params: { width: number } }

export const getThumbnail = (deps: Deps, request: Width) => variant(deps, request, thumbnail(request.params.width))

export const getResized = (deps: Deps, request: Width) =>
  variant(deps, request, { ...inOwnFormat, width: request.params.width, fit: 'inside' })

export const getResizedToBox = (
  deps: Deps,
  request: Width & { params: { height: number }; query: { fit?: VariantRequest['fit'] | undefined } },
) =>
  variant(deps, request, {
    ...inOwnFormat,
    width: request.params.width,
    height: request.params.height,
    fit: request.query.fit ?? 'cover',
  })

export const getJpeg = (deps: Deps, request: Width) =>
  variant(deps, request, {
    format: 'jpeg',
    width: request.params.width,
    fit: 'inside',
    quality,
    keepsAnimation: false,
  })

export const getWebp = (
  deps: Deps,
  request: Id & { params: { quality: number }; query: { width?: number | undefined } },
) =>
  variant(deps, request, {
    format: 'webp',
    ...(request.query.width === undefined ? {} : { width: request.query.width }),
    fit: 'inside',
    quality: request.params.quality,
    keepsAnimation: true,
  })

function thumbnail(sidePx: number): VariantRequest {
  return {
    format: 'webp',
    width: sidePx,
    height: sidePx,
    fit: 'inside',
    quality,
    keepsAnimation: false,
  }
}

/** @throws {Failure} image_gone, image_not_found, busy, too_many_requests */
async function variant(deps: Deps, { address, params, mayHold }: Id, request: VariantRequest): Promise<ServedImage> {
  const row = await findLiveImage(deps, 'id', params.id)
  const plan = planVariant(row, request)
  const { sha256, ...found } = await bodyOf(deps, { address, row, plan }, mayHold)
  const { mime, extension } = formats[plan.format]
  return {
    mime,
    row,
    fileName: row.file_name.replace(/\.\w+$/, `.${extension}`),
    savedName: savedName(row.original_name, extension),
    etag: sha256.slice(0, 27),
    ...found,
    async readAgain() {
      const kept = await deps.variants.read(row.id, plan.key)
      return kept?.sha256 === sha256 ? kept.bytes : null
    },
    onReused: () => deps.variants.reused(row.id, plan.key),
  }
}

interface Making {
  address: string
  row: ImageRow
  plan: VariantPlan
}

/** In memory when there is room for it, else as a stream. @throws {Failure} image_gone, busy, too_many_requests */
async function bodyOf(deps: Deps, { address, row, plan }: Making, mayHold: MayHold) {
  const knownBytes = deps.variants.sizeOf(row.id, plan.key)
  const isHeld = knownBytes !== undefined && mayHold(knownBytes)
  const known = knownBytes === undefined || isHeld ? null : await deps.variants.stream(row.id, plan.key)
  if (known) return known
  const { bytes, sha256 } = await madeOnce(deps, row, {
    key: plan.key,
    address,
    make: (outPath) => {
      const order = deps.imaging.orderFor(address)
      return withPixels(deps, row, { mayUseIntermediate: plan.mayUseIntermediate, order }, (sourcePath) =>
        deps.imaging.render({ ...plan.job, sourcePath, outPath }, order),
      )
    },
  })
  if (isHeld || mayHold(bytes.length)) return { body: bytes, size: bytes.length, sha256 }
  const made = await deps.variants.stream(row.id, plan.key)
  // Given up again in this moment, or larger than the whole cache.
  if (!made) throw new Failure('busy')
  return made
}
