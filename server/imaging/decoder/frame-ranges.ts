// Large animations resized a range of frames at a time: libvips unpacks most of them whole before it resizes the first frame.

import sharp, { type CreateRaw, type Sharp } from 'sharp'

/** Of the source, unpacked at 4 bytes each: 140 MB. Less of it is more ranges, and each is decoded from the first frame on. */
export const maxUnpackedPixels = 35_000_000

/** Four ranges decode two and a half times what one does; a decoder has 4 s. Few large frames take more memory instead. */
const maxRanges = 4

/**
 * What is read at once, and which of it is kept; frames count from 0. libvips resizes what it reads as one strip, where rows at
 * the edge of a frame take a little from its neighbours: so these are read, too, and the ranges show what the whole would.
 */
export interface FrameRange {
  page: number
  pages: number
  keptFrom: number
  kept: number
}

/** In order, of nearly equal size; one, if all frames are within `maxPixels`. */
export function frameRanges(frames: number, framePixels: number, maxPixels: number): FrameRange[] {
  const neighbours = 2
  const isWhole = frames * framePixels <= maxPixels
  const mostKept = Math.max(neighbours, Math.floor(maxPixels / framePixels) - neighbours)
  const kept = isWhole ? frames : Math.ceil(frames / Math.min(maxRanges, Math.ceil(frames / mostKept)))
  return Array.from({ length: Math.ceil(frames / kept) }, (_, index) => {
    const [from, to] = [index * kept, Math.min(frames, (index + 1) * kept)]
    const page = Math.max(0, from - 1)
    return { page, pages: Math.min(frames, to + 1) - page, keptFrom: from - page, kept: to - from }
  })
}

/**
 * All frames as raw pixels in one picture, without delays and loop: the caller has bounded what they take.
 * @param resized the frames of one range in their final size and colours
 */
export async function joinRanges(ranges: readonly FrameRange[], resized: (range: FrameRange) => Sharp): Promise<Sharp> {
  const frames = ranges.reduce((sum, { kept }) => sum + kept, 0)
  let roll: Buffer | undefined
  let raw: CreateRaw | undefined
  let filled = 0
  for (const range of ranges) {
    const { data, info } = await resized(range).raw().toBuffer({ resolveWithObject: true })
    const pageHeight = info.height / range.pages
    const frameBytes = data.length / range.pages
    raw ??= { width: info.width, height: pageHeight * frames, channels: info.channels, pageHeight }
    roll ??= Buffer.allocUnsafeSlow(frameBytes * frames)
    filled += data.copy(roll, filled, range.keptFrom * frameBytes, (range.keptFrom + range.kept) * frameBytes)
  }
  // The roll was not cleared: what no range has filled would be somebody else's memory.
  if (!roll || !raw || filled !== roll.length) throw new Error('the ranges of an animation do not make a whole')
  return sharp(roll, { raw })
}
