// The response of an upload: the image, and the fields that clients of other hosts read
// (docs/decisions/0037).
import { imageUrls } from '../../../contract/derive/client.ts'
import type { Image, ImageLinks, UploadedImage } from '../../../contract/endpoints/images.ts'
import type { Deps, ResponseOrigins } from '../shared/deps.ts'
import { ownedDeleteToken } from '../images/deletion/delete-links.ts'
import { type ImageRow, toImage } from '../images/image-row.ts'

/** @param deleteToken of a guest's image */
export function toUploadedImage(
  deps: Pick<Deps, 'jwtSecret' | 'now'>,
  row: ImageRow,
  origins: ResponseOrigins,
  { deleteToken, isDuplicate }: { deleteToken: string | undefined; isDuplicate: boolean },
): UploadedImage {
  const image = toImage(deps, row, origins)
  const guestToken = row.owner_id === null ? deleteToken : undefined
  const token = row.owner_id === null ? guestToken : ownedDeleteToken(deps, row)
  const deleteUrl = token === undefined ? {} : { delete_url: imageUrls.deletePage(origins.siteUrl, row.id, token) }
  const links = { ...linksOf(image), ...deleteUrl }
  return {
    ...image,
    duplicate: isDuplicate,
    quarantined: row.quarantined_at !== null,
    ...(guestToken === undefined ? {} : { delete_token: guestToken }),
    ...deleteUrl,
    success: true,
    code: 200,
    result: 'success',
    message: 'success',
    thumb: image.thumbnailUrl,
    ...(deleteUrl.delete_url === undefined ? {} : { del: deleteUrl.delete_url }),
    data: { key: row.id, name: row.file_name, url: image.url, links },
  }
}

/** The file name, made of ASCII letters, digits, '-' and '.', needs no escaping in any of these. */
export function linksOf({ url, thumbnailUrl, file_name: name }: Image): ImageLinks {
  return {
    url,
    html: `<img src="${url}" alt="${name}" title="${name}" />`,
    bbcode: `[img]${url}[/img]`,
    markdown: `![${name}](${url})`,
    markdown_with_link: `[![${name}](${url})](${url})`,
    thumbnail_url: thumbnailUrl,
  }
}
