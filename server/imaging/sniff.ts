// The type of a file by its first bytes. Names and claimed types are never asked (security.md §2.3).

export type ImageFormat = 'jpeg' | 'png' | 'webp' | 'gif'

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** The format whose signature the bytes start with; undefined for everything else. */
export function sniff(bytes: Buffer): ImageFormat | undefined {
  if (bytes.length < 12) return undefined
  if (bytes.readUIntBE(0, 3) === 0xffd8ff) return 'jpeg'
  if (pngSignature.equals(bytes.subarray(0, 8))) return 'png'
  const head = bytes.toString('latin1', 0, 12)
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'gif'
  if (head.startsWith('RIFF') && head.endsWith('WEBP')) return 'webp'
  return undefined
}
