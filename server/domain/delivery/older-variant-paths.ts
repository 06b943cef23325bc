// The older paths of variants: each stands for a size and a format. The image engine (image-engine.ts) has one path for all of
// them; equal results are one file.
import { limits } from '../../../contract/plain/limits.ts'
import type { Deps } from '../shared/deps.ts'
import { findLiveImage } from '../images/find-image.ts'
import { viewableBy } from '../images/may-view.ts'
import type { ServedImage } from './served-image.ts'
import { assertNeedsNoSignature } from './signed-variants.ts'
import { planViewed, thumbnailOf, type VariantRequest } from './variant-plan.ts'
import { getOrRenderVariant } from './variants.ts'
import type { Visitor } from './render-variant.ts'

const quality = limits.variant.defaultQuality
const inOwnFormat = { format: 'own', quality, keepsAnimation: true } as const

type Id = Visitor & { params: { id: string }; query: { key?: string | undefined } }
type Width = Id & { params: { width: number } }

/** A list shows hundreds of these in a minute. */
const unlimitedPx: readonly number[] = [limits.variant.thumbnailPx, limits.variant.listThumbnailPx]

export function getThumbnail(deps: Deps, request: Width) {
  const { width } = request.params
  return variant(deps, { ...request, isUnlimited: unlimitedPx.includes(width) }, thumbnailOf(width))
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

/** @throws {Failure} image_gone, image_unavailable, image_not_found, signature_required, busy, too_many_requests */
async function variant(deps: Deps, { params, query, ...visitor }: Id, request: VariantRequest): Promise<ServedImage> {
  const row = await findLiveImage(deps, 'id', params.id, viewableBy(deps, query))
  assertNeedsNoSignature(deps, row, request)
  return getOrRenderVariant(deps, row, visitor, planViewed(row, request))
}
