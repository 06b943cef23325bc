// How the pixel formats are detected, checked and decoded: one row per format.

import type { PixelFormat } from '../../../contract/plain/formats.ts'
import { rewriteGif } from './container/gif.ts'
import { rewriteJpeg } from './container/jpeg.ts'
import { rewritePng } from './container/png.ts'
import type { RewrittenImage } from './container/rewritten.ts'
import { rewriteWebp } from './container/webp.ts'

interface PixelFormatRow {
  /** The first bytes in hexadecimal, '..' for any byte; at most 12. */
  signatures: readonly string[]
  /** The libvips operation that reads it from memory. All others are blocked. */
  loader: string
  /** Scans the container, in linear time and plain JavaScript, before any decoder runs. */
  rewrite: (source: Buffer) => RewrittenImage
}

export const pixelFormatRows: Record<PixelFormat, PixelFormatRow> = {
  png: { signatures: ['89504e470d0a1a0a'], loader: 'VipsForeignLoadPngBuffer', rewrite: rewritePng },
  jpeg: { signatures: ['ffd8ff'], loader: 'VipsForeignLoadJpegBuffer', rewrite: rewriteJpeg },
  webp: { signatures: ['52494646........57454250'], loader: 'VipsForeignLoadWebpBuffer', rewrite: rewriteWebp },
  gif: {
    signatures: ['474946383761', '474946383961'],
    loader: 'VipsForeignLoadNsgifBuffer',
    rewrite: rewriteGif,
  },
}
