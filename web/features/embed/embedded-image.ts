// The data of an image that embedding needs, and the variants that a page can use.
import { imageUrls } from '../../../contract/derive/client.ts'
import { limits } from '../../../contract/plain/limits.ts'
import { sourceWidths } from '../../../contract/plain/width-ladder.ts'
import { oneLine } from './code-escaping.ts'

export interface EmbeddedImage {
  id: string
  url: string
  name: string
  /** What the owner says it shows, or else its title; empty or missing: nothing. */
  alt?: string
  /** Pixels; 0 when unknown. */
  width: number
  height: number
  /** Unknown for an image that is only stored in this browser. */
  mime?: string
  frames?: number
  /** Of an image with limited views it would take one. Default: true. */
  hasPreview?: boolean
}

export type EmbedWidth = number | 'original'

/** Where a click on the image leads: nowhere, to the whole image, or to its page. */
export const linkTargets = ['none', 'image', 'page'] as const
export type LinkTarget = (typeof linkTargets)[number]

/** Embedded without variants: a variant of an animation may be a still, and that of an SVG is a raster. */
export const hasNoVariants = ({ mime, frames, url }: EmbeddedImage) =>
  mime === undefined ? /\.(gif|svg)$/i.test(url) : mime === 'image/svg+xml' || (frames ?? 1) > 1

/** The selectable widths: all of them when the image's width is unknown. */
export const widthsOf = ({ width }: EmbeddedImage): EmbedWidth[] => [
  ...limits.embed.widthsPx.filter((offered) => width === 0 || offered < width),
  'original',
]

/** The initial alt text: `harbour-at-dusk.final.jpg` becomes "harbour at dusk.final". */
export const initialAlt = ({ alt, name }: Pick<EmbeddedImage, 'alt' | 'name'>) =>
  alt ||
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
  link: string | undefined
}

export interface EmbedChoice {
  width: EmbedWidth
  isResponsive: boolean
  linkTarget: LinkTarget
  /** Default: the best that the reader's browser shows. */
  fmt?: 'webp' | undefined
}

/** @param origin of this page, for an image address without one */
export function embedSourceOf(image: EmbeddedImage, choice: EmbedChoice, origin: string): EmbedSource {
  const { fmt = 'auto' } = choice
  const full = URL.canParse(image.url, origin) ? new URL(image.url, origin).href : `${origin}/`
  const base = new URL(full).origin
  const variant = (width: number) => imageUrls.file(base, image.id, extensionOf(full), { w: width, fmt })
  const width = choice.width === 'original' ? image.width || undefined : choice.width
  const height = width !== undefined && image.width > 0 ? scaled(image, width) : undefined
  const link = { none: undefined, image: full, page: imageUrls.sharePage(origin, image.id) }[choice.linkTarget]
  const shown = { base, full, width, height, link }
  if (hasNoVariants(image)) return { ...shown, url: full, sources: [] }

  const sourceOf = (width: number) => ({
    url: choice.width === 'original' && width === image.width ? full : variant(width),
    width,
  })
  const isServed = choice.isResponsive && image.width > 0 && width !== undefined
  const sources = isServed ? sourceWidths(image.width, width).map(sourceOf) : []
  return { ...shown, url: choice.width === 'original' ? full : variant(choice.width), sources }
}

/** Any name of a format leads to the image where its URL has none. */
export const extensionOf = (url: string): string => /\.([a-z]{3,4})$/i.exec(new URL(url).pathname)?.[1] ?? 'webp'

const scaled = ({ width, height }: EmbeddedImage, to: number) =>
  height > 0 ? Math.max(1, Math.round((height * to) / width)) : undefined
