import type { Image } from '../../contract/endpoints/images.ts'
import type { ShownImage } from '../model/images/stored-image.ts'

/** An image as the embed feature takes it. One stored in the browser has no type. */
export const embeddable = (image: ShownImage & Partial<Pick<Image, 'mime' | 'frames' | 'alt' | 'views_left'>>) => ({
  id: image.id,
  url: image.url,
  name: image.original_name,
  ...(image.alt === undefined ? {} : { alt: image.alt }),
  width: image.width,
  height: image.height,
  ...(image.mime === undefined ? {} : { mime: image.mime }),
  ...(image.frames === undefined ? {} : { frames: image.frames }),
  ...(typeof image.views_left === 'number' && { hasPreview: false }),
})
