// Verifies an image by decoding it, and tolerates the one warning of libjpeg that files of real cameras cause.

import type { RewrittenImage } from './container/rewritten.ts'
import { requireMatchingHeader, decodePixels, type Pixels } from './pixels.ts'
import { ImageRefused } from '../refusal.ts'

export interface VerifiedImage {
  image: RewrittenImage
  hasAlpha: boolean
  pixels: Pixels
}

/**
 * Decodes the rewritten file, not the upload: dropped chunks never reach the decoder.
 * @param insidePx the side of the square that the returned pixels fit into
 * @throws {ImageRefused} broken
 */
export async function verifyByDecoding(image: RewrittenImage, insidePx: number): Promise<VerifiedImage> {
  const { hasAlpha } = await requireMatchingHeader(image)
  try {
    return { image, hasAlpha, pixels: await decodePixels(image, insidePx) }
  } catch (refusal) {
    const trimmed = withoutTrailingBytes(image, refusal)
    if (!trimmed) throw refusal
    return { image: trimmed, hasAlpha, pixels: await decodePixels(trimmed, insidePx) }
  }
}

const extraneousBytes = /^VipsJpeg: Corrupt JPEG data: (\d{1,8}) extraneous bytes before marker 0xd9\s*$/
const eoiBytes = 2

/**
 * Some cameras leave bytes between the image data of a JPEG and its end marker. Returns the image without them if libjpeg
 * warns of nothing else, otherwise undefined. libjpeg counts bytes that it skipped after the last complete block, so no
 * pixel depends on them; the strict decode that follows verifies it.
 */
function withoutTrailingBytes(image: RewrittenImage, refusal: unknown): RewrittenImage | undefined {
  if (!(refusal instanceof ImageRefused) || !(refusal.cause instanceof Error)) return undefined
  const skipped = Number(extraneousBytes.exec(refusal.cause.message.slice(0, 200))?.[1] ?? 0)
  const end = image.bytes.length - eoiBytes
  if (skipped === 0 || skipped > end) return undefined
  const bytes = Buffer.concat([image.bytes.subarray(0, end - skipped), image.bytes.subarray(end)])
  return { ...image, bytes }
}
