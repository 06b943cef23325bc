// Variants of an image, rendered at the first request and cached. The paths here are aliases of the engine
// (image-engine.ts): equal results are one file.
import { BlobMissing } from '../../blobs/blob-store.ts'
import type { CachedFile } from '../../blobs/cached-file.ts'
import { limits } from '../../../contract/plain/limits.ts'
import type { Deps } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import { outputFormats } from '../../../contract/plain/formats.ts'
import { getOrRender, type Visitor } from './render-variant.ts'
import { savedName } from '../images/image-names.ts'
import { type ImageRow, findLiveImage, findUnexpiredImage } from '../images/image-row.ts'
import { findManaged, type OwnerRequest } from '../images/manage-image.ts'
import type { ServedImage } from './served-image.ts'
import { withPixels } from './render-source.ts'
import { assertSigned } from './signed-variants.ts'
import { planVariant, thumbnailOf, type VariantPlan, type VariantRequest } from './variant-plan.ts'

const quality = limits.variant.defaultQuality
const inOwnFormat = { format: 'own', quality, keepsAnimation: true } as const

type Id = Visitor & { params: { id: string } }
type Width = Id & { params: { width: number } }

/** isUnlimited: the budget of RENDER_LIMIT does not apply. */
type LimitedRequest = VariantRequest & { isUnlimited?: boolean }

/** A list shows hundreds of these in a minute. */
const unlimitedPx: readonly number[] = [limits.variant.thumbnailPx, limits.variant.listThumbnailPx]

export function getThumbnail(deps: Deps, request: Width) {
  const { width } = request.params
  return variant(deps, request, { ...thumbnailOf(width), isUnlimited: unlimitedPx.includes(width) })
}

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

/**
 * An image as admins look at it before they decide: also one that is quarantined or of a suspended
 * user. Never larger than their screen needs, and never the SVG itself.
 */
export async function previewImage(deps: Deps, { params, ...visitor }: Id): Promise<ServedImage> {
  return variantOf(deps, await findUnexpiredImage(deps, 'id', params.id), visitor, preview)
}

/** The image for its owner, which is not a view. @throws {Failure} as getImage; busy, too_many_requests */
export async function viewOwnImage(deps: Deps, request: OwnerRequest): Promise<ServedImage> {
  return variantOf(deps, await findManaged(deps, request), request, preview)
}

const preview: VariantRequest = {
  format: 'webp',
  width: limits.variant.lightboxPx,
  fit: 'inside',
  quality,
  keepsAnimation: true,
}

/** @throws {Failure} image_gone, image_unavailable, image_not_found, signature_required, busy, too_many_requests */
async function variant(deps: Deps, { params, ...visitor }: Id, request: LimitedRequest): Promise<ServedImage> {
  const row = await findLiveImage(deps, 'id', params.id)
  assertSigned(deps, row, request)
  return variantOf(deps, row, visitor, request)
}

/**
 * Renders the variant unless it is cached.
 * @throws {Failure} image_gone, busy, too_many_requests
 */
export async function variantOf(
  deps: Deps,
  row: ImageRow,
  visitor: Visitor,
  { isUnlimited = false, ...request }: LimitedRequest,
): Promise<ServedImage> {
  const plan = planVariant(row, request)
  const { key, job, mayUseIntermediate } = plan
  const file = await getOrRender(deps, row, {
    key,
    visitor,
    isUnlimited,
    render: (outPath, context) =>
      withPixels(deps, row, { mayUseIntermediate, context }, (sourcePath) =>
        deps.imaging.render({ ...job, sourcePath, outPath }, context),
      ),
  })
  return servedVariant(deps, row, plan, file)
}

/** @returns null when the variant is not cached */
export async function cachedVariantOf(deps: Deps, row: ImageRow, request: VariantRequest): Promise<ServedImage | null> {
  const plan = planVariant(row, request)
  const file = await deps.variants.find(row.id, plan.key)
  return file && servedVariant(deps, row, plan, file)
}

function servedVariant(deps: Deps, row: ImageRow, { key, format }: VariantPlan, file: CachedFile): ServedImage {
  const {
    mime,
    extensions: [extension],
  } = outputFormats[format]
  return {
    row,
    mime,
    fileName: row.file_name.replace(/\.\w+$/, `.${extension}`),
    savedName: savedName(row.original_name, extension),
    etag: file.sha256.slice(0, 27),
    size: file.size,
    kind: 'variant',
    isOnDisk: file.isOnDisk,
    read: () => file.read().catch((error: unknown) => throwEvictedAsBusy(deps, row, error)),
    open: (pieceBytes) => file.open(pieceBytes).catch((error: unknown) => throwEvictedAsBusy(deps, row, error)),
    touch: () => deps.variants.touch(row.id, key),
  }
}

/** Whether a variant was evicted between its lookup and its read: the next lookup renders it again. */
export const wasEvicted = (error: unknown): boolean =>
  error instanceof Failure && error.code === 'busy' && error.cause instanceof BlobMissing

/** @throws {Failure} image_gone, busy, for which `wasEvicted` is true */
async function throwEvictedAsBusy(deps: Deps, { id }: ImageRow, error: unknown): Promise<never> {
  if (!(error instanceof BlobMissing)) throw error
  await findUnexpiredImage(deps, 'id', id)
  throw new Failure('busy', {}, { cause: error })
}
