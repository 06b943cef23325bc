// Decodes an image strictly, which verifies it. Bytes that some cameras leave before the end marker of a JPEG are trimmed instead
// of refused.
import type { RewrittenImage } from './container/rewritten.ts'
import { requireMatchingHeader, decodePixels, type Pixels } from './pixels.ts'
import { ImageRefused } from '../refusal.ts'

export interface DecodedImage {
  image: RewrittenImage
  hasAlpha: boolean
  pixels: Pixels
}

/**
 * Decodes the rewritten file, not the upload: dropped chunks never reach the decoder.
 * @param insidePx the side of the square that the returned pixels fit into
 * @throws {ImageRefused} broken
 */
export async function decodeAndTrim(image: RewrittenImage, insidePx: number): Promise<DecodedImage> {
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
