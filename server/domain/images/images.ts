// What an owner does with an image: delete it, extend it.
import { dayMs, limits } from '../../../contract/limits.ts'
import { actsAsAdmin, type Caller } from '../caller.ts'
import type { Deps, RequestContext } from '../deps.ts'
import { Failure } from '../failure.ts'
import { secretMatches } from '../secrets.ts'
import { type ImageRow, liveImage } from './record.ts'
import { removeImages } from './remove.ts'

/** @throws {Failure} image_gone, image_not_found, and whoever it is not for: see {@link authorize} */
export async function deleteImage(deps: Deps, request: OwnerRequest) {
  const row = await liveImage(deps, 'id', request.params.id)
  authorize(request, row)
  await removeImages(deps, [row.id])
  return { success: true as const }
}

/** One year from now, whatever was left. @throws {Failure} as deleteImage */
export async function extendImage(deps: Deps, request: OwnerRequest) {
  const row = await liveImage(deps, 'id', request.params.id)
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
function authorize({ caller, guestToken }: OwnerRequest, row: ImageRow): void {
  if (actsAsAdmin(caller) || (caller.kind === 'user' && row.owner_id === caller.account.id)) return
  if (row.guest_token_hash === null)
    throw new Failure(caller.kind === 'guest' ? 'authentication_required' : 'forbidden')
  if (guestToken === undefined) throw new Failure(caller.kind === 'guest' ? 'guest_token_required' : 'forbidden')
  if (!secretMatches(guestToken, row.guest_token_hash)) throw new Failure('wrong_guest_token')
}
