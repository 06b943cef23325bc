// Estimates from the header how much memory a decoder process needs to render a stored image.

import type { Metadata } from 'sharp'
import { pixelFormats } from '../../../contract/plain/formats.ts'

/**
 * In addition to the 70 MB of the process itself. Renders above it run one at a time, together with large uploads and
 * SVGs (docs/decisions/0021). A JPEG of 12 MP at its own size is below it, and so is every render from an intermediate.
 */
export const heavyBytes = 100_000_000

/** Of an animation that needs more only the first frame is rendered. With the process itself: 470 MB. */
export const maxAnimationBytes = 400_000_000

export interface RenderEstimateInput {
  /** Of all output frames. */
  writtenPixels: number
  /** Of one frame after the resize and before the crop: what a loader holds that shrinks while it reads. */
  scaledPixels: number
  /** Frames that are read at once. */
  frames: number
  /** Whether frames are composed on a canvas or cropped: then they are held in full size. */
  isUnpacked: boolean
  /** Its encoder holds several copies of the picture: 27 to 39 bytes per pixel, measured at 4.2 MP. */
  isAvif?: boolean
}

/** In bytes. Measured with libvips 8.18 on 19 kinds of images and 5 renders of each: at most 60 MB below the actual use. */
export function estimateMemory(
  header: Metadata,
  { writtenPixels, scaledPixels, frames, isUnpacked, isAvif = false }: RenderEstimateInput,
): number {
  const { channels, hasAlpha, orientation = 1 } = header
  const framePixels = header.width * header.height
  const strip = frames > 1 && isUnpacked ? frames * framePixels * 4 : 0
  const turned = orientation > 1 ? scaledPixels * channels : 0
  const written = writtenPixels * (isAvif ? (hasAlpha ? 38 : 28) : hasAlpha ? 10 : 6)
  return heldByReader(header, framePixels, scaledPixels * frames, isUnpacked) + strip + turned + written
}

function heldByReader(header: Metadata, framePixels: number, scaledPixels: number, isUnpacked: boolean): number {
  const { channels, depth, isProgressive, pages = 1 } = header
  switch (pixelFormats.find((name) => name === header.format)) {
    case 'jpeg':
      // All coefficients, two bytes each, without chroma subsampling: a hostile header can declare it wrongly.
      return isProgressive ? framePixels * channels * 2 : 0
    case 'png':
      return isProgressive ? framePixels * channels * (depth === 'ushort' ? 2 : 1) : 0
    case 'webp':
      // Two canvases, and the frame that is drawn on them.
      return pages > 1 && isUnpacked ? framePixels * 12 : scaledPixels * channels * 2
    case 'gif':
    case undefined:
      return framePixels * 6
  }
}
