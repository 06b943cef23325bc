// The older paths of variants, and the previews of owners and admins: each stands for a size and a format. The image
// engine (image-engine.ts) has one path for all of them; equal results are one file.
import { limits } from '../../../contract/plain/limits.ts'
import type { Deps } from '../shared/deps.ts'
import { findLiveImage, findModeratedImage } from '../images/image-row.ts'
import { findManaged, type OwnerRequest } from '../images/managed-image.ts'
import { findTrashedImage } from '../images/deletion/trash.ts'
import { fullAccess, viewableBy } from '../images/may-view.ts'
import type { UserCaller } from '../shared/caller.ts'
import type { ServedImage } from './served-image.ts'
import { assertNeedsNoSignature } from './signed-variants.ts'
import { thumbnailOf, type VariantRequest } from './variant-plan.ts'
import { variantOf, type Visitor } from './variants.ts'

const quality = limits.variant.defaultQuality
const inOwnFormat = { format: 'own', quality, keepsAnimation: true } as const

type Id = Visitor & { params: { id: string }; query: { key?: string | undefined } }
/** Who asks is known: no view key is needed. */
type OwnId = Omit<Id, 'query'>
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

/**
 * An image as admins look at it before they decide: also one that is quarantined, of a suspended
 * user, or in the trash of its owner. Never larger than their screen needs, and never the SVG itself.
 */
export async function previewImage(deps: Deps, { params, ...visitor }: OwnId): Promise<ServedImage> {
  return variantOf(deps, await findModeratedImage(deps, params.id), visitor, preview)
}

/** The image for its owner, which is not a view. @throws {Failure} as getImage; busy, too_many_requests */
export async function viewOwnImage(deps: Deps, request: OwnerRequest): Promise<ServedImage> {
  return variantOf(deps, await findManaged(deps, request), request, preview)
}

/** An image in the caller's trash. @throws {Failure} image_not_found; busy, too_many_requests */
export async function viewTrashedImage(
  deps: Deps,
  { caller, params, ...visitor }: OwnId & { caller: UserCaller },
): Promise<ServedImage> {
  const row = await findTrashedImage(deps, caller, params.id)
  return variantOf(deps, { ...row, ...fullAccess }, visitor, thumbnailOf(limits.variant.thumbnailPx))
}

const preview: VariantRequest = {
  format: 'webp',
  width: limits.variant.lightboxPx,
  fit: 'inside',
  quality,
  keepsAnimation: true,
}

/** @throws {Failure} image_gone, image_unavailable, image_not_found, signature_required, busy, too_many_requests */
async function variant(deps: Deps, { params, query, ...visitor }: Id, request: VariantRequest): Promise<ServedImage> {
  const row = await findLiveImage(deps, 'id', params.id, viewableBy(deps, query))
  assertNeedsNoSignature(deps, row, request)
  return variantOf(deps, row, visitor, request)
}
