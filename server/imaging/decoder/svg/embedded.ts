// Images embedded in an SVG as data: addresses: rewritten and decoded like any upload, within smaller limits.

import { formats, isPixelFormat, type PixelFormat, pixelFormats } from '../../../../contract/plain/formats.ts'
import { rewrite } from '../container/rewrite.ts'
import type { RewrittenImage } from '../container/rewritten.ts'
import { decodeAndTrim } from '../decode-and-trim.ts'
import { ImageRefused, overLimit } from '../../refusal.ts'
import { sniff } from '../sniff.ts'
import { maxEmbeddedPixels } from './bounds.ts'
import { descendants, type EmbeddedImage, type SvgElement } from './element.ts'

/** The decoded pixels are not used, so they are decoded small. */
const verifySidePx = 64

/** 'image/jpg' is not registered, but common: every extension counts as a type too. */
const types = pixelFormats.flatMap((name) => [
  formats[name].mime,
  ...formats[name].extensions.map((extension) => `image/${extension}`),
])
const dataUrlHead = new RegExp(`^data:(?:${types.join('|')})(?:;charset=[\\w-]+)?;base64,`, 'i')

/** Returns undefined for every other address. The bytes decide the format, not the claimed type; metadata is removed. */
export function readEmbedded(address: string): EmbeddedImage | undefined {
  const head = dataUrlHead.exec(address)
  const coded = head && address.slice(head[0].length).replace(/\s+/g, '')
  if (!coded || !/^[a-z0-9+/]+={0,2}$/i.test(coded)) return undefined
  const source = Buffer.from(coded, 'base64')
  const format = sniff(source)
  if (format === undefined || !isPixelFormat(format)) return undefined
  const image = rewriteEmbedded(format, source)
  const pixels = image.widthPx * image.heightPx * image.frames
  if (pixels > maxEmbeddedPixels) {
    throw overLimit(`a picture inside the SVG has more than ${maxEmbeddedPixels / 1e6} megapixels`)
  }
  return { href: hrefOf(format, image), pixels, format, image }
}

const hrefOf = (format: PixelFormat, { bytes }: RewrittenImage) =>
  `data:${formats[format].mime};base64,${bytes.toString('base64')}`

/**
 * Decodes every embedded image: librsvg leaves out what it cannot decode without an error. Where only a JPEG without its trailing
 * bytes is valid, the reference is replaced by that one.
 * @returns whether a reference was replaced, so that the SVG must be written again
 * @throws {ImageRefused} broken
 */
export async function verifyEmbedded(root: SvgElement): Promise<boolean> {
  let isChanged = false
  try {
    for (const { attributes, embedded } of descendants(root)) {
      if (!embedded) continue
      const { image } = await decodeAndTrim(embedded.image, verifySidePx)
      if (image === embedded.image) continue
      attributes.set('xlink:href', hrefOf(embedded.format, image))
      isChanged = true
    }
  } catch (error) {
    throw asEmbedded(error)
  }
  return isChanged
}

function rewriteEmbedded(format: PixelFormat, source: Buffer): RewrittenImage {
  try {
    return rewrite(format, source)
  } catch (error) {
    throw asEmbedded(error)
  }
}

/** A refusal says that the image is inside the SVG. */
function asEmbedded(error: unknown): unknown {
  if (!(error instanceof ImageRefused)) return error
  return new ImageRefused(error.reason, `a picture inside the SVG: ${error.message}`, { cause: error })
}
