// The scanner of each format. The first wall: linear, in plain JavaScript, before any decoder sees the bytes.

import type { ImageFormat } from '../sniff.ts'
import { broken } from '../refusal.ts'
import { rewriteGif } from './gif.ts'
import { rewriteJpeg } from './jpeg.ts'
import { rewritePng } from './png.ts'
import type { Rewritten } from './rewritten.ts'
import { rewriteWebp } from './webp.ts'

// SVG is not a container of pixels: it gets its own rewriter and its own lane (security.md §2.3), not a row here.
const rewriters: Record<ImageFormat, (source: Buffer) => Rewritten> = {
  jpeg: rewriteJpeg,
  png: rewritePng,
  webp: rewriteWebp,
  gif: rewriteGif,
}

/** Checks the structure against the limits and writes the file anew; refuses with ImageRefused. Never decodes a pixel. */
export function rewrite(format: ImageFormat, source: Buffer): Rewritten {
  try {
    return rewriters[format](source)
  } catch (error) {
    if (isReadPastTheEnd(error)) throw broken('the file ends too early')
    throw error
  }
}

/** Buffer's readers check every index, so a header that is cut off ends here and nowhere worse. */
function isReadPastTheEnd(error: unknown): boolean {
  const code = error instanceof RangeError && 'code' in error && error.code
  return code === 'ERR_OUT_OF_RANGE' || code === 'ERR_BUFFER_OUT_OF_BOUNDS'
}
