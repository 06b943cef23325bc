// Chevereto API v1.1 and imgbb API v1.
import { STATUS_CODES } from 'node:http'
import type { CheveretoImage, ImgbbData } from '../../../contract/compat/chevereto.ts'
import { formatBytes } from '../../../contract/plain/format-bytes.ts'
import { limits } from '../../../contract/plain/limits.ts'
import { normalizeTags, withoutBlank } from '../../../contract/plain/tag-names.ts'
import { Failure } from '../../domain/shared/failure.ts'
import type { UploadedImage } from '../../../contract/endpoints/images.ts'
import {
  dateTimeOf,
  type CompatProtocol,
  extensionOf,
  secondsOf,
  textIn,
  titleOf,
  type UploadHandler,
} from './compat-protocol.ts'
import { parseLifetime } from './lifetime.ts'

export const chevereto: CompatProtocol = {
  failure: ({ status, message, code }) => ({
    status_code: status,
    error: { message, code: status, context: code },
    status_txt: STATUS_CODES[status],
  }),
}

const common: Pick<UploadHandler, 'maxFiles' | 'reusesSameBytes' | 'nameFields' | 'lifetimeMs'> = {
  maxFiles: 1,
  reusesSameBytes: true,
  nameFields: ['name', 'title'],
  lifetimeMs: ({ deps, fields }) => parseLifetime('expiration', fields['expiration'], deps.now()),
}

export const cheveretoUpload: UploadHandler = {
  ...common,
  album: ({ fields }) => textIn(fields, 'album_id'),
  tags({ fields }) {
    const tags = normalizeTags(withoutBlank((textIn(fields, 'tags') ?? '').split(',')))
    if (tags && tags.length <= limits.tags.maxPerImage) return tags
    throw new Failure('invalid_input', { field: 'tags', problem: 'must be tags with commas between them' })
  },
  respond([image], { reply, fields }) {
    const format = textIn(fields, 'format')
    if (format === 'redirect') return reply.redirect(image.url, 303)
    if (format === 'txt') return reply.type('text/plain; charset=utf-8').send(image.url)
    return {
      status_code: 200,
      success: { message: 'file uploaded', code: 200 },
      image: toCheveretoImage(image),
      status_txt: 'OK',
    }
  },
}

export const imgbbUpload: UploadHandler = {
  ...common,
  respond: ([image]) => ({ data: toImgbbData(image), success: true, status: 200 }),
}

const fileOf = ({ file_name: filename, mime, original_name: name }: UploadedImage, url: string) => ({
  filename,
  name: titleOf(name),
  mime,
  extension: extensionOf(filename),
  url,
})

function toCheveretoImage(image: UploadedImage): CheveretoImage {
  const { url, width, height, size } = image
  const created = dateTimeOf(image.created_at)
  const file = fileOf(image, url)
  return {
    name: file.name,
    extension: file.extension,
    size,
    width,
    height,
    date: created,
    date_gmt: created,
    title: file.name,
    description: null,
    nsfw: 0,
    views: 0,
    original_filename: image.original_name,
    expiration_date_gmt: image.expires_at === null ? null : dateTimeOf(image.expires_at),
    type: 'image',
    id_encoded: image.id,
    filename: image.file_name,
    mime: image.mime,
    url,
    size_formatted: formatBytes(size),
    url_viewer: image.page_url,
    url_short: image.page_url,
    display_url: url,
    display_width: width,
    display_height: height,
    image: { ...file, size },
    ...renditions(image),
  }
}

function toImgbbData(image: UploadedImage): ImgbbData {
  const { url, width, height, size } = image
  return {
    id: image.id,
    title: titleOf(image.original_name),
    url_viewer: image.page_url,
    url,
    display_url: url,
    width,
    height,
    size,
    time: secondsOf(image.created_at),
    // As ImgBB has it, 0 is no expiry.
    expiration: image.expires_at === null ? 0 : secondsOf(image.expires_at) - secondsOf(image.created_at),
    image: fileOf(image, url),
    ...renditions(image),
  }
}

const renditions = (image: UploadedImage) => ({
  thumb: { ...fileOf(image, image.thumbnailUrl), mime: 'image/webp', extension: 'webp' },
  medium: fileOf(image, image.url),
  delete_url: image.delete_url ?? '',
})
