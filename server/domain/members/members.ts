// The members of an album: listed, given another role, removed.
import { type Kysely, sql } from 'kysely'
import type { AlbumMember } from '../../../contract/endpoints/albums.ts'
import type { Input } from '../../../contract/endpoints/api.ts'
import { withAlbumsInside } from '../../db/nested-albums.ts'
import type { AlbumMembersTable, Schema } from '../../db/schema.ts'
import { albumFor } from '../albums/album-access.ts'
import { emptyAlbum } from '../albums/empty-album.ts'
import { audit } from '../audit/audit.ts'
import type { RequestOrigin, UserCaller } from '../shared/caller.ts'
import type { Deps } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import type { Page } from '../shared/keyset-page.ts'

type MemberRow = AlbumMembersTable & { name: string | null }

/** @param showsEmail to the owner of the album, and to the member */
export const toMember = (row: MemberRow, showsEmail: boolean): AlbumMember => ({
  id: row.id,
  name: row.name ?? '',
  email: showsEmail ? (row.email ?? '') : '',
  role: row.role,
  accepted: row.accepted_at !== null,
  is_you: false,
  created_at: new Date(row.created_at).toISOString(),
})

const membersOf = (db: Kysely<Schema>, albumId: string) =>
  db
    .selectFrom('album_members')
    .leftJoin('users', 'users.id', 'album_members.user_id')
    .selectAll('album_members')
    .select('users.name')
    .where('album_members.album_id', '=', albumId)

/**
 * Members learn who else is one; of invitations, and of addresses, only the owner.
 * @throws {Failure} album_not_found
 */
export async function listAlbumMembers(
  deps: Deps,
  { caller, params }: { caller: UserCaller } & Pick<Input<'listAlbumMembers'>, 'params'>,
): Promise<Page<AlbumMember>> {
  const { role } = await albumFor(deps, caller, params.id, 'view')
  const isOwner = role === 'owner'
  const rows = await membersOf(deps.db, params.id)
    .$if(!isOwner, (members) => members.where('accepted_at', 'is not', null))
    .orderBy('album_members.created_at')
    .orderBy('album_members.id')
    .execute()
  const items = rows.map((row) => {
    const isYou = row.user_id === caller.account.id
    return { ...toMember(row, isOwner || isYou), is_you: isYou }
  })
  return { items, total: items.length, nextCursor: null }
}

type MemberRequest<N extends 'updateAlbumMember' | 'removeAlbumMember'> = RequestOrigin<UserCaller> &
  Pick<Input<N>, 'params'>

/** @throws {Failure} album_not_found, album_role, member_not_found */
export async function updateAlbumMember(
  deps: Deps,
  {
    caller,
    address,
    params: { id, memberId },
    body: { role },
  }: MemberRequest<'updateAlbumMember'> & Pick<Input<'updateAlbumMember'>, 'body'>,
): Promise<AlbumMember> {
  await albumFor(deps, caller, id, 'owner')
  return deps.db.transaction().execute(async (db) => {
    const changed = await db
      .updateTable('album_members')
      .set({ role })
      .where('album_id', '=', id)
      .where('id', '=', memberId)
      .executeTakeFirst()
    const row = await membersOf(db, id).where('album_members.id', '=', memberId).executeTakeFirst()
    if (changed.numUpdatedRows === 0n || !row) throw new Failure('member_not_found')
    const target = { id, label: row.email ?? row.name ?? '' }
    await audit({ ...deps, db }, { actor: caller, address, action: 'member_updated', target, details: { role } })
    return toMember(row, true)
  })
}

/**
 * By the owner, or by members themselves, who leave. What they may view ends with the next request.
 * @throws {Failure} album_not_found, album_role, member_not_found
 */
export async function removeAlbumMember(
  deps: Deps,
  {
    caller,
    address,
    params: { id, memberId },
    query,
  }: MemberRequest<'removeAlbumMember'> & Pick<Input<'removeAlbumMember'>, 'query'>,
) {
  const { role } = await albumFor(deps, caller, id, 'view')
  const row = await membersOf(deps.db, id).where('album_members.id', '=', memberId).executeTakeFirst()
  const isLeaving = row?.user_id === caller.account.id
  if (role !== 'owner' && !isLeaving) throw new Failure('album_role')
  if (!row) throw new Failure('member_not_found')
  const addedBy = query.images === 'remove' ? row.user_id : null
  // First, so that it can be tried again where it fails half-way.
  if (addedBy !== null) await removeAdded(deps.db, id, addedBy)
  await deps.db.transaction().execute(async (db) => {
    await db.deleteFrom('album_members').where('id', '=', memberId).execute()
    const target = { id, label: row.email ?? row.name ?? '' }
    await audit({ ...deps, db }, { actor: caller, address, action: 'member_removed', target, details: { isLeaving } })
  })
  // What they added meanwhile.
  if (addedBy !== null) await removeAdded(deps.db, id, addedBy)
  deps.log.info({ album: id, member: memberId, by: caller.account.id }, 'album member removed')
  return { success: true as const }
}

/** What a user has added to an album and to those inside it. */
async function removeAdded(db: Kysely<Schema>, albumId: string, userId: string): Promise<void> {
  const inside = sql<{ id: string }>`${withAlbumsInside(sql`${albumId}`)} select id from inside`
  const { rows: albums } = await inside.execute(db)
  for (const { id } of albums) await emptyAlbum(db, id, userId)
}
