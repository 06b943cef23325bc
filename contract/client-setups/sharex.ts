// The custom uploader of ShareX (.sxcu).
import { uploadPath } from '../derive/client.ts'
import type { Site } from './setup.ts'

/**
 * Up to version 13.7.1 the braces have no meaning, so the file requires a newer one (ShareX,
 * CustomUploaderItem.cs). ShareX opens the DeletionURL in a browser.
 */
export const shareXUploader = ({ origin, siteName, key }: Site) =>
  JSON.stringify(
    {
      Version: '14.1.0',
      Name: siteName,
      DestinationType: 'ImageUploader',
      RequestMethod: 'POST',
      RequestURL: origin + uploadPath,
      ...(key !== undefined && { Headers: { Authorization: `Bearer ${key}` } }),
      Body: 'MultipartFormData',
      FileFormName: 'image',
      URL: '{json:url}',
      ThumbnailURL: '{json:thumbnailUrl}',
      DeletionURL: '{json:delete_url}',
      ErrorMessage: '{json:error}',
    },
    null,
    2,
  )

/** The site's name as a file name that is valid on every system. */
export function siteFileName(siteName: string, extension: string): string {
  const slug = siteName
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
  return `${slug || 'image-host'}.${extension}`
}
