// Who may do what with an album: its owner, and its members (docs/decisions/0070).
import { sql } from 'kysely'
import { type AlbumRole, albumRoles } from '../../../contract/plain/album-roles.ts'
import { limits } from '../../../contract/plain/limits.ts'
import type { AlbumsTable } from '../../db/schema.ts'
import type { UserCaller } from '../shared/caller.ts'
import type { Deps } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'

export type RoleInAlbum = AlbumRole | 'owner'

export interface OpenAlbum extends AlbumsTable {
  role: RoleInAlbum
  /** The row of `album_members` that gives the role; null: the caller is the owner. */
  memberId: string | null
}

export interface Membership {
  role: AlbumRole
  memberId: string
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
      : await findMembership({ db }, caller.account.id, id)
  if (!album || access === undefined) throw new Failure('album_not_found')
  if (rank(access.role) < rank(needed)) throw new Failure('album_role')
  return { ...album, ...access }
}

/** That with the highest role, in the album and in those that it is in. Albums of a suspended user have no members. */
async function findMembership({ db }: Pick<Deps, 'db'>, userId: string, id: string): Promise<Membership | undefined> {
  const { rows } = await sql<Membership>`
    with recursive upwards (id, parent_id, owner_id, level) as (
      select id, parent_id, owner_id, 1 from albums where id = ${id}
      union all
      select a.id, a.parent_id, a.owner_id, u.level + 1 from albums as a join upwards as u on a.id = u.parent_id
      where u.level <= ${limits.albums.maxDepth})
    select m.role, m.id as "memberId" from upwards as u join album_members as m on m.album_id = u.id
    join users as o on o.id = u.owner_id and o.status = 'Active'
    where m.user_id = ${userId} and m.accepted_at is not null`.execute(db)
  return highestOf(rows)
}

export const highestOf = (memberships: readonly Membership[]): Membership | undefined =>
  memberships.toSorted((a, b) => rank(b.role) - rank(a.role))[0]

const rank = (role: RoleInAlbum): number => [...albumRoles, 'owner'].indexOf(role)
