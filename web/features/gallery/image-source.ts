// The addresses of the image of a tile.
import { imageUrls } from '../../../contract/derive/client.ts'
import type { Image } from '../../../contract/endpoints/images.ts'
import { limits } from '../../../contract/plain/limits.ts'
import { thumbnailWidthPx } from './thumbnail-width.ts'

type ImageSource = Pick<Image, 'id' | 'url' | 'thumbnailUrl' | 'width' | 'height'>

/**
 * Returns the URLs to try in this order, for a tile that the image covers.
 * @param width of the tile in device pixels, as is `height`
 * @param smallestPx as of `thumbnailWidthPx`
 */
export function thumbSourcesOf(image: ImageSource, width: number, height: number, smallestPx?: number): string[] {
  const fitting = thumbnailWidthPx(image, width, height, smallestPx)
  const first = fitting === limits.variant.thumbnailPx ? [] : [imageUrls.thumbnail('', image.id, fitting)]
  return [...first, image.thumbnailUrl, image.url]
}
