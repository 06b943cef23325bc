// The row of an image, and how the API shows it.
import { imageUrls } from '../../../contract/derive/client.ts'
import type { Image } from '../../../contract/endpoints/images.ts'
import { formats } from '../../../contract/plain/formats.ts'
import { splitTags } from '../../db/image-tags.ts'
import { expiryText } from '../../db/never-expires.ts'
import type { ImagesTable } from '../../db/schema.ts'
import type { Deps, ResponseOrigins } from '../shared/deps.ts'
import type { Viewed } from './may-view.ts'
import { ownViewKeyOf } from './sharing/view-keys.ts'

export type ImageRow = ImagesTable
/** An image as whoever asks may view it. */
export type ViewedImage = Viewed<ImageRow>

/** In the order of their characters. */
export const tagsOf = ({ tags }: Pick<ImageRow, 'tags'>): string[] => splitTags(tags)

/** The addresses are those that people share: the key of a private image is apart. */
export const toImage = (
  deps: Pick<Deps, 'jwtSecret' | 'now'>,
  row: ImageRow,
  { baseUrl, siteUrl }: ResponseOrigins,
): Image => ({
  id: row.id,
  file_name: row.file_name,
  original_name: row.original_name,
  title: row.title,
  alt: row.alt,
  slug: row.slug,
  tags: tagsOf(row),
  url: imageUrls.original(baseUrl, row.file_name),
  thumbnailUrl: imageUrls.thumbnail(baseUrl, row.id),
  page_url: imageUrls.sharePage(siteUrl, row.id),
  width: row.width,
  height: row.height,
  size: row.bytes,
  mime: formats[row.format].mime,
  frames: row.frames,
  placeholder: row.placeholder,
  blur: row.blur,
  created_at: new Date(row.created_at).toISOString(),
  expires_at: expiryText(row.expires_at),
  views_left: row.views_left,
  views: row.views,
  visibility: row.visibility,
  view_key: row.visibility === 'private' ? ownViewKeyOf(deps, row) : null,
  is_guest: row.owner_id === null,
  guest: row.owner_id === null,
})
