// Decides by the bytes which files are converted to WebP: names and types are unreliable.
// Animations, SVG and WebP files that are small enough are sent unchanged.

export type Plan = 'convert' | 'keep'

/** Decides what to do with a file. @param bytes the whole file */
export function planOf(bytes: Uint8Array, maxSidePx: number): Plan {
  if (startsWith(bytes, 0, jpegSignature)) return 'convert'
  if (startsWith(bytes, 0, pngSignature)) return isAnimatedPng(bytes) ? 'keep' : 'convert'
  if (!isWebp(bytes) || isAnimatedWebp(bytes)) return 'keep'
  const size = webpSize(bytes)
  return size !== undefined && Math.max(size.width, size.height) > maxSidePx ? 'convert' : 'keep'
}

/** The largest size of the same shape with no side over `maxSidePx`; never larger than it is. */
export function fitWithin(width: number, height: number, maxSidePx: number): { width: number; height: number } {
  const scale = Math.min(1, maxSidePx / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

/** `harbour.png` becomes `harbour.webp`. */
export function webpName(name: string): string {
  const base = name.replace(/\.[^./\\]*$/, '')
  return `${base === '' ? 'image' : base}.webp`
}

const jpegSignature = [0xff, 0xd8, 0xff]
const pngSignature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

/** APNG has an acTL chunk before the first IDAT chunk. */
function isAnimatedPng(bytes: Uint8Array): boolean {
  const view = viewOf(bytes)
  for (let at = 8; at + 8 <= bytes.length; at += 12 + view.getUint32(at)) {
    const type = textAt(bytes, at + 4)
    if (type === 'acTL') return true
    if (type === 'IDAT') return false
  }
  return false
}

const isWebp = (bytes: Uint8Array) => textAt(bytes, 0) === 'RIFF' && textAt(bytes, 8) === 'WEBP'

/** By the flag in the VP8X header, or by an ANIM chunk where the flag is missing. */
function isAnimatedWebp(bytes: Uint8Array): boolean {
  if (textAt(bytes, 12) !== 'VP8X') return false
  if (((bytes[20] ?? 0) & 0b10) !== 0) return true
  const view = viewOf(bytes)
  for (let at = 12; at + 8 <= bytes.length;) {
    if (textAt(bytes, at) === 'ANIM') return true
    const length = view.getUint32(at + 4, true)
    at += 8 + length + (length % 2)
  }
  return false
}

/** Reads the size in pixels from the header (RFC 9649 section 2). Undefined where it is invalid. */
function webpSize(bytes: Uint8Array): { width: number; height: number } | undefined {
  if (bytes.length < 30) return undefined
  const view = viewOf(bytes)
  switch (textAt(bytes, 12)) {
    case 'VP8X':
      return {
        width: 1 + (view.getUint32(24, true) & 0xff_ffff),
        height: 1 + (view.getUint16(27, true) | (view.getUint8(29) << 16)),
      }
    case 'VP8L': {
      const bits = view.getUint32(21, true)
      return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) }
    }
    case 'VP8 ':
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
    default:
      return undefined
  }
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
const textAt = (bytes: Uint8Array, at: number) => String.fromCharCode(...bytes.subarray(at, at + 4))
const startsWith = (bytes: Uint8Array, at: number, signature: readonly number[]) =>
  signature.every((byte, index) => bytes[at + index] === byte)
