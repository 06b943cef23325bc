// Which of an image's pictures a tile shows.
import { imageUrls } from '../../../contract/client.ts'
import type { Image } from '../../../contract/images.ts'
import { limits } from '../../../contract/limits.ts'

/** Few, so that caches are shared. The first is made at the upload, the others when they are first asked for. */
const widthsPx = [limits.variant.thumbnailPx, 800, 1200]
/** A picture may be enlarged this much before a larger one is worth its making. */
const maxEnlarged = 1.5

/** To be tried in this order. @param longestPx the longest side of the tile in device pixels */
export function sourcesOf(image: Pick<Image, 'id' | 'url' | 'thumbnailUrl'>, longestPx: number): string[] {
  const fitting = widthsPx.find((width) => longestPx <= width * maxEnlarged) ?? widthsPx.at(-1)
  const larger = fitting === limits.variant.thumbnailPx ? [] : [imageUrls.thumbnail('', image.id, fitting)]
  return [...larger, image.thumbnailUrl, image.url]
}
