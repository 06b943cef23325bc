// Scans and rewrites a file in its format.

import type { PixelFormat } from '../../../../contract/plain/formats.ts'
import { broken } from '../../refusal.ts'
import { pixelFormatRows } from '../pixel-formats.ts'
import type { RewrittenImage } from './rewritten.ts'

/** Checks the structure against the limits and writes the file again. Never decodes a pixel. @throws {ImageRefused} */
export function rewrite(format: PixelFormat, source: Buffer): RewrittenImage {
  try {
    return pixelFormatRows[format].rewrite(source)
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
