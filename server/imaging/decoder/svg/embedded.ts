// Images embedded in an SVG as data: addresses: rewritten and proven like any upload, within smaller limits.

import { formats, isPixelFormat, type PixelFormat, pixelFormats } from '../../../../contract/formats.ts'
import { rewrite } from '../container/rewrite.ts'
import type { RewrittenImage } from '../container/rewritten.ts'
import { verifyByDecoding } from '../verify-by-decoding.ts'
import { ImageRefused, overLimit } from '../../refusal.ts'
import { sniff } from '../sniff.ts'
import { maxEmbeddedPixels } from './bounds.ts'
import type { EmbeddedImage } from './element.ts'

/** The decoded pixels are not used, so they are decoded small. */
const provenPx = 64

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
  return { href: `data:${formats[format].mime};base64,${image.bytes.toString('base64')}`, pixels, image }
}

/**
 * Decodes every embedded image: librsvg leaves out what it cannot decode without an error.
 * @throws {ImageRefused} broken
 */
export async function proveEmbedded(images: readonly RewrittenImage[]): Promise<void> {
  try {
    for (const image of images) await verifyByDecoding(image, provenPx)
  } catch (error) {
    throw asEmbedded(error)
  }
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
