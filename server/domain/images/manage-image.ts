// What an owner does with an image: delete it, bring it back, extend it.
import type { Image } from '../../../contract/images.ts'
import { dayMs, limits } from '../../../contract/limits.ts'
import { actsAsAdmin, type Caller } from '../caller.ts'
import type { Deps, RequestContext } from '../deps.ts'
import { Failure } from '../failure.ts'
import { secretMatches } from '../secrets.ts'
import { type ImageRow, findLiveImage, findStoredImage, toImage } from './image-row.ts'
import { removeImages } from './remove-images.ts'
import { retryAfterEviction } from './retry-after-eviction.ts'
import { softDeleteImage, undoSoftDelete } from './soft-delete.ts'

/** @throws {Failure} as deleteImage */
export async function getImage(deps: Deps, request: OwnerRequest): Promise<Image> {
  const row = await findLiveImage(deps, 'id', request.params.id)
  authorize(request, row)
  return toImage(row, request.baseUrl)
}

/** @throws {Failure} image_gone, image_not_found, and whoever it is not for: see {@link authorize} */
export async function deleteImage(deps: Deps, request: OwnerRequest & { query: { undo?: '1' | undefined } }) {
  const row = await findLiveImage(deps, 'id', request.params.id)
  authorize(request, row)
  if (request.query.undo === undefined) await removeImages(deps, [row.id])
  // As in removeImages, a full disk is no reason to fail. False: another call was faster.
  else if (
    !(await retryAfterEviction(deps, () => softDeleteImage(deps, row.id, owns(request, row) ? 'byOwner' : 'byAdmin')))
  )
    throw new Failure('image_gone')
  return { success: true as const }
}

/**
 * An image that is there, such as one that the first of two calls brought back, is answered as it is. What an admin has deleted
 * of somebody else's only admins bring back: for its owner it is gone. @throws {Failure} as deleteImage
 */
export async function restoreImage(deps: Deps, request: OwnerRequest): Promise<Image> {
  const found = await findStoredImage(deps, 'id', request.params.id)
  const isLiving = found.expires_at > deps.now()
  // Who asks for one whose time has passed is told so, as everywhere, whoever it is.
  if (!isLiving && found.undo_until === null) throw new Failure('image_gone')
  authorize(request, found)
  const row = isLiving ? found : await undoSoftDelete(deps, found.id, actsAsAdmin(request.caller))
  if (!row) return toImage(await findLiveImage(deps, 'id', found.id), request.baseUrl)
  return toImage(row, request.baseUrl)
}

/** One year from now, whatever was left. @throws {Failure} as deleteImage */
export async function extendImage(deps: Deps, request: OwnerRequest) {
  const row = await findLiveImage(deps, 'id', request.params.id)
  authorize(request, row)
  const now = deps.now()
  const expiresAt = now + limits.extensionDays * dayMs
  const { numUpdatedRows } = await deps.db
    .updateTable('images')
    .set({ expires_at: expiresAt })
    .where('id', '=', row.id)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  // The sweep or another call was faster: an image that is gone is not brought back.
  if (numUpdatedRows === 0n) throw new Failure('image_gone')
  return { success: true as const, id: row.id, expires_at: new Date(expiresAt).toISOString() }
}

export interface OwnerRequest extends RequestContext<Caller> {
  params: { id: string }
  /** delete_token of a guest image, from the header or the body. */
  guestToken: string | undefined
}

/**
 * Guests own by a secret, users by their account; admins may do all.
 * @throws {Failure} guest_token_required, wrong_guest_token, forbidden
 */
function authorize(request: OwnerRequest, row: ImageRow): void {
  const { caller, guestToken } = request
  if (actsAsAdmin(caller) || owns(request, row)) return
  if (row.guest_token_hash === null)
    throw new Failure(caller.kind === 'guest' ? 'authentication_required' : 'forbidden')
  if (guestToken === undefined) throw new Failure(caller.kind === 'guest' ? 'guest_token_required' : 'forbidden')
  throw new Failure('wrong_guest_token')
}

/** Whoever else they are. */
function owns({ caller, guestToken }: OwnerRequest, row: ImageRow): boolean {
  if (caller.kind === 'user' && row.owner_id === caller.account.id) return true
  return guestToken !== undefined && row.guest_token_hash !== null && secretMatches(guestToken, row.guest_token_hash)
}
