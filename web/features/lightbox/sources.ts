// Which addresses of an image the lightbox loads, and in which size it is drawn.
import { imageUrls } from '../../../contract/client.ts'
import type { Image } from '../../../contract/images.ts'
import { limits } from '../../../contract/limits.ts'

interface Source {
  src: string
  width: number
}

export interface Sources {
  src: string
  /** Empty where only the original will do. */
  alternatives: Source[]
}

const isDrawing = ({ mime }: Image) => mime === 'image/svg+xml'

/** WebP in the widths of the design, never wider than the original. Animations and SVG as they are: they would lose motion or scale. */
export function sourcesOf(image: Image): Sources {
  if (image.frames > 1 || isDrawing(image)) return { src: image.url, alternatives: [] }
  const widest = Math.min(image.width, Math.max(...limits.lightboxWidthsPx))
  const widths = [...limits.lightboxWidthsPx.filter((width) => width < widest), widest]
  return {
    src: address(image, Math.min(image.width, limits.variant.lightboxPx)),
    alternatives: widths.map((width) => ({ src: address(image, width), width })),
  }
}

const address = ({ id }: Image, width: number) => imageUrls.webp('', id, limits.variant.defaultQuality, width)

/** Pixels that the image fills on screen before it is zoomed, where there is room. Drawings are as sharp at any size. */
export function naturalSize(image: Image): { width: number; height: number } {
  const longest = Math.max(image.width, image.height, 1)
  const scale = isDrawing(image) ? Math.max(1, limits.variant.lightboxPx / longest) : 1
  return { width: image.width * scale, height: image.height * scale }
}

/** The natural size, or smaller with the same ratio so that it fits into `room`. */
export function fittedSize(image: Image, room: { width: number; height: number }): { width: number; height: number } {
  const { width, height } = naturalSize(image)
  const scale = Math.min(1, room.width / Math.max(1, width), room.height / Math.max(1, height))
  return { width: Math.round(width * scale), height: Math.round(height * scale) }
}
