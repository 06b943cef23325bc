// A new key as it is used elsewhere. `base` is this site's origin, without a trailing slash.
import { imagesPath, uploadPath } from '../../../contract/client.ts'

/** For a key that may not upload. */
export const listCommand = (base: string, key: string) =>
  [`curl ${base}${imagesPath}`, `-H "Authorization: Bearer ${key}"`].join(' \\\n  ')

export const curlCommand = (base: string, key: string) =>
  [`curl -X POST ${base}${uploadPath}`, `-H "Authorization: Bearer ${key}"`, '-F "image=@photo.jpg"'].join(' \\\n  ')

export const envLine = (key: string) => `IMAGE_HOST_API_KEY=${key}`

/**
 * A custom uploader for ShareX. Up to version 13.7.1 the braces have no meaning, so the file
 * requires a newer one (ShareX, CustomUploaderItem.cs). No DeletionURL: an upload by a key has no
 * URL that deletes it.
 */
export const shareXUploader = (name: string, base: string, key: string) =>
  JSON.stringify(
    {
      Version: '14.1.0',
      Name: name,
      DestinationType: 'ImageUploader',
      RequestMethod: 'POST',
      RequestURL: base + uploadPath,
      Headers: { Authorization: `Bearer ${key}` },
      Body: 'MultipartFormData',
      FileFormName: 'image',
      URL: '{json:url}',
      ThumbnailURL: '{json:thumbnailUrl}',
      ErrorMessage: '{json:error}',
    },
    null,
    2,
  )

/** The site's name as a file name that is valid on every system. */
export function shareXFileName(siteName: string): string {
  const slug = siteName
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
  return `${slug || 'image-host'}.sxcu`
}
