// What a decoder process will fill to render a stored picture, told from its header before anything is decoded.

import type { Metadata } from 'sharp'

/**
 * Beside the 70 MB of the process itself. What promises more takes its turn with large uploads and drawings (docs/decisions/0021);
 * a JPEG of 12 MP stays below at its own size, and so does all that is made of an intermediate.
 */
export const heavyBytes = 100_000_000

/** Frames that would take more are not kept: their first one is rendered. With the process itself: 470 MB. */
export const mostMovingBytes = 400_000_000

export interface Planned {
  /** Of all frames that are written. */
  writtenPixels: number
  /** Of one frame after the resize and before the crop: what a reader that shrinks as it reads holds. */
  scaledPixels: number
  /** Frames that are read at once. */
  frames: number
  /** Whether a frame is put together on a canvas with others, or cropped: then its frames are held in full size. */
  isUnpacked: boolean
}

/** Bytes. Measured with libvips 8.18 on 19 kinds of pictures and 5 renders of each: at most 60 MB below what was filled. */
export function promisedBytes(header: Metadata, { writtenPixels, scaledPixels, frames, isUnpacked }: Planned): number {
  const { channels, hasAlpha, orientation = 1 } = header
  const framePixels = header.width * header.height
  const strip = frames > 1 && isUnpacked ? frames * framePixels * 4 : 0
  const turned = orientation > 1 ? scaledPixels * channels : 0
  const written = writtenPixels * (hasAlpha ? 10 : 6)
  return heldByReader(header, framePixels, scaledPixels * frames, isUnpacked) + strip + turned + written
}

function heldByReader(header: Metadata, framePixels: number, scaledPixels: number, isUnpacked: boolean): number {
  const { format, channels, depth, isProgressive, pages = 1 } = header
  switch (format) {
    case 'jpeg':
      // All coefficients, two bytes each; how coarse the colours are a hostile header can put wrongly.
      return isProgressive ? framePixels * channels * 2 : 0
    case 'png':
      return isProgressive ? framePixels * channels * (depth === 'ushort' ? 2 : 1) : 0
    case 'webp':
      // Two canvases, and the frame that is put on them.
      return pages > 1 && isUnpacked ? framePixels * 12 : scaledPixels * channels * 2
    default:
      return framePixels * 6
  }
}
