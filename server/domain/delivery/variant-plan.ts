// Decides what is rendered for a request. Pure, so that its rules (docs/behaviour.md, "Image delivery") have a table test.
import { createHash } from 'node:crypto'
import { formats, type OutputFormat, outputFormats } from '../../../contract/plain/formats.ts'
import { limits } from '../../../contract/plain/limits.ts'
import { fittedSize } from '../../imaging/fit.ts'
import type { RenderJob } from '../../imaging/pool/imaging.ts'
import type { ImageRow } from '../images/image-row.ts'
import type { Access } from '../images/may-view.ts'

export interface VariantRequest {
  /** 'own': the original's, GIF and SVG as WebP. WebP is made instead of an AVIF that moves or is too large. */
  format: OutputFormat | 'own'
  /** Pixels. */
  width?: number
  height?: number
  fit: 'inside' | 'cover' | 'contain'
  /** 1 to 100, on the scale of JPEG and WebP. */
  quality: number
  /** If the format can move. */
  keepsAnimation: boolean
  /** Standard deviation in pixels of the variant. */
  blurPx?: number
  /** Behind transparent pixels and in the bars of `contain`, 'rrggbb'. Default: white in JPEG, else transparent. */
  background?: string
  /** Refuses to render drawings and screenshots. */
  onlyPhotograph?: boolean
}

export interface VariantPlan {
  /** Cache key: equal results have equal keys, so all sizes beyond the original's share one. */
  key: string
  format: RenderJob['format']
  job: Omit<RenderJob, 'sourcePath' | 'outPath'>
  mayUseIntermediate: boolean
}

export type SourceImage = Pick<ImageRow, 'format' | 'width' | 'height' | 'frames' | 'has_alpha'>

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

/** The keys of the thumbnails that an upload makes: equal ones of a small image. */
export const thumbnailKey = (image: SourceImage) => planVariant(image, thumbnailOf(limits.variant.thumbnailPx)).key
export const listThumbnailKey = (image: SourceImage) =>
  planVariant(image, thumbnailOf(limits.variant.listThumbnailPx)).key

/** The files of the upload: galleries and lists show the first two, renders need the third. */
export const ingestedKeys = (image: SourceImage): readonly string[] => [
  thumbnailKey(image),
  listThumbnailKey(image),
  intermediateKey,
]

/** The plan for an image as somebody may view it: not larger than their key allows, and with the watermark of its link. */
export function planViewed(image: SourceImage & Access, request: VariantRequest): VariantPlan {
  const { named } = image
  if (!named) return planVariant(image, request)
  const limited = named.maxSizePx === null ? request : within(image, request, named.maxSizePx)
  const { watermark } = named
  if (watermark === '') return planVariant(image, limited)
  const { key, job, ...plan } = planVariant(image, { ...limited, keepsAnimation: false })
  const mark = createHash('sha256').update(watermark).digest('hex').slice(0, 16)
  return { ...plan, job: { ...job, watermark }, key: key.replace(/(?=\.\w+$)/, `${keyPartOf(named.linkId)}${mark}`) }
}

/** In the keys of all variants that a link has for itself. */
export const keyPartOf = (linkId: string | null) => `-l${linkId}-`

/** The same request for at most so many pixels of the longest side. */
function within({ width, height }: SourceImage, request: VariantRequest, sidePx: number): VariantRequest {
  const { width: wanted, height: wantedHeight } = request
  if (wanted === undefined) return { ...request, width: sidePx, height: sidePx, fit: 'inside' }
  const tall = wantedHeight ?? (wanted * height) / width
  const shrink = Math.min(1, sidePx / Math.max(wanted, tall))
  const smaller = { ...request, width: Math.max(1, Math.floor(wanted * shrink)) }
  return wantedHeight === undefined ? smaller : { ...smaller, height: Math.max(1, Math.floor(wantedHeight * shrink)) }
}

/** planViewed adds a watermark, and its part of the key. */
type ViewedByAll = Omit<VariantPlan['job'], 'watermark'>

function planVariant(image: SourceImage, request: VariantRequest): VariantPlan {
  const picture = image.format === 'svg' ? rasterOf(image) : image
  const box = neverEnlarged(picture, request)
  const scaled = scaledSize(picture, request.fit, box)
  const { format, animated } = outputOf(picture, request, scaled, box)
  const { fit, blurPx, onlyPhotograph } = request
  const hasQuality = format !== 'png' && format !== 'gif'
  const quality = hasQuality ? request.quality : limits.variant.defaultQuality
  const background = fit === 'contain' || picture.has_alpha === 1 ? request.background : undefined
  const job: ViewedByAll = {
    ...box,
    format,
    fit,
    quality,
    animated,
    ...(blurPx !== undefined && { blurPx }),
    ...(background !== undefined && { background }),
    ...(onlyPhotograph && { onlyPhotograph }),
  }
  return {
    key: keyOf(job),
    format,
    job,
    mayUseIntermediate:
      picture.format === 'svg' ||
      (!animated && Math.max(scaled.width, scaled.height) <= limits.variant.maxFromIntermediatePx),
  }
}

/** The file name of a variant in the cache: equal for equal renders. */
function keyOf(job: ViewedByAll): string {
  const { format, width, height, fit, quality, animated, blurPx, background, onlyPhotograph, ...unkeyed } = job
  // A field that is left out would give two renders one file.
  void (unkeyed satisfies Record<string, never>)
  const traits = [
    height === undefined ? `w${width}` : `${fit}-${width}x${height}`,
    `q${quality}`,
    blurPx !== undefined && `blur${blurPx}`,
    background !== undefined && `on${background}`,
    animated && 'animated',
    onlyPhotograph && 'photograph',
  ]
  return `${traits.filter(Boolean).join('-')}.${format}`
}

interface Box {
  width: number
  height?: number
}

/** @param scaled size of the whole image after the resize */
function outputOf(
  picture: SourceImage,
  { format: requested, keepsAnimation, fit, blurPx }: VariantRequest,
  scaled: Required<Box>,
  box: Box,
): Pick<RenderJob, 'format' | 'animated'> {
  const asked = requested === 'own' ? ownFormat(picture.format) : requested
  const written = fit === 'inside' || box.height === undefined ? scaled : (box as Required<Box>)
  const { maxAnimatedPixels, maxAnimatedGifPixels, maxAvifPixels } = limits.variant
  const mayMove =
    keepsAnimation &&
    blurPx === undefined && // of all frames in one piece
    picture.frames > 1 &&
    picture.frames * scaled.width * scaled.height <= (asked === 'gif' ? maxAnimatedGifPixels : maxAnimatedPixels)
  const format = asked === 'avif' && (mayMove || written.width * written.height > maxAvifPixels) ? 'webp' : asked
  return { format, animated: mayMove && outputFormats[format].canAnimate }
}

const ownFormat = (format: SourceImage['format']): RenderJob['format'] => formats[format].rendersAs

/** The pixels of an SVG are those of its raster, which is its intermediate. */
function rasterOf({ width, height, ...rest }: SourceImage): SourceImage {
  const { rasterPx } = limits.image
  const { widthPx, heightPx } = fittedSize(
    { widthPx: width, heightPx: height },
    { widthPx: rasterPx, heightPx: rasterPx },
    'inside',
  )
  return { ...rest, width: widthPx, height: heightPx }
}

/** The requested box, reduced so that nothing is enlarged. Cover preserves the requested aspect ratio: the largest such crop that fits. */
function neverEnlarged(picture: SourceImage, { width, height, fit }: VariantRequest): Box {
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
function scaledSize(picture: SourceImage, fit: RenderJob['fit'], box: Box): Required<Box> {
  const byWidth = box.width / picture.width
  const byHeight = box.height === undefined ? byWidth : box.height / picture.height
  const scale = Math.min(1, fit === 'cover' ? Math.max(byWidth, byHeight) : Math.min(byWidth, byHeight))
  return { width: atLeastOne(picture.width * scale), height: atLeastOne(picture.height * scale) }
}

const atLeastOne = (pixels: number) => Math.max(1, Math.round(pixels))
