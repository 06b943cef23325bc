// The image engine: one address for an image in every size and format (docs/decisions/0045).
import { formatNames, formats, type OutputFormat, outputFormats } from '../../../contract/plain/formats.ts'
import type { EngineQuery } from '../../../contract/endpoints/image-engine.ts'
import { limits } from '../../../contract/plain/limits.ts'
import { ladderWidth } from '../../../contract/plain/width-ladder.ts'
import type { Deps } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import { type AcceptedFormats, acceptedFormats } from './accepted-formats.ts'
import { renderAvifLater } from './avif-renders.ts'
import type { ViewedImage } from '../images/image-row.ts'
import { findLiveImage } from '../images/find-image.ts'
import { viewableBy } from '../images/may-view.ts'
import { givesOriginal, originalOf } from './originals.ts'
import type { ServedImage } from './served-image.ts'
import { isSigned, assertNeedsNoSignature } from './signed-variants.ts'
import { type SourceImage, planViewed, type VariantPlan, type VariantRequest } from './variant-plan.ts'
import { cachedVariantOf, getOrRenderVariant } from './variants.ts'
import type { Visitor } from './render-variant.ts'

interface EngineRequest extends Visitor {
  accept: string | undefined
  params: { id: string; extension: string }
  query: EngineQuery & { key?: string | undefined }
}

/**
 * Returns the original without parameters, else the variant that they describe: from the cache, or rendered once for all who
 * wait (render-variant.ts).
 * @throws {Failure} image_gone, image_unavailable, image_not_found, signature_required, busy, too_many_requests
 */
export async function getImageFile(
  deps: Deps,
  { accept, params, query, ...visitor }: EngineRequest,
): Promise<ServedImage> {
  const row = await findLiveImage(deps, 'id', params.id, viewableBy(deps, query))
  const named = formatNamed(row, params.extension)
  if (named === undefined) throw new Failure('image_not_found')
  const isOriginal = named === 'own' && isEmpty(query)
  if (isOriginal && givesOriginal(row)) return originalOf(deps, row)

  const format = query.fmt ?? named
  const request = { ...variantRequestOf(row, query), format: format === 'auto' ? 'own' : format } as const
  if (!isOriginal && !isSigned(deps, row, query)) assertNeedsNoSignature(deps, row, request)
  if (format !== 'auto') return getOrRenderVariant(deps, row, visitor, planViewed(row, request))
  return {
    ...(await negotiated(deps, row, { visitor, request, accepted: acceptedFormats(accept) })),
    variesByAccept: true,
  }
}

/** Any name: it is for people who read the URL. */
export const getNamedImageFile = (deps: Deps, request: EngineRequest) => getImageFile(deps, request)

const isEmpty = ({ sig: _, key: __, ...parameters }: EngineRequest['query']) =>
  Object.values(parameters).every((value) => value === undefined)

/** The format that the extension of a URL means, 'own' for the original's; undefined: none that this image has. */
function formatNamed({ format }: SourceImage, extension: string): OutputFormat | 'own' | undefined {
  const has = ({ extensions }: { extensions: readonly string[] }) => extensions.includes(extension.toLowerCase())
  if (has(formats[format])) return 'own'
  return rendered.find((name) => has(outputFormats[name]))
}

/** GIF and SVG are not made of other images. */
const rendered = ['avif', 'webp', 'jpeg', 'png'] as const

/** The size and effects of a request: widths of the ladder, and no side above the limit. */
export function variantRequestOf(picture: SourceImage, query: EngineQuery): Omit<VariantRequest, 'format'> {
  const { q = limits.variant.defaultQuality, blur, bg } = query
  return {
    ...boxOf(picture, query),
    quality: q,
    keepsAnimation: true,
    ...(blur !== undefined && { blurPx: blur }),
    ...(bg !== undefined && { background: bg }),
  }
}

function boxOf(
  { width, height }: SourceImage,
  { w, h, dpr = 1, fit = 'cover' }: EngineQuery,
): Pick<VariantRequest, 'width' | 'height' | 'fit'> {
  if (w === undefined && h === undefined) return { fit: 'inside' }
  if (w === undefined || h === undefined)
    return { width: ladderWidth((w ?? ((h ?? 0) * width) / height) * dpr), fit: 'inside' }
  // Both sides grow by the same factor; a box that is too high shrinks to the limit.
  const { maxSidePx } = limits.variant
  const wanted = ladderWidth(w * dpr)
  const shrink = Math.min(1, maxSidePx / ((wanted * h) / w))
  return {
    width: atLeastOne(wanted * shrink),
    height: atLeastOne((wanted * shrink * h) / w),
    fit: fit === 'scale-down' ? 'inside' : fit,
  }
}

const atLeastOne = (pixels: number) => Math.max(1, Math.round(pixels))

interface Negotiation {
  visitor: Visitor
  request: VariantRequest
  accepted: AcceptedFormats
}

/**
 * The best format that the client shows. A photograph comes as WebP, at the speed of WebP, until its
 * AVIF is rendered in the background.
 */
async function negotiated(
  deps: Deps,
  row: ViewedImage,
  { visitor, request, accepted }: Negotiation,
): Promise<ServedImage> {
  const plain = planViewed(row, { ...request, format: accepted.webp ? 'webp' : withoutWebp(row, request) })
  const avif = planViewed(row, { ...request, format: 'avif', onlyPhotograph: true })
  if (!accepted.avif || !isWorthAvif(row, avif)) return getOrRenderVariant(deps, row, visitor, plain)
  const cached = await cachedVariantOf(deps, row, avif)
  if (cached) return cached
  const image = await getOrRenderVariant(deps, row, visitor, plain)
  return { ...image, isProvisional: renderAvifLater(deps, row, avif) }
}

/** Whether an AVIF may be worth its render. Drawings and animations are smaller as WebP. */
function isWorthAvif(row: ViewedImage, { format, job }: VariantPlan): boolean {
  if (format !== 'avif' || row.frames > 1 || !mayBePhotograph.includes(row.format)) return false
  // A blurred photograph has as many equal neighbours as a drawing.
  if (job.blurPx !== undefined) return false
  return Math.max(job.width ?? 0, job.height ?? 0) >= limits.variant.minAvifSidePx
}

const mayBePhotograph: readonly ViewedImage['format'][] = formatNames.filter((name) => name !== 'gif' && name !== 'svg')

/** What every client shows. */
function withoutWebp(
  { format, frames, has_alpha: hasAlpha }: ViewedImage,
  { background, blurPx }: VariantRequest,
): OutputFormat {
  if (frames > 1 && blurPx === undefined) return 'gif'
  const isOpaque = hasAlpha === 0 || background !== undefined
  return isOpaque && (format === 'jpeg' || format === 'webp') ? 'jpeg' : 'png'
}
