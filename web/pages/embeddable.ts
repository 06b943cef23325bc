import type { Image } from '../../contract/images.ts'
import type { ShownImage } from '../data/stored-image.ts'

/** An image as the embed feature wants it. What the browser has stored does not know its type. */
export const embeddable = (image: ShownImage & Partial<Pick<Image, 'mime' | 'frames'>>) => ({
  id: image.id,
  url: image.url,
  name: image.original_name,
  width: image.width,
  height: image.height,
  ...(image.mime === undefined ? {} : { mime: image.mime }),
  ...(image.frames === undefined ? {} : { frames: image.frames }),
})
