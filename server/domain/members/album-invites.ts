// Invitations to albums: a link that goes by mail, or that the owner hands on (docs/decisions/0070).
import type { Album } from '../../../contract/endpoints/albums.ts'
import type { Input } from '../../../contract/endpoints/api.ts'
import { accountLimits } from '../../../contract/plain/account-limits.ts'
import { albumRoles } from '../../../contract/plain/album-roles.ts'
import { limits } from '../../../contract/plain/limits.ts'
import { paths } from '../../../contract/plain/page-paths.ts'
import { countRows } from '../../db/count-rows.ts'
import type { AlbumMembersTable } from '../../db/schema.ts'
import { throttleLinkMail } from '../accounts/email/mail-links.ts'
import { albumFor } from '../albums/album-access.ts'
import { lockAlbum } from '../albums/album-order.ts'
import { getAlbum } from '../albums/albums.ts'
import { audit } from '../audit/audit.ts'
import { queueMail } from '../mail/mail-queue.ts'
import { albumInviteMail, mailSite } from '../mail/mail-texts.ts'
import type { UserCaller } from '../shared/caller.ts'
import type { Deps, RequestContext } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import { hashSecret, newId, newSecret } from '../shared/secrets.ts'
import { throttleFailures } from '../shared/throttle.ts'
import { toMember } from './members.ts'

type UserRequest = RequestContext<UserCaller>

const { maxMembers, inviteMs } = limits.albums

/**
 * Whether the address has an account changes nothing, so that nobody learns it here.
 * @returns the member that is to be, with the link for the owner to hand on: where no mail is sent, it is the only one
 * @throws {Failure} album_not_found, album_role, too_many_members, already_member, too_many_requests
 */
export async function addAlbumMember(
  deps: Deps,
  {
    caller,
    address,
    siteUrl,
    params: { id: albumId },
    body: { email, role, renew = false },
  }: UserRequest & Pick<Input<'addAlbumMember'>, 'params' | 'body'>,
) {
  await albumFor(deps, caller, albumId, 'owner')
  if (email === caller.account.email) throw new Failure('already_member', { email })
  if (deps.mail) await throttleLinkMail(deps, { email, from: address, purpose: 'confirm' })
  const token = newSecret(deps)
  const now = deps.now()
  const row: AlbumMembersTable = {
    id: newId(deps),
    album_id: albumId,
    user_id: null,
    email,
    role,
    token_hash: hashSecret(token),
    created_at: now,
    accepted_at: null,
  }
  await deps.db.transaction().execute(async (db) => {
    await lockAlbum(db, albumId)
    const members = db.selectFrom('album_members').where('album_id', '=', albumId)
    const before = await members.selectAll().where('email', '=', email).executeTakeFirst()
    const isReplaced = before && (hasEnded(before, now) || (renew && before.accepted_at === null))
    if (before && !isReplaced) throw new Failure('already_member', { email })
    if (before) await db.deleteFrom('album_members').where('id', '=', before.id).execute()
    if ((await countRows(members)) >= maxMembers) throw new Failure('too_many_members', { limit: maxMembers })
    await db.insertInto('album_members').values(row).execute()
    if (deps.mail) {
      const text = albumInviteMail(mailSite(deps), token)
      await queueMail({ ...deps, db }, { toAddress: email, ...text, dropAt: now + inviteMs })
    }
    const entry = { action: 'member_invited', target: { id: albumId, label: email }, details: { role } } as const
    await audit({ ...deps, db }, { actor: caller, address, ...entry })
  })
  deps.log.info({ album: albumId, member: row.id, role, by: caller.account.id }, 'album member invited')
  return { ...toMember({ ...row, name: null }, true), link: `${siteUrl}${paths.albumInvite}#${token}` }
}

const hasEnded = ({ accepted_at: acceptedAt, created_at: createdAt }: AlbumMembersTable, now: number): boolean =>
  acceptedAt === null && createdAt + inviteMs <= now

/**
 * Makes the caller a member, whatever address the invitation went to. A second invitation of the same user raises the role.
 * @throws {Failure} album_invite_ended: it was accepted, withdrawn or has ended; too_many_requests
 */
export async function acceptAlbumInvite(
  deps: Deps,
  { caller, body: { token }, ...request }: UserRequest & Pick<Input<'acceptAlbumInvite'>, 'body'>,
): Promise<Album> {
  const key = `mail-link:${request.address}`
  const found = await throttleFailures(deps, { key, ...accountLimits.mailLinks.wrong }, async () => {
    const invitation = deps.db
      .selectFrom('album_members')
      .innerJoin('albums', 'albums.id', 'album_members.album_id')
      .selectAll('album_members')
      .select('albums.owner_id')
    return (
      (await invitation
        .where('album_members.token_hash', '=', hashSecret(token))
        .where('album_members.created_at', '>', deps.now() - inviteMs)
        .executeTakeFirst()) ?? null
    )
  })
  if (!found) throw new Failure('album_invite_ended')
  const { owner_id: ownerId, ...invitation } = found
  // Whoever tries their own invitation out leaves it for its recipient.
  if (ownerId !== caller.account.id) await accept(deps, caller, invitation)
  return getAlbum(deps, { caller, ...request, params: { id: invitation.album_id } })
}

function accept(deps: Deps, caller: UserCaller, invitation: AlbumMembersTable): Promise<void> {
  const { album_id: albumId } = invitation
  return deps.db.transaction().execute(async (db) => {
    await lockAlbum(db, albumId)
    const members = db.selectFrom('album_members').selectAll().where('album_id', '=', albumId)
    const existing = await members.where('user_id', '=', caller.account.id).executeTakeFirst()
    const role = albumRoles.findLast((one) => one === invitation.role || one === existing?.role) ?? invitation.role
    if (existing) await db.deleteFrom('album_members').where('id', '=', existing.id).execute()
    const accepted = await db
      .updateTable('album_members')
      .set({ user_id: caller.account.id, role, token_hash: null, accepted_at: deps.now() })
      .where('id', '=', invitation.id)
      .where('token_hash', '=', invitation.token_hash)
      .executeTakeFirst()
    if (accepted.numUpdatedRows === 0n) throw new Failure('album_invite_ended')
    deps.log.info({ album: albumId, member: invitation.id, user: caller.account.id }, 'album invitation accepted')
  })
}
