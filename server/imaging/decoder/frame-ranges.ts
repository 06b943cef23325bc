// Resizes large animations in ranges of frames: libvips decodes most of them completely before it resizes the first frame.

import sharp, { type CreateRaw, type Sharp } from 'sharp'

/** Of the source, at 4 bytes each: 140 MB. A lower limit means more ranges, and each is decoded from the first frame. */
export const maxUnpackedPixels = 35_000_000

/** Four ranges decode 2.5 times as much as one; a decoder has 4 s. Animations of few large frames take more memory instead. */
const maxRanges = 4

/**
 * The frames that are read at once, and which of them are used; frames count from 0. libvips resizes them as one strip,
 * where rows at the edge of a frame are mixed with its neighbours: these are read too, so that the result equals that of
 * a resize in one piece.
 */
export interface FrameRange {
  page: number
  pages: number
  usedFrom: number
  used: number
}

/** Returns ranges in order, of nearly equal size; one if all frames are within `maxPixels`. */
export function frameRanges(frames: number, framePixels: number, maxPixels: number): FrameRange[] {
  const neighbours = 2
  const isWhole = frames * framePixels <= maxPixels
  const maxUsed = Math.max(neighbours, Math.floor(maxPixels / framePixels) - neighbours)
  const used = isWhole ? frames : Math.ceil(frames / Math.min(maxRanges, Math.ceil(frames / maxUsed)))
  return Array.from({ length: Math.ceil(frames / used) }, (_, index) => {
    const [from, to] = [index * used, Math.min(frames, (index + 1) * used)]
    const page = Math.max(0, from - 1)
    return { page, pages: Math.min(frames, to + 1) - page, usedFrom: from - page, used: to - from }
  })
}

/**
 * Returns all frames as raw pixels of one image, without delays and loop. The caller bounds their memory.
 * @param resized the frames of one range in their final size and colours
 */
export async function joinRanges(ranges: readonly FrameRange[], resized: (range: FrameRange) => Sharp): Promise<Sharp> {
  const frames = ranges.reduce((sum, { used }) => sum + used, 0)
  let joined: Buffer | undefined
  let raw: CreateRaw | undefined
  let filled = 0
  for (const range of ranges) {
    const { data, info } = await resized(range).raw().toBuffer({ resolveWithObject: true })
    const pageHeight = info.height / range.pages
    const frameBytes = data.length / range.pages
    raw ??= { width: info.width, height: pageHeight * frames, channels: info.channels, pageHeight }
    joined ??= Buffer.allocUnsafeSlow(frameBytes * frames)
    filled += data.copy(joined, filled, range.usedFrom * frameBytes, (range.usedFrom + range.used) * frameBytes)
  }
  // The buffer is not initialized: unfilled parts would expose old memory.
  if (!joined || !raw || filled !== joined.length)
    throw new Error('the ranges of an animation do not fill the whole image')
  return sharp(joined, { raw })
}
