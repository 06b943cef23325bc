// Who is a member of an album, and how somebody becomes one.
import { queryOptions } from '@tanstack/react-query'
import type { Album, AlbumMember } from '../../../contract/endpoints/albums.ts'
import type { AlbumRole } from '../../../contract/plain/album-roles.ts'
import { client } from '../http.ts'
import { loadGallery } from '../images/gallery.ts'
import { refresh, updateCached } from '../query-client.ts'
import { albumList, reloadAlbum } from './albums.ts'

export const memberList = (albumId: string) =>
  queryOptions({
    queryKey: ['members', albumId],
    queryFn: async () => (await client.listAlbumMembers({ params: { id: albumId } })).items,
  })

/** An invited person has no name yet. */
export const memberName = ({ name, email }: AlbumMember): string => name || email

/** The server stores no link of an invitation: this page alone knows those that it made. */
const links = new Map<string, string>()

export const inviteLinkOf = ({ id, accepted }: AlbumMember): string | undefined =>
  accepted ? undefined : links.get(id)

/** @throws {ApiError} */
export async function inviteMember(albumId: string, email: string, role: AlbumRole): Promise<AlbumMember> {
  const { link, ...member } = await client.addAlbumMember({ params: { id: albumId }, body: { email, role } })
  links.set(member.id, link)
  // An invitation to the same address that had ended is gone.
  updateCached(memberList(albumId), (members) => [...members.filter((one) => one.email !== member.email), member])
  return member
}

/** A new link in place of one that was lost, and ends. @throws {ApiError} */
export async function renewInvite(albumId: string, { id, email, role }: AlbumMember): Promise<string> {
  const body = { email, role, renew: true }
  const { link, ...member } = await client.addAlbumMember({ params: { id: albumId }, body })
  links.set(member.id, link)
  updateCached(memberList(albumId), (members) => members.map((one) => (one.id === id ? member : one)))
  return link
}

/** @throws {ApiError} */
export async function changeRole(albumId: string, memberId: string, role: AlbumRole): Promise<void> {
  const changed = await client.updateAlbumMember({ params: { id: albumId, memberId }, body: { role } })
  updateCached(memberList(albumId), (members) => members.map((one) => (one.id === memberId ? changed : one)))
}

/** @param images of the member, in the album: remove them, or keep them. @throws {ApiError} */
export async function removeMember(albumId: string, memberId: string, images: 'keep' | 'remove'): Promise<void> {
  await client.removeAlbumMember({ params: { id: albumId, memberId }, query: { images } })
  updateCached(memberList(albumId), (members) => members.filter(({ id }) => id !== memberId))
  if (images === 'remove') await Promise.all([reloadAlbum(albumId), loadGallery()])
}

/** @throws {ApiError} */
export async function leaveAlbum(albumId: string, images: 'keep' | 'remove'): Promise<void> {
  const { items: members } = await client.listAlbumMembers({ params: { id: albumId } })
  const me = members.find((member) => member.is_you)
  // Left in another tab already.
  if (me !== undefined) await client.removeAlbumMember({ params: { id: albumId, memberId: me.id }, query: { images } })
  updateCached(albumList, (albums) => albums.filter(({ id }) => id !== albumId))
  // Albums inside it are gone as well.
  void refresh(albumList)
}

/** @throws {ApiError} album_invite_ended */
export async function acceptInvite(token: string): Promise<Album> {
  const album = await client.acceptAlbumInvite({ body: { token } })
  await refresh(albumList)
  return album
}
