// Which of an image's pictures a tile shows.
import { imageUrls } from '../../../contract/client.ts'
import type { Image } from '../../../contract/images.ts'
import { limits } from '../../../contract/limits.ts'

/** Few, so that caches are shared. The first is made at the upload, the others when they are first asked for. */
const widthsPx = [limits.variant.thumbnailPx, 800, 1200]
/** A picture may be enlarged this much before a larger one is worth its making. */
const maxEnlarged = 1.5

type Pictured = Pick<Image, 'id' | 'url' | 'thumbnailUrl' | 'width' | 'height'>

/** Addresses to be tried in this order, for a tile that a picture covers. @param width of the tile in device pixels, like `height` */
export function sourcesOf(image: Pictured, width: number, height: number): string[] {
  const longest = Math.max(image.width, image.height)
  const scale = Math.max(width / Math.max(1, image.width), height / Math.max(1, image.height))
  const wanted = Math.min(longest, longest * scale)
  const fitting = widthsPx.find((px) => wanted <= px * maxEnlarged) ?? widthsPx.at(-1)
  const larger = fitting === limits.variant.thumbnailPx ? [] : [imageUrls.thumbnail('', image.id, fitting)]
  return [...larger, image.thumbnailUrl, image.url]
}
