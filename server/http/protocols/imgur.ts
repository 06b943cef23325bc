// Imgur API v3.
import type { FastifyRequest } from 'fastify'
import type { ImgurImage } from '../../../contract/compat/imgur.ts'
import type { Image } from '../../../contract/endpoints/images.ts'
import { deleteByLink, findByDeleteLink } from '../../domain/images/deletion/delete-links.ts'
import { toImage } from '../../domain/images/image-row.ts'
import { getImage } from '../../domain/images/managed-image.ts'
import { deleteImage } from '../../domain/images/deletion/delete-image.ts'
import type { Caller } from '../../domain/shared/caller.ts'
import { pathOf } from '../request/errors.ts'
import { redactPath } from '../request/redact-path.ts'
import {
  type CallContext,
  type CallHandler,
  deleteHashOf,
  deleteLinkOf,
  type CompatProtocol,
  type Fields,
  secondsOf,
  textIn,
  titleOf,
  type UploadHandler,
} from './compat-protocol.ts'

export const imgur: CompatProtocol = {
  failure({ status, message }, request, reply) {
    const data = { error: message, request: redactPath(pathOf(request)), method: request.method }
    if (!wantsXml(request)) return { data, success: false, status }
    reply.type(xmlType)
    return toXml(data, { isSuccess: false, status })
  },
  readFields: (fields) => ({ ...fields, ids: listIn(fields, 'ids'), deletehashes: listIn(fields, 'deletehashes') }),
  rateHeaders: {
    limit: ['x-ratelimit-userlimit', 'x-ratelimit-clientlimit'],
    remaining: ['x-ratelimit-userremaining', 'x-ratelimit-clientremaining'],
  },
}

/** The ids of images, which clients send as a list, as a field with [] for each, or as text with commas. */
const listIn = (fields: Fields, name: string): string[] =>
  [fields[name], fields[`${name}[]`]]
    .flat()
    .flatMap((value) => (typeof value === 'string' ? value.split(',') : []))
    .map((value) => value.trim())
    .filter((value) => value !== '')

export const imgurUpload: UploadHandler = {
  maxFiles: 1,
  reusesSameBytes: false,
  nameFields: ['name', 'title'],
  // Guests name their album by its deletehash.
  album: ({ caller, fields }) => (guestAlbumIn(caller, fields) === undefined ? textIn(fields, 'album') : undefined),
  guestAlbum: ({ caller, fields }) => guestAlbumIn(caller, fields),
  respond([image], { request, reply }) {
    const data = toImgurImage(image, deleteHashOf(image))
    if (!wantsXml(request)) return envelope(data)
    reply.type(xmlType)
    return toXml(data, { isSuccess: true, status: 200 })
  },
}

const guestAlbumIn = (caller: Caller, fields: Fields) =>
  caller.kind === 'guest' ? deleteLinkOf(fields['album']) : undefined

export const imgurGetImage: CallHandler = async (context) => {
  const { deps, params } = context
  const hash = params['hash'] ?? ''
  const link = deleteLinkOf(hash)
  if (!link) return envelope(toImgurImage(await getImage(deps, ownerRequest(context, hash))))
  return envelope(toImgurImage(toImage(deps, await findByDeleteLink(deps, link), context), hash))
}

export const imgurDeleteImage: CallHandler = async (context) => {
  const { deps, params, caller, address } = context
  const hash = params['hash'] ?? ''
  const link = deleteLinkOf(hash)
  if (link) await deleteByLink(deps, { caller, address, link })
  else await deleteImage(deps, { ...ownerRequest(context, hash), query: {} })
  return envelope(true)
}

/** As the rate limit headers of this response say; without a limit the numbers of Imgur. */
export const imgurGetCredits: CallHandler = async ({ deps, reply }) => {
  const header = (name: string, byDefault: number) => Number(reply.getHeader(name) ?? byDefault)
  const [limit, remaining] = [header('ratelimit-limit', 12_500), header('ratelimit-remaining', 12_500)]
  const resetAt = Math.floor(deps.now() / 1000) + header('ratelimit-reset', 60)
  return envelope({
    UserLimit: limit,
    UserRemaining: remaining,
    UserReset: resetAt,
    ClientLimit: limit,
    ClientRemaining: remaining,
  })
}

export const envelope = (data: unknown) => ({ data, success: true, status: 200 })

const ownerRequest = ({ caller, address, baseUrl, siteUrl }: CallContext, id: string) => ({
  caller,
  address,
  baseUrl,
  siteUrl,
  params: { id },
  guestToken: undefined,
})

export const toImgurImage = (image: Image, hash?: string): ImgurImage => ({
  id: image.id,
  ...(hash === undefined ? {} : { deletehash: hash }),
  title: titleOf(image.original_name),
  description: null,
  datetime: secondsOf(image.created_at),
  type: image.mime,
  animated: image.frames > 1,
  width: image.width,
  height: image.height,
  size: image.size,
  views: 0,
  bandwidth: 0,
  name: image.original_name,
  link: image.url,
})

const xmlType = 'application/xml; charset=utf-8'
const wantsXml = (request: FastifyRequest) => pathOf(request).endsWith('.xml')

function toXml(data: object, { isSuccess, status }: { isSuccess: boolean; status: number }): string {
  const elements = Object.entries(data).map(([name, value]) => `<${name}>${escapeXml(String(value ?? ''))}</${name}>`)
  return `<?xml version="1.0" encoding="utf-8"?>
<data type="array" success="${isSuccess ? 1 : 0}" status="${status}">${elements.join('')}</data>
`
}

const escapeXml = (text: string) =>
  text
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
