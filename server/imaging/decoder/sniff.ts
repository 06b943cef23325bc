// Detects the format of a file from its first bytes. Names and claimed types are ignored.

import { type ImageFormat, pixelFormats } from '../../../contract/plain/formats.ts'
import { pixelFormatRows } from './pixel-formats.ts'
import { startsAsSvg } from './svg/starts-as-svg.ts'

/** Longer than every signature. */
const headBytes = 12

const signatures = pixelFormats.flatMap((format) =>
  pixelFormatRows[format].signatures.map((signature) => ({ format, pattern: new RegExp(`^${signature}`) })),
)

/** Returns undefined for every other file. Whether the rest of the file is valid is checked later. */
export function sniff(bytes: Buffer): ImageFormat | undefined {
  if (bytes.length < headBytes) return undefined
  const head = bytes.toString('hex', 0, headBytes)
  return signatures.find(({ pattern }) => pattern.test(head))?.format ?? (startsAsSvg(bytes) ? 'svg' : undefined)
}
