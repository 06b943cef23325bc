// The container scanner of each format. Runs before any decoder, in linear time and plain JavaScript.

import type { PixelFormat } from '../../../../contract/formats.ts'
import { broken } from '../../refusal.ts'
import { rewriteGif } from './gif.ts'
import { rewriteJpeg } from './jpeg.ts'
import { rewritePng } from './png.ts'
import type { Rewritten } from './rewritten.ts'
import { rewriteWebp } from './webp.ts'

const rewriters: Record<PixelFormat, (source: Buffer) => Rewritten> = {
  jpeg: rewriteJpeg,
  png: rewritePng,
  webp: rewriteWebp,
  gif: rewriteGif,
}

/** Checks the structure against the limits and writes the file again. Never decodes a pixel. @throws {ImageRefused} */
export function rewrite(format: PixelFormat, source: Buffer): Rewritten {
  try {
    return rewriters[format](source)
  } catch (error) {
    if (isReadPastTheEnd(error)) throw broken('the file ends too early')
    throw error
  }
}

/** Buffer's read methods check every index, so a truncated header throws here. */
function isReadPastTheEnd(error: unknown): boolean {
  const code = error instanceof RangeError && 'code' in error && error.code
  return code === 'ERR_OUT_OF_RANGE' || code === 'ERR_BUFFER_OUT_OF_BOUNDS'
}
