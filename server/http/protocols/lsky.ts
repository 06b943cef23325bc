// Lsky Pro API v2.
import type { LskyImage } from '../../../contract/compat/lsky.ts'
import type { Image } from '../../../contract/endpoints/images.ts'
import { limits } from '../../../contract/plain/limits.ts'
import { listAlbumImagesByNumber } from '../../domain/albums/list-album-images.ts'
import { countAlbums } from '../../domain/albums/albums.ts'
import { login } from '../../domain/accounts/login.ts'
import type { UserCaller } from '../../domain/shared/caller.ts'
import { listImagesByNumber } from '../../domain/images/lists/list-images.ts'
import { deleteImage } from '../../domain/images/deletion/delete-image.ts'
import { linksOf } from '../../domain/uploads/upload-response.ts'
import { quotaOf } from '../../domain/images/quota.ts'
import {
  type CallHandler,
  dateTimeOf,
  type CompatProtocol,
  extensionOf,
  type UploadHandler,
} from './compat-protocol.ts'
import { parseLifetime } from './lifetime.ts'
import { findAlbumId } from './lsky-albums.ts'
import { envelope, lskyPage } from './lsky-envelope.ts'

export const lsky: CompatProtocol = {
  failure: ({ message }) => ({ status: false, message, data: {} }),
  rateHeaders: { limit: ['x-ratelimit-limit'], remaining: ['x-ratelimit-remaining'] },
}

export const lskyUpload: UploadHandler = {
  maxFiles: 1,
  reusesSameBytes: true,
  nameFields: [],
  lifetimeMs: ({ deps, fields }) => parseLifetime('expired_at', fields['expired_at'], deps.now()),
  album: ({ deps, caller, fields }) => findAlbumId(deps, caller, fields['album_id']),
  respond: ([image]) => envelope({ ...toLskyImage(image), links: image.data.links }),
}

export const lskyCreateToken: CallHandler = async ({ deps, caller, address, baseUrl, siteUrl, body }) => {
  const credentials = body as { email: string; password: string }
  const { token } = await login(deps, { caller, address, baseUrl, siteUrl, body: credentials })
  return envelope({ token })
}

/** Of other orders the default. */
const sorts = new Map<unknown, 'oldest' | 'largest'>([
  ['earliest', 'oldest'],
  ['utmost', 'largest'],
])

export const lskyListImages: CallHandler = async ({ deps, caller, baseUrl, siteUrl, query }) => {
  const number = Math.max(1, Number(query['page'] ?? 1))
  const perPage = limits.compat.lskyPage
  const sort = sorts.get(query['order']) ?? ('newest' as const)
  const slice = { sort, offset: (number - 1) * perPage, limit: perPage }
  const request = { ...slice, caller: caller as UserCaller, baseUrl, siteUrl }
  const albumId = await findAlbumId(deps, caller, query['album_id'])
  const { images, total } =
    albumId === undefined
      ? await listImagesByNumber(deps, request)
      : await listAlbumImagesByNumber(deps, { ...request, albumId })
  return envelope(lskyPage(number, total, images.map(toLskyImage)))
}

export const lskyDeleteImage: CallHandler = async ({ deps, caller, address, baseUrl, siteUrl, params }) => {
  const owner = { caller, address, baseUrl, siteUrl, guestToken: undefined }
  await deleteImage(deps, { ...owner, params: { id: params['key'] ?? '' }, query: {} })
  return envelope({})
}

export const lskyGetProfile: CallHandler = async ({ deps, caller }) => {
  const { account } = caller as UserCaller
  return envelope({
    name: account.name,
    email: account.email,
    avatar: '',
    capacity: kib(quotaOf(deps.config, account).bytes),
    used_capacity: kib(account.image_bytes),
    image_num: account.image_count,
    album_num: await countAlbums(deps, account.id),
  })
}

export const lskyListStrategies: CallHandler = async ({ deps }) =>
  envelope({ strategies: [{ id: 1, name: deps.config.SITE_NAME }] })

const kib = (bytes: number) => Math.round((bytes / 1024) * 100) / 100

const toLskyImage = (image: Image): LskyImage => ({
  key: image.id,
  name: image.file_name,
  pathname: `uploads/${image.file_name}`,
  origin_name: image.original_name,
  size: kib(image.size),
  mimetype: image.mime,
  extension: extensionOf(image.file_name),
  width: image.width,
  height: image.height,
  date: dateTimeOf(image.created_at),
  human_date: image.created_at.slice(0, 10),
  links: linksOf(image),
})
