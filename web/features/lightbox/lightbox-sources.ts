// The URLs that the lightbox loads of an image, and the size at which it is drawn.
import { imageUrls, withKey } from '../../../contract/derive/client.ts'
import type { Image } from '../../../contract/endpoints/images.ts'
import { limits } from '../../../contract/plain/limits.ts'

interface Source {
  src: string
  width: number
}

export interface Sources {
  src: string
  /** Empty where only the original is used. */
  alternatives: Source[]
}

const isSvg = ({ mime }: Image) => mime === 'image/svg+xml'

/** WebP in `limits.lightboxWidthsPx` up to the image's own; animations and SVG as the original. */
export function slideSourcesOf(image: Image): Sources {
  if (image.frames > 1 || isSvg(image)) return { src: withKey(image.url, image.view_key), alternatives: [] }
  const widest = Math.min(image.width, Math.max(...limits.lightboxWidthsPx))
  const widths = [...limits.lightboxWidthsPx.filter((width) => width < widest), widest]
  return {
    src: webpUrl(image, Math.min(image.width, limits.variant.lightboxPx)),
    alternatives: widths.map((width) => ({ src: webpUrl(image, width), width })),
  }
}

const webpUrl = ({ id, view_key: key }: Image, width: number) =>
  withKey(imageUrls.webp('', id, limits.variant.defaultQuality, width), key)

/** Size in pixels before zooming. SVG is enlarged, since it is sharp at any size. */
export function naturalSize(image: Image): { width: number; height: number } {
  const longest = Math.max(image.width, image.height, 1)
  const scale = isSvg(image) ? Math.max(1, limits.variant.lightboxPx / longest) : 1
  return { width: image.width * scale, height: image.height * scale }
}

/** The natural size, scaled down to fit into `space`. */
export function fittedSize(image: Image, space: { width: number; height: number }): { width: number; height: number } {
  const { width, height } = naturalSize(image)
  const scale = Math.min(1, space.width / Math.max(1, width), space.height / Math.max(1, height))
  return { width: Math.round(width * scale), height: Math.round(height * scale) }
}
