// Who may view an image: the one decision before every byte and every fact of it (docs/decisions/0066, docs/decisions/0070).
import { actsAsAdmin, type Caller } from '../shared/caller.ts'
import type { Deps } from '../shared/deps.ts'
import { secretMatches } from '../shared/secrets.ts'
import type { ImagesTable } from '../../db/schema.ts'
import type { Access } from './sharing/access-type.ts'
import { accessByLink, accessByMembership } from './sharing/named-keys.ts'
import { noImage, opensImage, parseViewKey } from './sharing/view-keys.ts'

export type { Access }

/** A row as somebody may view it: what finds images returns these, so that nothing is sent that a key does not allow. */
export type Viewed<Row> = Row & Access

/**
 * What decides. A lookup reads these columns before the others: reading a whole row takes long enough to tell a private image
 * from none.
 */
export const decidingColumns = ['id', 'owner_id', 'guest_token_hash', 'visibility', 'view_key_version'] as const

export type DecidingRow = Pick<ImagesTable, (typeof decidingColumns)[number]>

/**
 * null: for this viewer the image does not exist. Asked about a missing row too, so that a lookup takes the same queries whether
 * there is an image or not.
 */
export interface MayView {
  (row: DecidingRow | undefined): Promise<Access | null>
  /** Where no row needs to be asked about. Public: lookups find no private image. */
  sees?: 'everything' | 'public'
}

export const fullAccess: Access = { named: null }

/** For callers that decide themselves, such as moderation. */
export const everyone: MayView = Object.assign(async () => fullAccess, { sees: 'everything' as const })

interface Viewer {
  caller?: Caller
  /** delete_token of a guest's image. */
  guestToken?: string | undefined
  /** View key. */
  key?: string | undefined
}

export function viewableBy(deps: Pick<Deps, 'jwtSecret' | 'now' | 'db' | 'config'>, viewer: Viewer): MayView {
  const key = viewer.key === undefined ? undefined : parseViewKey(viewer.key)
  const mayView: MayView = async (row) => {
    if (row && mayManage(viewer, row)) return fullAccess
    // It alone decides, about public images too: the page of a restricted link has them as it allows.
    if (key?.kind === 'link') return accessByLink(deps, row, key)
    if (key?.kind === 'member') return accessByMembership(deps, row, key)
    const isOpened = key !== undefined && opensImage(deps, row ?? noImage, key)
    return row && (isOpened || row.visibility === 'public') ? fullAccess : null
  }
  if (key === undefined && viewer.guestToken === undefined && viewer.caller?.kind !== 'user') mayView.sees = 'public'
  return mayView
}

/** @returns undefined: the viewer may not view it. A missing row is asked about too, see {@link MayView} */
export async function asViewed<Row extends DecidingRow>(
  row: Row | undefined,
  mayView: MayView,
): Promise<Viewed<Row> | undefined> {
  const access = await mayView(row)
  return row && access ? { ...row, ...access } : undefined
}

/** Guests own images by a token, users by their account; admins may manage all. */
export const mayManage = (viewer: Viewer, row: DecidingRow): boolean =>
  (viewer.caller !== undefined && actsAsAdmin(viewer.caller)) || owns(viewer, row)

/** A matching token suffices for any caller. */
export function owns({ caller, guestToken }: Viewer, row: DecidingRow): boolean {
  if (caller?.kind === 'user' && row.owner_id === caller.account.id) return true
  return guestToken !== undefined && row.guest_token_hash !== null && secretMatches(guestToken, row.guest_token_hash)
}
