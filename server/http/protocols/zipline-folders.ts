// Folders of Zipline v4, which are albums.
import type { ZiplineFile, ZiplineFolder } from '../../../contract/compat/zipline-folders.ts'
import type { Album } from '../../../contract/endpoints/albums.ts'
import type { Image } from '../../../contract/endpoints/images.ts'
import { limits } from '../../../contract/plain/limits.ts'
import { addToAlbum, removeFromAlbum } from '../../domain/albums/change-album-images.ts'
import { listAlbumImages } from '../../domain/albums/list-album-images.ts'
import { createAlbum, getAlbum, listAlbums, updateAlbum } from '../../domain/albums/albums.ts'
import { deleteAlbum } from '../../domain/albums/delete-album.ts'
import { getImage } from '../../domain/images/managed-image.ts'
import type { UserCaller } from '../../domain/shared/caller.ts'
import { Failure } from '../../domain/shared/failure.ts'
import { type CallContext, type CallHandler, textIn } from './compat-protocol.ts'

export const ziplineListFolders: CallHandler = async (context) => {
  const { items } = await listAlbums(context.deps, ownerOf(context))
  const { root, parentId } = context.query
  const shown = items.filter(({ parent_id: parent }) => {
    if (root === 'true') return parent === null
    return parentId === undefined || parent === parentId
  })
  return shown.map((album) => toFolder(album, childrenIn(items, album)))
}

export const ziplineCreateFolder: CallHandler = async (context) => {
  const { name = '', files, parentId } = context.body as { name?: string; files?: string[]; parentId?: string | null }
  const body = { title: name, images: files, parent_id: parentId }
  return toFolder(await createAlbum(context.deps, { ...ownerOf(context), body }), 0)
}

export const ziplineGetFolder: CallHandler = async (context) => {
  const { deps, params, query } = context
  const folder = await folderOf(context)
  if (query['noincl'] === 'true') return folder
  const listed = { limit: limits.list.maxLimit }
  const request = { ...ownerOf(context), params: { id: params['id'] ?? '' }, query: listed }
  const { items } = await listAlbumImages(deps, request)
  return { ...folder, files: items.map((image) => toFile(image, folder.id)) }
}

export const ziplineUpdateFolder: CallHandler = async (context) => {
  const { deps, params, body } = context
  const { name, parentId } = body as { name?: string; parentId?: string | null }
  const changes = { title: name, parent_id: parentId }
  await updateAlbum(deps, { ...ownerOf(context), params: { id: params['id'] ?? '' }, body: changes })
  return folderOf(context)
}

export const ziplineAddToFolder: CallHandler = async (context) => {
  const { deps, params, body } = context
  const id = await ownImage(context, textIn(body, 'id'))
  await addToAlbum(deps, { caller: ownerOf(context).caller, params: { id: params['id'] ?? '' }, body: { ids: [id] } })
  return folderOf(context)
}

export const ziplineDeleteFolder: CallHandler = async (context) => {
  const { deps, params, body } = context
  const owner = { ...ownerOf(context), params: { id: params['id'] ?? '' } }
  if (body['delete'] === 'folder') {
    await deleteAlbum(deps, { ...owner, query: {} })
    return { success: true }
  }
  const image = textIn(body, 'id')
  if (image === undefined) throw new Failure('invalid_input', { field: 'id', problem: 'must name an image' })
  const { removed } = await removeFromAlbum(deps, { ...owner, body: { ids: [image] } })
  if (removed.length === 0) throw new Failure('image_not_found')
  return { success: true, folder: await folderOf(context) }
}

/** The contract lets no guest call these. */
const ownerOf = ({ caller, address, baseUrl, siteUrl }: CallContext) => ({
  caller: caller as UserCaller,
  address,
  baseUrl,
  siteUrl,
})

async function folderOf(context: CallContext): Promise<ZiplineFolder> {
  const owner = ownerOf(context)
  const album = await getAlbum(context.deps, { ...owner, params: { id: context.params['id'] ?? '' } })
  return toFolder(album, childrenIn((await listAlbums(context.deps, owner)).items, album))
}

/** Zipline refuses what is not the caller's, where our own endpoint skips it. @throws {Failure} image_not_found */
async function ownImage(context: CallContext, id = ''): Promise<string> {
  return (await getImage(context.deps, { ...ownerOf(context), params: { id }, guestToken: undefined })).id
}

const childrenIn = (albums: readonly Album[], { id }: Album) =>
  albums.filter(({ parent_id: parent }) => parent === id).length

const toFolder = (album: Album, children: number): ZiplineFolder => ({
  id: album.id,
  createdAt: album.created_at,
  updatedAt: album.created_at,
  name: album.title,
  public: false,
  allowUploads: false,
  parentId: album.parent_id,
  _count: { children, files: album.images },
})

const toFile = (image: Image, folderId: string): ZiplineFile => ({
  id: image.id,
  createdAt: image.created_at,
  updatedAt: image.created_at,
  deletesAt: image.expires_at,
  name: image.url.slice(image.url.lastIndexOf('/') + 1).replace(/\?.*/, ''),
  originalName: image.original_name,
  size: image.size,
  type: image.mime,
  folderId,
  url: image.url,
})
