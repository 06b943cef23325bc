import type { Image } from '../../contract/endpoints/images.ts'
import { directLink } from '../model/images/image-links.ts'
import type { ShownImage } from '../model/images/stored-image.ts'

/** One stored in the browser has no type. */
export type Embeddable = ShownImage & Partial<Pick<Image, 'mime' | 'frames' | 'alt' | 'views_left' | 'visibility'>>

/** An image as the embed feature takes it. */
export const embeddable = (image: Embeddable) => ({
  id: image.id,
  url: directLink(image),
  name: image.original_name,
  alt: image.alt || image.title || '',
  width: image.width,
  height: image.height,
  ...(image.mime === undefined ? {} : { mime: image.mime }),
  ...(image.frames === undefined ? {} : { frames: image.frames }),
  ...(typeof image.views_left === 'number' && { hasPreview: false }),
})
