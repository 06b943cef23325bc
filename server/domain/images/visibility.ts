// Who may view an image: the one decision before every byte and every fact of it (docs/decisions/0066).
import { actsAsAdmin, type Caller } from '../shared/caller.ts'
import type { Deps } from '../shared/deps.ts'
import { secretMatches } from '../shared/secrets.ts'
import type { ImagesTable } from '../../db/schema.ts'
import { opensImage } from './view-keys.ts'

/** Asked about private images only: everyone may view the others. */
export type MayView = (row: ImagesTable) => boolean

export const isViewable = (row: ImagesTable, mayView: MayView): boolean => row.visibility === 'public' || mayView(row)

/** For callers that decide themselves, such as moderation. */
export const everyone: MayView = () => true

interface Viewer {
  caller?: Caller
  /** delete_token of a guest's image. */
  guestToken?: string | undefined
  /** View key. */
  key?: string | undefined
}

export const viewableBy =
  (deps: Pick<Deps, 'jwtSecret' | 'now'>, viewer: Viewer): MayView =>
  (row) =>
    (viewer.key !== undefined && opensImage(deps, row, viewer.key)) || mayManage(viewer, row)

/** Guests own images by a token, users by their account; admins may manage all. */
export const mayManage = (viewer: Viewer, row: ImagesTable): boolean =>
  (viewer.caller !== undefined && actsAsAdmin(viewer.caller)) || owns(viewer, row)

/** A matching token suffices for any caller. */
export function owns({ caller, guestToken }: Viewer, row: ImagesTable): boolean {
  if (caller?.kind === 'user' && row.owner_id === caller.account.id) return true
  return guestToken !== undefined && row.guest_token_hash !== null && secretMatches(guestToken, row.guest_token_hash)
}
