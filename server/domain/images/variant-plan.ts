// Decides what is rendered for a request. Pure, so that its rules (docs/specification.md, section 5) have a table test.
import { formats } from '../../../contract/formats.ts'
import { limits } from '../../../contract/limits.ts'
import { fittedSize } from '../../imaging/fit.ts'
import type { RenderJob } from '../../imaging/pool/imaging.ts'
import type { ImageRow } from './image-row.ts'

export interface VariantRequest {
  /** 'own': the original's, GIF and SVG as WebP. */
  format: 'webp' | 'jpeg' | 'own'
  /** Pixels. */
  width?: number
  height?: number
  fit: 'inside' | 'cover' | 'contain'
  /** 1 to 100. */
  quality: number
  keepsAnimation: boolean
}

export interface VariantPlan {
  /** Cache key: equal results have equal keys, so all sizes beyond the original's share one. */
  key: string
  format: RenderJob['format']
  job: Omit<RenderJob, 'sourcePath' | 'outPath'>
  mayUseIntermediate: boolean
}

type Picture = Pick<ImageRow, 'format' | 'width' | 'height' | 'frames'>

/** @param sidePx of the box that it fits inside */
export const thumbnailOf = (sidePx: number): VariantRequest => ({
  format: 'webp',
  width: sidePx,
  height: sidePx,
  fit: 'inside',
  quality: limits.variant.defaultQuality,
  keepsAnimation: false,
})

/**
 * The key of the intermediate, made at the upload; variants up to 800 px are rendered from it
 * (twice as fast, visually equal).
 */
export const intermediateKey = 'intermediate'

/** The key of the thumbnail that an upload makes. */
export const thumbnailKey = (image: Picture) => planVariant(image, thumbnailOf(limits.variant.thumbnailPx)).key

/** The files of the upload: galleries show the first, renders need the second. */
export const ingestedKeys = (image: Picture): readonly string[] => [thumbnailKey(image), intermediateKey]

export function planVariant(image: Picture, request: VariantRequest): VariantPlan {
  const picture = image.format === 'svg' ? rasterOf(image) : image
  const format = request.format === 'own' ? ownFormat(picture.format) : request.format
  const box = neverEnlarged(picture, request)
  const scaled = scaledSize(picture, request.fit, box)
  const animated =
    request.keepsAnimation &&
    picture.frames > 1 &&
    picture.frames * scaled.width * scaled.height <= limits.variant.maxAnimatedPixels
  const { fit, quality } = request
  const size = box.height === undefined ? `w${box.width}` : `${fit}-${box.width}x${box.height}`
  return {
    key: `${size}-q${quality}${animated ? '-animated' : ''}.${format}`,
    format,
    job: { ...box, format, fit, quality, animated },
    mayUseIntermediate:
      picture.format === 'svg' ||
      (!animated && Math.max(scaled.width, scaled.height) <= limits.variant.maxFromIntermediatePx),
  }
}

const ownFormat = (format: Picture['format']): RenderJob['format'] => formats[format].rendersAs

/** The pixels of an SVG are those of its raster, which is its intermediate. */
function rasterOf({ width, height, ...rest }: Picture): Picture {
  const { rasterPx } = limits.image
  const { widthPx, heightPx } = fittedSize(
    { widthPx: width, heightPx: height },
    { widthPx: rasterPx, heightPx: rasterPx },
    'inside',
  )
  return { ...rest, width: widthPx, height: heightPx }
}

/** The requested box, reduced so that nothing is enlarged. Cover preserves the requested aspect ratio: the largest such crop that fits. */
function neverEnlarged(picture: Picture, { width, height, fit }: VariantRequest): { width: number; height?: number } {
  if (width === undefined) return { width: picture.width }
  if (height === undefined) return { width: Math.min(width, picture.width) }
  if (fit === 'cover') {
    const shrink = Math.min(1, picture.width / width, picture.height / height)
    return { width: atLeastOne(width * shrink), height: atLeastOne(height * shrink) }
  }
  return fit === 'contain'
    ? { width, height }
    : { width: Math.min(width, picture.width), height: Math.min(height, picture.height) }
}

/** Size of the whole image after the resize, before any crop: it decides the cost and the source. */
function scaledSize(picture: Picture, fit: RenderJob['fit'], box: { width: number; height?: number }) {
  const byWidth = box.width / picture.width
  const byHeight = box.height === undefined ? byWidth : box.height / picture.height
  const scale = Math.min(1, fit === 'cover' ? Math.max(byWidth, byHeight) : Math.min(byWidth, byHeight))
  return { width: atLeastOne(picture.width * scale), height: atLeastOne(picture.height * scale) }
}

const atLeastOne = (pixels: number) => Math.max(1, Math.round(pixels))
