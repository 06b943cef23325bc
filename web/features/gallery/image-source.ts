// Chooses the variant of an image that a tile loads.
import { imageUrls } from '../../../contract/client.ts'
import type { Image } from '../../../contract/images.ts'
import { limits } from '../../../contract/limits.ts'

/** Few widths, so that caches are shared. Only `thumbnailPx` is rendered at the upload. */
const widthsPx = [limits.variant.listThumbnailPx, limits.variant.thumbnailPx, 800, 1200]
/** A variant may be enlarged by this factor before a larger one is loaded. */
const maxEnlargement = 1.5

type ImageSource = Pick<Image, 'id' | 'url' | 'thumbnailUrl' | 'width' | 'height'>

/**
 * Returns the URLs to try in this order, for a tile that the image covers.
 * @param width of the tile in device pixels, as is `height`
 * @param smallestPx one of `widthsPx`
 */
export function sourcesOf(
  image: ImageSource,
  width: number,
  height: number,
  smallestPx: number = limits.variant.thumbnailPx,
): string[] {
  const longest = Math.max(image.width, image.height)
  const scale = Math.max(width / Math.max(1, image.width), height / Math.max(1, image.height))
  const wanted = Math.min(longest, longest * scale)
  const fitting = widthsPx.find((px) => px >= smallestPx && wanted <= px * maxEnlargement) ?? widthsPx.at(-1)
  const first = fitting === limits.variant.thumbnailPx ? [] : [imageUrls.thumbnail('', image.id, fitting)]
  return [...first, image.thumbnailUrl, image.url]
}
