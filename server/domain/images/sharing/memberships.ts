// Which role a user has in an album of somebody else (docs/decisions/0070).
import { type Kysely, sql } from 'kysely'
import { type AlbumRole, albumRoles } from '../../../../contract/plain/album-roles.ts'
import { withAlbumsAround } from '../../../db/nested-albums.ts'
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
    ${withAlbumsAround(sql`${albumId}`)}
    select member.role, member.id as "memberId" from around
    join album_members as member on member.album_id = around.id
    join albums on albums.id = around.id
    join users on users.id = albums.owner_id and users.status = 'Active'
    where member.user_id = ${userId} and member.accepted_at is not null`.execute(db)
  return highestOf(rows)
}

export const highestOf = (memberships: readonly Membership[]): Membership | undefined =>
  memberships.toSorted((a, b) => albumRoles.indexOf(b.role) - albumRoles.indexOf(a.role))[0]
