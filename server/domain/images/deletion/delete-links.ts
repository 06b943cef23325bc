// Delete links: their token authorizes deleting one image, without an account (docs/decisions/0037).
import { createHmac } from 'node:crypto'
import type { Caller, RequestOrigin } from '../../shared/caller.ts'
import type { Deps } from '../../shared/deps.ts'
import { Failure } from '../../shared/failure.ts'
import { hashSecret, secretMatches } from '../../shared/secrets.ts'
import type { ImageRow } from '../image-row.ts'
import { findLiveImage } from '../find-image.ts'
import { type DecidingRow, fullAccess, type MayView } from '../may-view.ts'
import { removeImages } from './remove-images.ts'
import { noImage } from '../sharing/view-keys.ts'

export interface DeleteLink {
  id: string
  token: string
}

/**
 * Returns the token of an image of an account. It is derived from the server's secret instead of
 * stored, and valid as long as the image. Guests have their delete_token.
 */
export const ownedDeleteToken = (
  { jwtSecret }: Pick<Deps, 'jwtSecret'>,
  { id, owner_id: ownerId }: Pick<ImageRow, 'id' | 'owner_id'>,
): string => createHmac('sha256', jwtSecret).update(`delete-link\n${id}\n${ownerId}`).digest('base64url')

/** @throws {Failure} wrong_delete_token, image_gone, image_unavailable, image_not_found */
export async function findByDeleteLink(deps: Deps, { id, token }: DeleteLink): Promise<ImageRow> {
  const isRight = (row: Pick<DecidingRow, 'id' | 'owner_id' | 'guest_token_hash'>) => {
    const hash = row.owner_id === null ? row.guest_token_hash : hashSecret(ownedDeleteToken(deps, row))
    return hash !== null && secretMatches(token, hash)
  }
  // Checked against no image too, as view keys are.
  const none = { id: noImage.id, owner_id: '', guest_token_hash: null }
  const mayView: MayView = async (found) => {
    const isOpened = isRight(found ?? none)
    return found && (isOpened || found.visibility === 'public') ? fullAccess : null
  }
  const row = await findLiveImage(deps, 'id', id, mayView)
  if (!isRight(row)) throw new Failure('wrong_delete_token')
  return row
}

/** @throws {Failure} like {@link findByDeleteLink} */
export async function deleteByLink(
  deps: Deps,
  { caller, address, link }: RequestOrigin<Caller> & { link: DeleteLink },
): Promise<void> {
  const { id } = await findByDeleteLink(deps, link)
  await removeImages(deps, [id], { actor: caller, address, action: 'image_deleted' })
}
