// The user's albums, and those the user is a member of: one list, from which every screen takes what it shows.
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { BodyOf } from '../../../contract/derive/client.ts'
import type { Album } from '../../../contract/endpoints/albums.ts'
import { limits } from '../../../contract/plain/limits.ts'
import { client } from '../http.ts'
import { galleryStore, loadGallery, removeImages } from '../images/gallery.ts'
import { inTurn, partsOf } from '../images/change-images.ts'
import { imageList, tellTabs } from '../images/other-tabs.ts'
import { completeImage } from '../images/stored-image.ts'
import { queryClient, refresh, updateCached } from '../query-client.ts'

export const albumList = queryOptions({
  queryKey: ['albums'],
  queryFn: async () => (await client.listAlbums()).items.map(complete),
})

export const useAlbums = () => useQuery(albumList, queryClient)

const complete = (album: Album): Album => ({ ...album, cover: album.cover && completeImage(album.cover) })

export type AlbumChange = BodyOf<'updateAlbum'>
export type AlbumOrder = BodyOf<'sortAlbum'>['by']
type NewAlbum = Omit<BodyOf<'createAlbum'>, 'images'>

/** @param images more than one request takes are added by further ones. @throws {ApiError} */
export async function createAlbum(given: NewAlbum, images: readonly string[] = []): Promise<Album> {
  const [first, ...rest] = partsOf(images, limits.albums.maxImages)
  const album = complete(await client.createAlbum({ body: { ...given, ...(first && { images: [...first] }) } }))
  updateCached(albumList, (albums) => [album, ...albums])
  for (const part of rest) await client.addToAlbum({ params: { id: album.id }, body: { ids: [...part] } })
  if (rest.length > 0) await reloadAlbum(album.id)
  return { ...album, images: Math.max(album.images, images.length) }
}

/** @throws {ApiError} */
export async function changeAlbum(id: string, change: AlbumChange): Promise<void> {
  const album = complete(await client.updateAlbum({ params: { id }, body: change }))
  updateCached(albumList, (albums) => albums.map((one) => (one.id === id ? album : one)))
  if (change.query !== undefined && galleryStore.get().query.album === id) await loadGallery()
}

/** @param images delete: those of the user go to the trash. @throws {ApiError} */
export async function deleteAlbum({ id, parent_id }: Album, images: 'keep' | 'delete'): Promise<number> {
  const { deleted_images: count } = await client.deleteAlbum({ params: { id }, query: { images } })
  updateCached(albumList, (albums) =>
    albums.filter((one) => one.id !== id).map((one) => (one.parent_id === id ? { ...one, parent_id } : one)),
  )
  if (count > 0) {
    tellTabs(imageList)
    if (galleryStore.get().query.album !== id) void loadGallery()
  }
  return count
}

/** @param before an image of the album; undefined: at the end. @returns those that were not in it. @throws {ApiError} */
export async function addToAlbum(id: string, images: readonly string[], before?: string): Promise<string[]> {
  const added: string[] = []
  for (const part of inTurn(partsOf(images, limits.albums.maxImages))) {
    const body = { ids: [...part], ...(before !== undefined && { before }) }
    added.push(...(await client.addToAlbum({ params: { id }, body })).added)
  }
  await Promise.all([reloadAlbum(id), reloadShown(id)])
  return added
}

/** @returns those that were in it. @throws {ApiError} */
export async function removeFromAlbum(id: string, images: readonly string[]): Promise<string[]> {
  const removed: string[] = []
  for (const part of inTurn(partsOf(images, limits.albums.maxImages)))
    removed.push(...(await client.removeFromAlbum({ params: { id }, body: { ids: [...part] } })).removed)
  if (galleryStore.get().query.album === id) removeImages(new Set(removed))
  // Another member was first, or has added them.
  await Promise.all([reloadAlbum(id), removed.length < images.length && reloadShown(id)])
  return removed
}

/** On the server alone: the page has moved them. @throws {ApiError} */
export async function moveInAlbum(id: string, images: readonly string[], before: string | undefined): Promise<void> {
  // Each part goes in front of the same image, so that they follow each other.
  for (const ids of inTurn(partsOf(images, limits.albums.maxImages)))
    await client.moveInAlbum({ params: { id }, body: { ids: [...ids], before: before ?? null } })
  await reloadAlbum(id)
}

/** @throws {ApiError} */
export async function sortAlbum(id: string, by: AlbumOrder): Promise<void> {
  await client.sortAlbum({ params: { id }, body: { by } })
  await Promise.all([reloadAlbum(id), reloadShown(id)])
}

/** Counts and covers are the server's. */
const reloadAlbums = () => refresh(albumList)

/** One alone: an account may have a thousand. What was done with it is done, whether it can be loaded or not. */
export async function reloadAlbum(id: string): Promise<void> {
  tellTabs(imageList)
  try {
    const album = complete(await client.getAlbum({ params: { id } }))
    updateCached(albumList, (albums) => albums.map((one) => (one.id === id ? album : one)))
  } catch (error) {
    console.info('The album is not loaded again', error)
    await reloadAlbums()
  }
}

const reloadShown = async (id: string) => {
  if (galleryStore.get().query.album === id) await loadGallery()
}

export const isLive = ({ query }: Album) => query !== null
export const canAdd = (album: Album) => !isLive(album) && album.role !== 'view'
/** Order and remove images, and change the texts. */
export const canManage = ({ role }: Album) => role === 'owner' || role === 'manage'
export const isOwn = ({ role }: Album) => role === 'owner'

/** The albums directly in one; in none: those at the top, where an album is too whose parent is not shared. */
export function albumsIn(albums: readonly Album[], parent: string | null): Album[] {
  const known = new Set(albums.map(({ id }) => id))
  const parentOf = ({ parent_id }: Album) => (parent_id !== null && known.has(parent_id) ? parent_id : null)
  return albums.filter((album) => parentOf(album) === parent)
}

/** From the top down to the album itself. */
export function pathTo(albums: readonly Album[], id: string): Album[] {
  const path: Album[] = []
  let next: Album | undefined = albums.find((album) => album.id === id)
  while (next !== undefined && !path.includes(next)) {
    path.unshift(next)
    const parent: string | null = next.parent_id
    next = albums.find((album) => album.id === parent)
  }
  return path
}
