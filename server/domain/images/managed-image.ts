// The image of a request that only whoever may manage it can make: its owner, a guest with its token, an admin.
import type { UpdateObject } from 'kysely'
import type { Image } from '../../../contract/endpoints/images.ts'
import type { Schema } from '../../db/schema.ts'
import { audit, type AuditDeps } from '../audit/audit.ts'
import type { Caller } from '../shared/caller.ts'
import type { Deps, InTransaction, RequestContext } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import { ownerOf } from './deletion/remove-images.ts'
import { type ImageRow, toImage, type ViewedImage } from './image-row.ts'
import { findLiveImage } from './find-image.ts'
import { mayManage, owns, viewableBy } from './may-view.ts'

export interface OwnerRequest extends RequestContext<Caller> {
  params: { id: string }
  /** delete_token of a guest's image, from the header or the body. */
  guestToken: string | undefined
}

/**
 * The image, if it is there and the caller may manage it.
 * @throws {Failure} image_gone, image_unavailable, image_not_found, and those of {@link assertMayManage}
 */
export async function findManaged(deps: Deps, request: OwnerRequest): Promise<ViewedImage> {
  const row = await findLiveImage(deps, 'id', request.params.id, viewableBy(deps, request))
  assertMayManage(request, row)
  return row
}

/**
 * Guests own images by a token, users by their account; admins may manage all.
 * @throws {Failure} guest_token_required, wrong_guest_token, forbidden
 */
export function assertMayManage(request: Pick<OwnerRequest, 'caller' | 'guestToken'>, row: ImageRow): void {
  const { caller, guestToken } = request
  if (mayManage(request, row)) return
  if (row.guest_token_hash === null)
    throw new Failure(caller.kind === 'guest' ? 'authentication_required' : 'forbidden')
  if (guestToken === undefined) throw new Failure(caller.kind === 'guest' ? 'guest_token_required' : 'forbidden')
  throw new Failure('wrong_guest_token')
}

/** @throws {Failure} as {@link findManaged} */
export async function getImage(deps: Deps, request: OwnerRequest): Promise<Image> {
  const row = await findManaged(deps, request)
  return toImage(deps, row, request)
}

/**
 * Changes a live image, with an entry in the audit log unless its owner does it.
 * @throws {Failure} image_gone: the sweep or a concurrent call was faster. A deleted image is not restored
 */
export async function changeLiveImage(
  deps: InTransaction<AuditDeps>,
  request: OwnerRequest,
  row: ImageRow,
  changes: UpdateObject<Schema, 'images'>,
): Promise<ImageRow> {
  const changed = await deps.db
    .updateTable('images')
    .set(changes)
    .where('id', '=', row.id)
    .where('expires_at', '>', deps.now())
    .returningAll()
    .executeTakeFirst()
  if (!changed) throw new Failure('image_gone')
  if (owns(request, row)) return changed
  const { caller: actor, address } = request
  const details = { fields: Object.keys(changes), ...ownerOf(row) }
  await audit(deps, { actor, address, action: 'image_updated', target: { id: row.id }, details })
  return changed
}
