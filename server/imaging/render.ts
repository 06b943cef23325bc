// One variant of a stored picture. Runs in a decoder process.

import { readFile, writeFile } from 'node:fs/promises'
import sharp, { type Metadata, type Sharp, type SharpOptions } from 'sharp'
import { limits } from '../../contract/limits.ts'
import { everyFrameCovers } from './container/webp-frames.ts'
import { encoders, type OutputFormat, type Timing } from './encoders.ts'
import { type Fit, fittedSize, type Size } from './fit.ts'
import { type FrameRange, frameRanges, joinRanges, maxUnpackedPixels } from './frame-ranges.ts'

const { maxPixels, maxPixelsAllFrames } = limits.image

/** `width` and `height` in pixels, as displayed; neither means the picture's own size. Quality is 1 to 100. */
export interface RenderJob {
  sourcePath: string
  outPath: string
  format: OutputFormat
  width?: number
  height?: number
  fit: Fit
  quality: number
  /** Keeps the frames if they fit limits.variant.maxAnimatedPixels and the format can hold them; else the first frame. */
  animated: boolean
}

export interface Rendered {
  bytes: number
  widthPx: number
  heightPx: number
  frames: number
}

// What was accepted is shown: a late warning of the decoder must not take a picture away that its owner can see.
const failOn = 'error'

/**
 * The source is trusted to have been ingested. Orientation applied, sRGB, no metadata; alpha on white for JPEG.
 * @param unpackedPixels of a moving WebP: with more, its frames are resized in ranges. Tests ask for less.
 */
export async function render(job: RenderJob, unpackedPixels = maxUnpackedPixels): Promise<Rendered> {
  const source = await readFile(job.sourcePath)
  const header = await sharp(source, { failOn, limitInputPixels: maxPixels }).metadata()
  const own = { widthPx: header.autoOrient.width, heightPx: header.autoOrient.height }
  const asked = { ...(job.width && { widthPx: job.width }), ...(job.height && { heightPx: job.height }) }
  const size = fittedSize(own, asked, job.fit)

  const frames = keepsFrames(job, header.pages ?? 1, size) ? (header.pages ?? 1) : 1
  const resized = (input: SharpOptions) => resize(sharp(source, { failOn, ...input }), job, size)
  const still = () => resized({ limitInputPixels: maxPixels, autoOrient: true })
  const moving = ({ page, pages }: Pick<FrameRange, 'page' | 'pages'>) =>
    resized({ limitInputPixels: maxPixelsAllFrames, page, pages })
  const atOnce = frames > 1 && isUnpacked(source, header, job.fit) ? unpackedPixels : Infinity
  const ranges = frameRanges(frames, header.width * header.height, atOnce)
  const isJoined = ranges.length > 1
  const picture =
    frames === 1 ? still() : isJoined ? await joinRanges(ranges, moving) : moving({ page: 0, pages: frames })
  // Raw frames have lost it.
  const timing = isJoined ? timingOf(header) : {}
  const data = await encoders[job.format](picture, job.quality, timing).toBuffer()
  await writeFile(job.outPath, data)
  return { bytes: data.length, ...size, frames }
}

function resize(picture: Sharp, job: RenderJob, { widthPx, heightPx }: Size): Sharp {
  const isOpaque = job.format === 'jpeg'
  if (isOpaque) picture.flatten({ background: 'white' })
  return picture
    .resize(widthPx, heightPx, {
      fit: job.fit === 'inside' ? 'fill' : job.fit, // the ratio is in the size already
      background: isOpaque ? 'white' : { r: 0, g: 0, b: 0, alpha: 0 },
    })
    .toColourspace('srgb')
}

/**
 * Whether libvips holds all frames at once. It reads a GIF as it goes along, and shrinks a WebP while it reads where every frame
 * covers the canvas; to crop each frame it wants them all (measured with libvips 8.18).
 */
function isUnpacked(source: Buffer, { format, width, height }: Metadata, fit: Fit): boolean {
  return fit === 'cover' || (format === 'webp' && !everyFrameCovers(source, width, height))
}

/** A frame of a WebP may stand for hours, but sharp takes no more than this. */
const maxDelayMs = 65_535

function timingOf({ delay, loop }: Metadata): Timing {
  return { ...(delay && { delay: delay.map((ms) => Math.min(ms, maxDelayMs)) }), ...(loop !== undefined && { loop }) }
}

function keepsFrames(job: RenderJob, frames: number, { widthPx, heightPx }: Size): boolean {
  const canHold = job.format === 'webp' || job.format === 'gif'
  return job.animated && canHold && frames > 1 && frames * widthPx * heightPx <= limits.variant.maxAnimatedPixels
}
