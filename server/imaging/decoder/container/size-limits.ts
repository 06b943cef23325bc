// The limits that every container is checked against before a decoder reads it.

import { limits } from '../../../../contract/plain/limits.ts'
import { broken, overLimit } from '../../refusal.ts'

const { maxSidePx, maxPixels, maxFrames, maxPixelsAllFrames, maxHeldBytes } = limits.image

/** The declared canvas: decoders report what they decode, which can be less. */
export function checkCanvas(widthPx: number, heightPx: number): void {
  const size = `${widthPx} x ${heightPx} pixels`
  if (widthPx < 1 || heightPx < 1) throw broken('the image has no pixels')
  if (widthPx > maxSidePx || heightPx > maxSidePx) throw overLimit(`${size} is more than ${maxSidePx} on a side`)
  if (widthPx * heightPx > maxPixels) throw overLimit(`${size} is more than ${maxPixels / 1e6} megapixels`)
}

/** Called per frame, so that a scan stops at the first frame over the limit. */
export function checkFrames(frames: number, widthPx: number, heightPx: number): void {
  if (frames > maxFrames) throw overLimit(`the animation has more than ${maxFrames} frames`)
  if (frames > 1 && frames * widthPx * heightPx > maxPixelsAllFrames) {
    throw overLimit(`the frames together have more than ${maxPixelsAllFrames / 1e6} megapixels`)
  }
}

/** Of frames that are decoded by JavaScript, which takes a second for 50 megapixels. */
export function checkCroppedPixels(pixels: number): void {
  if (pixels > maxPixels)
    throw overLimit(`the frames outside of the picture have more than ${maxPixels / 1e6} megapixels`)
}

/** For images that the decoder must hold in memory whole; sharp's `limitInputPixels` does not cover this. */
export function checkDecodeMemory(heldBytes: number, kind: string): void {
  if (heldBytes > maxHeldBytes) {
    throw overLimit(`${kind} of this size needs more than ${maxHeldBytes / 2 ** 20} MiB of memory`)
  }
}
