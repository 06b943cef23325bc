// Which variant of an image a tile loads.
import type { Image } from '../../../contract/endpoints/images.ts'
import { thumbnailLimits } from '../../../contract/plain/first-script-limits.ts'

/** Few widths, so that caches are shared. Only `thumbnailPx` is rendered at the upload. */
const widthsPx = [thumbnailLimits.listThumbnailPx, thumbnailLimits.thumbnailPx, 800, 1200]
/** A variant may be enlarged by this factor before a larger one is loaded. */
const maxEnlargement = 1.5

/**
 * @param width of the tile in device pixels, as is `height`; the image covers it
 * @param smallestPx one of `widthsPx`
 */
export function thumbnailWidthPx(
  image: Pick<Image, 'width' | 'height'>,
  width: number,
  height: number,
  smallestPx: number = thumbnailLimits.thumbnailPx,
): number {
  const longest = Math.max(image.width, image.height)
  const scale = Math.max(width / Math.max(1, image.width), height / Math.max(1, image.height))
  const wanted = Math.min(longest, longest * scale)
  return widthsPx.find((px) => px >= smallestPx && wanted <= px * maxEnlargement) ?? Math.max(...widthsPx)
}
