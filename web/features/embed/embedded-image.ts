// The data of an image that embedding needs, and the variants that a page can use.
import { imageUrls } from '../../../contract/client.ts'
import { limits } from '../../../contract/limits.ts'
import { oneLine } from './code-escaping.ts'

export interface EmbeddedImage {
  id: string
  url: string
  name: string
  /** What the owner says it shows; empty or missing: nothing. */
  alt?: string
  /** Pixels; 0 when unknown. */
  width: number
  height: number
  /** Unknown for an image that is only stored in this browser. */
  mime?: string
  frames?: number
}

export type EmbedWidth = number | 'original'

/** Embedded without variants: a variant of an animation may be a still, and that of an SVG is a raster. */
export const hasNoVariants = ({ mime, frames, url }: EmbeddedImage) =>
  mime === undefined ? /\.(gif|svg)$/i.test(url) : mime === 'image/svg+xml' || (frames ?? 1) > 1

/** The selectable widths: all of them when the image's width is unknown. */
export const widthsOf = ({ width }: EmbeddedImage): EmbedWidth[] => [
  ...limits.embed.widthsPx.filter((offered) => width === 0 || offered < width),
  'original',
]

/** The initial alt text: `harbour-at-dusk.final.jpg` becomes "harbour at dusk.final". */
export const initialAlt = (name: string) =>
  oneLine(name)
    .replace(/\.[a-z\d]{2,5}$/i, '')
    .replace(/[\s_-]+/g, ' ')
    .trim()

export interface EmbedSource {
  /** All addresses are absolute. */
  base: string
  full: string
  url: string
  /** Pixels; undefined when unknown. */
  width: number | undefined
  height: number | undefined
  /** Widths for `srcset`; empty: `url` for every screen. */
  sources: { url: string; width: number }[]
}

/** @param origin of this page, for an image address without one */
export function embedSourceOf(
  image: EmbeddedImage,
  chosen: EmbedWidth,
  isResponsive: boolean,
  origin: string,
): EmbedSource {
  const full = URL.canParse(image.url, origin) ? new URL(image.url, origin).href : `${origin}/`
  const base = new URL(full).origin
  const variant = (width: number) => imageUrls.webp(base, image.id, limits.variant.defaultQuality, width)
  const width = chosen === 'original' ? image.width || undefined : chosen
  const height = width !== undefined && image.width > 0 ? scaled(image, width) : undefined
  if (hasNoVariants(image)) return { base, full, url: full, width, height, sources: [] }

  const sources = isResponsive ? narrowed(image.width).map((width) => ({ url: variant(width), width })) : []
  if (chosen !== 'original') return { base, full, url: variant(chosen), width, height, sources }
  const own = sources.length === 0 ? [] : [{ url: full, width: image.width }]
  return { base, full, url: full, width, height, sources: [...sources.filter((s) => s.width < image.width), ...own] }
}

const scaled = ({ width, height }: EmbeddedImage, to: number) =>
  height > 0 ? Math.max(1, Math.round((height * to) / width)) : undefined

/** No duplicates and none wider than the image; empty when its width is unknown, since the descriptors would be wrong. */
const narrowed = (width: number) =>
  width === 0 ? [] : [...new Set(limits.embed.widthsPx.map((offered) => Math.min(offered, width)))]
