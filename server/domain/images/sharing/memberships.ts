// Which role a user has in an album of somebody else (docs/decisions/0070).
import { type Kysely, sql } from 'kysely'
import { type AlbumRole, albumRoles } from '../../../../contract/plain/album-roles.ts'
import { limits } from '../../../../contract/plain/limits.ts'
import type { Schema } from '../../../db/schema.ts'

export interface Membership {
  role: AlbumRole
  /** The row of `album_members`. */
  memberId: string
}

/** That with the highest role, in the album and in those that it is in. Albums of a suspended user have no members. */
export async function findMembership(
  db: Kysely<Schema>,
  userId: string,
  albumId: string,
): Promise<Membership | undefined> {
  const { rows } = await sql<Membership>`
    with recursive upwards (id, parent_id, owner_id, level) as (
      select id, parent_id, owner_id, 1 from albums where id = ${albumId}
      union all
      select a.id, a.parent_id, a.owner_id, u.level + 1 from albums as a join upwards as u on a.id = u.parent_id
      where u.level <= ${limits.albums.maxDepth})
    select m.role, m.id as "memberId" from upwards as u join album_members as m on m.album_id = u.id
    join users as o on o.id = u.owner_id and o.status = 'Active'
    where m.user_id = ${userId} and m.accepted_at is not null`.execute(db)
  return highestOf(rows)
}

export const highestOf = (memberships: readonly Membership[]): Membership | undefined =>
  memberships.toSorted((a, b) => albumRoles.indexOf(b.role) - albumRoles.indexOf(a.role))[0]
