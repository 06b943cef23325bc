// Albums of Imgur API v3: of an account, or of guests by their deletehash.
import type { ImgurAlbum } from '../../../contract/compat/imgur-albums.ts'
import type { Album } from '../../../contract/endpoints/albums.ts'
import { limits } from '../../../contract/plain/limits.ts'
import { addToAlbum, removeFromAlbum, setAlbumImages } from '../../domain/albums/change-album-images.ts'
import { listAlbumImages } from '../../domain/albums/list-album-images.ts'
import { createAlbum, getAlbum, listAlbums, updateAlbum } from '../../domain/albums/albums.ts'
import { deleteAlbum } from '../../domain/albums/delete-album.ts'
import { addToGuestAlbum, createGuestAlbum, deleteGuestAlbum, getGuestAlbum } from '../../domain/albums/guest-album.ts'
import type { UserCaller } from '../../domain/shared/caller.ts'
import { Failure } from '../../domain/shared/failure.ts'
import { type CallContext, type CallHandler, deleteLinkOf, type Fields, secondsOf, textIn } from './compat-protocol.ts'
import { envelope, toImgurImage } from './imgur.ts'

/** Imgur's albums need no title. */
const untitled = 'Untitled album'

export const imgurCreateAlbum: CallHandler = async (context) => {
  const { deps, caller, body } = context
  const title = textIn(body, 'title')
  if (caller.kind === 'guest') {
    const images = claimsIn(body)
    const album = await createGuestAlbum(deps, { ...originOf(context), caller, body: { images, title } })
    return envelope({ id: album.id, deletehash: `${album.id}.${album.token}` })
  }
  const images = idsIn(body)
  const description = textIn(body, 'description')
  const owner = { ...originOf(context), caller }
  const { id } = await createAlbum(deps, { ...owner, body: { title: title ?? untitled, description, images } })
  const cover = textIn(body, 'cover')
  if (cover !== undefined && images.includes(cover))
    await updateAlbum(deps, { ...owner, params: { id }, body: { cover_id: cover } })
  return envelope({ id, deletehash: id })
}

export const imgurGetAlbum: CallHandler = async (context) => {
  const { album, images } = await read(context)
  return envelope({ ...album, images })
}

export const imgurListAlbumImages: CallHandler = async (context) => envelope((await read(context)).images)

export const imgurAddToAlbum: CallHandler = async (context) => {
  const { deps, params, body } = context
  const claim = guestAlbumOf(params)
  if (claim) {
    await addToGuestAlbum(deps, { params: claim, body: { token: claim.token, images: claimsIn(body) } })
    return envelope(true)
  }
  const ids = assertSome(idsIn(body))
  await addToAlbum(deps, { caller: userOf(context), params: { id: params['hash'] ?? '' }, body: { ids } })
  return envelope(true)
}

export const imgurRemoveFromAlbum: CallHandler = async (context) => {
  const { deps, params, query } = context
  const ids = assertSome(idsIn(query))
  await removeFromAlbum(deps, { caller: userOf(context), params: { id: params['hash'] ?? '' }, body: { ids } })
  return envelope(true)
}

export const imgurDeleteAlbum: CallHandler = async (context) => {
  const { deps, params, caller } = context
  const claim = guestAlbumOf(params)
  const origin = originOf(context)
  if (claim) await deleteGuestAlbum(deps, { ...origin, caller, params: claim, query: {}, body: { token: claim.token } })
  else await deleteAlbum(deps, { ...origin, caller: userOf(context), params: { id: params['hash'] ?? '' }, query: {} })
  return envelope(true)
}

/** Sets the texts, the cover and, where the request names any, the images: the cover is one of them. */
export const imgurUpdateAlbum: CallHandler = async (context) => {
  const { deps, params, body } = context
  const owner = { ...originOf(context), caller: userOf(context), params: { id: params['hash'] ?? '' } }
  const ids = idsIn(body)
  if (ids.length > 0) await setAlbumImages(deps, { ...owner, body: { ids } })
  const cover = textIn(body, 'cover')
  const changes = {
    title: textIn(body, 'title'),
    description: body['description'] as string | undefined,
    ...(cover !== undefined && { cover_id: cover }),
  }
  await updateAlbum(deps, { ...owner, body: changes })
  return envelope(true)
}

export const imgurListAlbums: CallHandler = async (context) =>
  envelope(pageOf(context, await albumsOf(context)).map((album) => toImgurAlbum(album, context)))

export const imgurListAlbumIds: CallHandler = async (context) =>
  envelope(pageOf(context, await albumsOf(context)).map(({ id }) => id))

export const imgurCountAlbums: CallHandler = async (context) => envelope((await albumsOf(context)).length)

/** Of the account that the path names. None of others: no album here is listed for everyone, as public ones are on Imgur. */
async function albumsOf(context: CallContext): Promise<Album[]> {
  const caller = userOf(context)
  const { username = '' } = context.params
  if (username !== 'me' && username.toLowerCase() !== caller.account.name.toLowerCase()) return []
  return (await listAlbums(context.deps, { ...originOf(context), caller })).items
}

/** @throws {Failure} invalid_input */
function pageOf<T>({ params: { page = '0' } }: CallContext, items: readonly T[]): T[] {
  if (!/^\d{1,6}$/.test(page)) throw new Failure('invalid_input', { field: 'page', problem: 'must be a whole number' })
  const from = Number(page) * limits.compat.imgurPage
  return items.slice(from, from + limits.compat.imgurPage)
}

async function read(context: CallContext): Promise<{ album: ImgurAlbum; images: object[] }> {
  const { deps, params } = context
  const hash = params['hash'] ?? ''
  const claim = guestAlbumOf(params)
  if (claim) {
    const { images, url, ...album } = await getGuestAlbum(deps, claim, context)
    const cover = images[0] ?? null
    const shown = { ...album, owner: null, cover, images: images.length, id: claim.id }
    return {
      album: { ...toImgurAlbum(shown, context), link: url, deletehash: hash },
      images: images.map((image) => toImgurImage(image)),
    }
  }
  const owner = { ...originOf(context), caller: userOf(context), params: { id: hash } }
  const album = await getAlbum(deps, owner)
  const { items } = await listAlbumImages(deps, { ...owner, query: { limit: limits.list.maxLimit } })
  return { album: toImgurAlbum(album, context), images: items.map((image) => toImgurImage(image)) }
}

const originOf = ({ address, baseUrl, siteUrl }: CallContext) => ({ address, baseUrl, siteUrl })

/** An id, unlike a deletehash, opens an album only to its owner and members. @throws {Failure} authentication_required */
function userOf({ caller }: CallContext): UserCaller {
  if (caller.kind === 'guest') throw new Failure('authentication_required')
  return caller
}

/** The deletehash of a guest's album looks like that of an image. */
const guestAlbumOf = (params: CallContext['params']) => deleteLinkOf(params['hash'])

/** As the contract validated it. */
const listIn = (body: Fields, name: 'ids' | 'deletehashes') => (body[name] ?? []) as string[]

/** Both lists name images of an account; a deletehash begins with the id. */
function idsIn(body: Fields): string[] {
  const ofHashes = listIn(body, 'deletehashes').map((hash) => deleteLinkOf(hash)?.id ?? hash)
  return [...new Set([...listIn(body, 'ids'), ...ofHashes])]
}

/** @throws {Failure} invalid_input */
function assertSome(ids: string[]): string[] {
  if (ids.length === 0) throw new Failure('invalid_input', { field: 'ids', problem: 'must name images' })
  return ids
}

/** A guest proves that an image is theirs. @throws {Failure} image_not_found */
const claimsIn = (body: Fields): { id: string; token: string }[] =>
  [...listIn(body, 'ids'), ...listIn(body, 'deletehashes')].map((hash) => {
    const link = deleteLinkOf(hash)
    if (!link) throw new Failure('image_not_found')
    return link
  })

type Shown = Pick<Album, 'id' | 'title' | 'description' | 'created_at' | 'cover' | 'images'> & { owner: string | null }

const toImgurAlbum = (album: Shown, { siteUrl }: CallContext): ImgurAlbum => ({
  id: album.id,
  ...(album.owner === null ? {} : { deletehash: album.id }),
  title: album.title,
  description: album.description === '' ? null : album.description,
  datetime: secondsOf(album.created_at),
  cover: album.cover?.id ?? null,
  cover_width: album.cover?.width ?? null,
  cover_height: album.cover?.height ?? null,
  account_url: album.owner,
  account_id: null,
  privacy: 'hidden',
  layout: 'blog',
  views: 0,
  link: `${siteUrl}/albums/${album.id}`,
  favorite: false,
  nsfw: null,
  section: null,
  order: 0,
  images_count: album.images,
  in_gallery: false,
})
