// The two addresses of an image, absolute: of its file, and of its page.
import { imageUrls } from '../../../contract/derive/client.ts'
import type { ShownImage } from './stored-image.ts'

export const directLink = ({ url }: Pick<ShownImage, 'url'>): string => new URL(url, location.href).href

/** The custom link where there is one, which is short; else the share page. */
export function shareLink({ page_url: page, slug }: Pick<ShownImage, 'page_url' | 'slug'>): string {
  const { origin, href } = new URL(page, location.href)
  return slug ? imageUrls.slug(origin, slug) : href
}
