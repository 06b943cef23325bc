// What embedding needs to know of an image, and which pictures of it a page can be given.
import { imageUrls } from '../../../contract/client.ts'
import { limits } from '../../../contract/limits.ts'
import { oneLine } from './escape.ts'

export interface EmbeddedImage {
  id: string
  url: string
  name: string
  /** Pixels; 0 where not known. */
  width: number
  height: number
  /** Not known of what only this browser remembers. */
  mime?: string
  frames?: number
}

export type EmbedWidth = number | 'original'

/** Shown as they are: a variant of an animation may be a still, that of a drawing is pixels. */
export const isShownAsIs = ({ mime, frames, url }: EmbeddedImage) =>
  mime === undefined ? /\.(gif|svg)$/i.test(url) : mime === 'image/svg+xml' || (frames ?? 1) > 1

/** The widths to choose from: all where the image's own is not known. */
export const widthsOf = ({ width }: EmbeddedImage): EmbedWidth[] => [
  ...limits.embed.widthsPx.filter((offered) => width === 0 || offered < width),
  'original',
]

/** The text to start from: `harbour-at-dusk.final.jpg` says "harbour at dusk.final". */
export const altOf = (name: string) =>
  oneLine(name)
    .replace(/\.[a-z\d]{2,5}$/i, '')
    .replace(/[\s_-]+/g, ' ')
    .trim()

export interface Shown {
  /** All addresses are absolute. */
  base: string
  full: string
  url: string
  /** Pixels; undefined where not known. */
  width: number | undefined
  height: number | undefined
  /** Widths to choose from by what the reader's screen needs; empty: `url` for all. */
  sources: { url: string; width: number }[]
}

/** @param origin of this page, for an image whose address has none */
export function shown(image: EmbeddedImage, chosen: EmbedWidth, isResponsive: boolean, origin: string): Shown {
  const full = URL.canParse(image.url, origin) ? new URL(image.url, origin).href : `${origin}/`
  const base = new URL(full).origin
  const variant = (width: number) => imageUrls.webp(base, image.id, limits.variant.defaultQuality, width)
  const width = chosen === 'original' ? image.width || undefined : chosen
  const height = width !== undefined && image.width > 0 ? scaled(image, width) : undefined
  if (isShownAsIs(image)) return { base, full, url: full, width, height, sources: [] }

  const sources = isResponsive ? narrowed(image.width).map((width) => ({ url: variant(width), width })) : []
  if (chosen !== 'original') return { base, full, url: variant(chosen), width, height, sources }
  const own = sources.length === 0 ? [] : [{ url: full, width: image.width }]
  return { base, full, url: full, width, height, sources: [...sources.filter((s) => s.width < image.width), ...own] }
}

const scaled = ({ width, height }: EmbeddedImage, to: number) =>
  height > 0 ? Math.max(1, Math.round((height * to) / width)) : undefined

/** None twice, none wider than the image; none at all where its width is not known, as they would claim a wrong one. */
const narrowed = (width: number) =>
  width === 0 ? [] : [...new Set(limits.embed.widthsPx.map((offered) => Math.min(offered, width)))]
