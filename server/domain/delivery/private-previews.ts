// Previews for who is known and may see more than visitors: owners, also of their trash, and admins.
import { limits } from '../../../contract/plain/limits.ts'
import { findTrashedImage } from '../images/deletion/trash.ts'
import { findModeratedImage } from '../images/find-image.ts'
import { findManaged, type OwnerRequest } from '../images/managed-image.ts'
import { fullAccess } from '../images/may-view.ts'
import type { UserCaller } from '../shared/caller.ts'
import type { Deps } from '../shared/deps.ts'
import type { ServedImage } from './served-image.ts'
import { planViewed, thumbnailOf, type VariantRequest } from './variant-plan.ts'
import { getOrRenderVariant } from './variants.ts'
import type { Visitor } from './render-variant.ts'

type Known = Visitor & { params: { id: string } }

/**
 * An image as admins look at it before they decide: also one that is quarantined, of a suspended
 * user, or in the trash of its owner. Never larger than their screen needs, and never the SVG itself.
 * @throws {Failure} image_not_found, image_gone; busy, too_many_requests, decoder_unavailable
 */
export async function previewImage(deps: Deps, { params, ...visitor }: Known): Promise<ServedImage> {
  const row = await findModeratedImage(deps, params.id)
  return getOrRenderVariant(deps, row, visitor, planViewed(row, preview))
}

/** The image for its owner, which is not a view. @throws {Failure} as getImage; busy, too_many_requests */
export async function viewOwnImage(deps: Deps, request: OwnerRequest): Promise<ServedImage> {
  const row = await findManaged(deps, request)
  return getOrRenderVariant(deps, row, request, planViewed(row, preview))
}

/** An image in the caller's trash. @throws {Failure} image_not_found; busy, too_many_requests */
export async function viewTrashedImage(
  deps: Deps,
  { caller, params, ...visitor }: Known & { caller: UserCaller },
): Promise<ServedImage> {
  const row = { ...(await findTrashedImage(deps, caller, params.id)), ...fullAccess }
  return getOrRenderVariant(deps, row, visitor, planViewed(row, thumbnailOf(limits.variant.thumbnailPx)))
}

const preview: VariantRequest = {
  format: 'webp',
  width: limits.variant.lightboxPx,
  fit: 'inside',
  quality: limits.variant.defaultQuality,
  keepsAnimation: true,
}
