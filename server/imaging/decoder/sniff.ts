// The type of a file by its first bytes. Names and claimed types are never asked.

import { startsAsSvg } from './svg/starts-as-svg.ts'

/** What holds pixels, as against what has to be drawn. */
export type PixelFormat = 'jpeg' | 'png' | 'webp' | 'gif'
export type ImageFormat = PixelFormat | 'svg'

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** The format that the bytes start as; undefined for everything else. That they go on as such is for others to see. */
export function sniff(bytes: Buffer): ImageFormat | undefined {
  if (bytes.length < 12) return undefined
  if (bytes.readUIntBE(0, 3) === 0xffd8ff) return 'jpeg'
  if (pngSignature.equals(bytes.subarray(0, 8))) return 'png'
  const head = bytes.toString('latin1', 0, 12)
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'gif'
  if (head.startsWith('RIFF') && head.endsWith('WEBP')) return 'webp'
  return startsAsSvg(bytes) ? 'svg' : undefined
}
