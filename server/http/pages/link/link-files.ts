// The files of an image that the page of a link shows, within what the link allows.
import { imageUrls, withKey } from '../../../../contract/derive/client.ts'
import { formats } from '../../../../contract/plain/formats.ts'
import { limits } from '../../../../contract/plain/limits.ts'
import { widthLadder } from '../../../../contract/plain/width-ladder.ts'
import type { ImageRow } from '../../../domain/images/image-row.ts'
import { altOf } from '../../../domain/images/shared-image.ts'
import { previewOf, type ShownFile } from '../share/preview-files.ts'

export interface LinkedImage {
  row: ImageRow & { key: string | undefined }
  /** Pixels of the longest side of what visitors get; null: any, and the original. */
  maxPx: number | null
}

/** Few, because the first response has them for sixty images. */
const widthsPx = [320, 512, 800, 1200, 1600, 2400]
/** What opens without a script. */
const openedPx = 1600

interface LinkedFiles {
  /** For `src`. */
  small: string
  /** For `srcset`, ascending; empty for an animation and for an SVG. */
  sources: { url: string; width: number }[]
  /** What a click opens. */
  large: string
  /** What is saved, where the link lets visitors download. */
  saved: string
}

export function filesOf({ row, maxPx }: LinkedImage, base: string): LinkedFiles {
  const original = withKey(imageUrls.original(base, row.file_name), row.key)
  const resized = (width: number) => withKey(imageUrls.resize(base, row.id, width), row.key)
  if (row.format === 'svg' || row.frames > 1) {
    const large = maxPx === null ? original : resized(widthWithin(row, maxPx))
    return { small: resized(Math.min(800, widthWithin(row, maxPx ?? Infinity))), sources: [], large, saved: large }
  }
  const [extension] = formats[row.format].extensions
  const sources = sourceWidthsOf(row, maxPx).map((width) => ({
    url: withKey(imageUrls.file(base, row.id, extension, { w: width, fmt: 'auto' }), row.key),
    width,
  }))
  const large = (sources.findLast(({ width }) => width <= openedPx) ?? sources[0])?.url ?? original
  const small = (sources.find(({ width }) => width >= 512) ?? sources.at(-1))?.url ?? original
  return { small, sources, large, saved: maxPx === null ? original : (sources.at(-1)?.url ?? large) }
}

type Size = Pick<ImageRow, 'width' | 'height'>

function sourceWidthsOf(row: Size, maxPx: number | null): number[] {
  const widest = maxPx === null && row.width <= 2400 ? row.width : widthWithin(row, maxPx ?? 2400)
  return [...widthsPx.filter((width) => width < widest), widest]
}

/** The largest width of the ladder with which neither side is longer than `maxPx`. */
function widthWithin({ width, height }: Size, maxPx: number): number {
  const scale = Math.min(1, maxPx / Math.max(width, height))
  return widthLadder.findLast((rung) => rung <= width * scale) ?? widthLadder[0]
}

/** What stands for a link elsewhere. */
export type Card = ShownFile & { alt: string }

/** Pixels. */
export interface Box {
  width: number
  height: number
}

/** The first image, without those with limited views: showing a preview must not use one of them. */
export function coverCardOf(
  { images, albums }: { images: LinkedImage[]; albums: { cover: LinkedImage }[] },
  base: string,
  box: Box = { width: Infinity, height: Infinity },
): Card | undefined {
  const cover = [...images, ...albums.map((album) => album.cover)].find(({ row }) => row.views_left === null)
  if (!cover) return undefined
  const { row, maxPx } = cover
  const most = Math.min(maxPx ?? Infinity, limits.share.previewPx)
  // Where there are no originals, an animation is not shown as it is.
  const shown = maxPx === null ? row : { ...row, format: 'jpeg' as const, has_alpha: 0 as const }
  const within = { width: Math.min(box.width, most), height: Math.min(box.height, most) }
  return { ...previewOf(shown, base, within), alt: altOf(row) }
}

/** Of several images, in its one size. */
export function collageCardOf(
  { collagePath, title }: { collagePath: string | null; title: string },
  siteUrl: string,
): Card | undefined {
  const { widthPx: width, heightPx: height } = limits.share.collage
  return collagePath === null
    ? undefined
    : { url: siteUrl + collagePath, mime: 'image/jpeg', width, height, alt: title }
}
