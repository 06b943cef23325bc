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
  const role = album?.owner_id === caller.account.id ? 'owner' : await findMembership({ db }, caller.account.id, id)
  if (!album || role === undefined) throw new Failure('album_not_found')
  if (rank(role) < rank(needed)) throw new Failure('album_role')
  return { ...album, role }
}

/** The highest of the user's roles in the album and in those that it is in. Albums of a suspended user have no members. */
async function findMembership({ db }: Pick<Deps, 'db'>, userId: string, id: string): Promise<AlbumRole | undefined> {
  const { rows } = await sql<{ role: AlbumRole }>`
    with recursive upwards (id, parent_id, owner_id, level) as (
      select id, parent_id, owner_id, 1 from albums where id = ${id}
      union all
      select a.id, a.parent_id, a.owner_id, u.level + 1 from albums as a join upwards as u on a.id = u.parent_id
      where u.level <= ${sql.lit(limits.albums.maxDepth)})
    select m.role from upwards as u join album_members as m on m.album_id = u.id
    join users as o on o.id = u.owner_id and o.status = 'Active'
    where m.user_id = ${userId} and m.accepted_at is not null`.execute(db)
  return highestRole(rows.map(({ role }) => role))
}

export const highestRole = (roles: readonly AlbumRole[]): AlbumRole | undefined =>
  albumRoles.findLast((role) => roles.includes(role))

const rank = (role: RoleInAlbum): number => [...albumRoles, 'owner'].indexOf(role)
