// Who may do what with an album: its owner, and its members (docs/decisions/0070).
import { type AlbumRole, albumRoles } from '../../../contract/plain/album-roles.ts'
import type { AlbumsTable } from '../../db/schema.ts'
import { findMembership } from '../images/sharing/memberships.ts'
import type { UserCaller } from '../shared/caller.ts'
import type { Deps } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'

export type RoleInAlbum = AlbumRole | 'owner'

export interface OpenAlbum extends AlbumsTable {
  role: RoleInAlbum
  /** The row of `album_members` that gives the role; null: the caller is the owner. */
  memberId: string | null
}

/**
 * Returns an album that the caller owns or is a member of, or of an album that it is in. For everyone else it does not exist.
 * @throws {Failure} album_not_found; album_role: the caller is a member who may not do this
 */
export async function albumFor(
  { db }: Pick<Deps, 'db'>,
  caller: UserCaller,
  id: string,
  needed: RoleInAlbum,
): Promise<OpenAlbum> {
  const album = await db.selectFrom('albums').selectAll().where('id', '=', id).executeTakeFirst()
  const access =
    album?.owner_id === caller.account.id
      ? { role: 'owner' as const, memberId: null }
      : await findMembership(db, caller.account.id, id)
  if (!album || access === undefined) throw new Failure('album_not_found')
  if (rank(access.role) < rank(needed)) throw new Failure('album_role')
  return { ...album, ...access }
}

/** Whoever may only add takes out of the album, and moves, only what they have put in. */
export const changesOnlyOwn = ({ role }: Pick<OpenAlbum, 'role'>): boolean => role === 'add'

const rank = (role: RoleInAlbum): number => [...albumRoles, 'owner'].indexOf(role)
