// Renders one variant of a stored image. Runs in a decoder process.

import { readFileSync, writeFileSync } from 'node:fs'
import sharp, { type Metadata, type Sharp, type SharpOptions } from 'sharp'
import { limits } from '../../../contract/plain/limits.ts'
import { encoders, type Timing } from './encoders.ts'
import { type Fit, fittedSize, type Size } from '../fit.ts'
import type { Rendered, RenderJob, Reroute } from '../protocol.ts'
import { everyFrameCovers, firstFrameOf, isAnimatedWebp } from './webp-frames.ts'
import { type FrameRange, frameRanges, joinRanges, maxUnpackedPixels } from './frame-ranges.ts'
import { isFlat } from './intermediate.ts'
import { fromPixels, rawPixels } from './pixels.ts'
import { unsupported } from '../refusal.ts'
import { drawWatermark } from './watermark.ts'
import { heavyBytes, maxAnimationBytes, estimateMemory } from './render-memory.ts'

const { maxPixels, maxPixelsAllFrames } = limits.image

// Not 'warning' as at ingest: an image that was accepted stays visible when a later decoder version warns.
const failOn = 'error'

/**
 * The source is trusted to have been ingested. Orientation applied, sRGB, no metadata; alpha on white for JPEG.
 * @param unpackedPixels with more pixels, the frames of an animation are resized in ranges; tests pass fewer
 */
export async function render(
  job: RenderJob,
  mayBeHeavy: boolean,
  unpackedPixels = maxUnpackedPixels,
): Promise<Rendered | Reroute> {
  // Synchronous: the process has one job at a time, and each asynchronous step wakes a thread.
  const whole = readFileSync(job.sourcePath)
  const { header, size, frames, ranges, bytes } = await planOf(job, whole, unpackedPixels)
  if (bytes > heavyBytes && !mayBeHeavy) return 'heavy'

  const source = frames === 1 && isAnimatedWebp(header) ? firstFrameOf(whole) : whole
  const resized = (input: SharpOptions) => resize(sharp(source, { failOn, ...input }), job, size)
  const still = () => resized({ limitInputPixels: maxPixels, autoOrient: true })
  const moving = ({ page, pages }: Pick<FrameRange, 'page' | 'pages'>) =>
    resized({ limitInputPixels: maxPixelsAllFrames, page, pages })
  const isJoined = ranges.length > 1
  const image =
    frames === 1 ? still() : isJoined ? await joinRanges(ranges, moving) : moving({ page: 0, pages: frames })
  // Raw frames carry no timing.
  const timing = isJoined ? timingOf(header) : {}
  const accepted = job.onlyPhotograph ? await photographOf(image) : image
  const marked = job.watermark === undefined ? accepted : await markedWith(job.watermark, accepted)
  const data = await encoders[job.format](marked, job.quality, timing).toBuffer()
  writeFileSync(job.outPath, data)
  return { ...size, frames }
}

interface Plan {
  header: Metadata
  size: Size
  frames: number
  ranges: FrameRange[]
  /** Memory that the render takes. */
  bytes: number
}

/** Decides from the header alone. Drops the frames of an animation that would take too much memory. */
async function planOf(job: RenderJob, source: Buffer, unpackedPixels: number): Promise<Plan> {
  const header = await sharp(source, { failOn, limitInputPixels: maxPixels }).metadata()
  const own = { widthPx: header.autoOrient.width, heightPx: header.autoOrient.height }
  const asked = { ...(job.width && { widthPx: job.width }), ...(job.height && { heightPx: job.height }) }
  const size = fittedSize(own, asked, job.fit)

  const plan = (frames: number): Plan => {
    const atOnce = frames > 1 && isUnpacked(source, header, job.fit) ? unpackedPixels : Infinity
    const ranges = frameRanges(frames, header.width * header.height, atOnce)
    const bytes = estimateMemory(header, {
      writtenPixels: frames * size.widthPx * size.heightPx,
      scaledPixels: pixelsBeforeCrop(own, size, job.fit),
      frames: Math.max(...ranges.map(({ pages }) => pages)),
      isUnpacked: atOnce < Infinity || (isAnimatedWebp(header) && !firstFrameCovers(source, header)),
      isAvif: job.format === 'avif',
    })
    return { header, size, frames, ranges, bytes }
  }
  const all = plan(keepsFrames(job, header.pages ?? 1, size) ? (header.pages ?? 1) : 1)
  return all.frames > 1 && all.bytes > maxAnimationBytes ? plan(1) : all
}

/** Drawn on pixels: a crop or the bars around an image have their size only then. */
async function markedWith(watermark: string, image: Sharp): Promise<Sharp> {
  const pixels = await rawPixels(image)
  return drawWatermark(fromPixels(pixels), watermark, pixels)
}

/** @throws {ImageRefused} unsupported: a drawing or a screenshot */
async function photographOf(image: Sharp): Promise<Sharp> {
  const pixels = await rawPixels(image)
  if (isFlat(pixels)) throw unsupported('the image is not a photograph')
  return fromPixels(pixels)
}

function resize(image: Sharp, job: RenderJob, { widthPx, heightPx }: Size): Sharp {
  const { blurPx, background = job.format === 'jpeg' ? 'ffffff' : undefined } = job
  const colour = background === undefined ? undefined : `#${background}`
  if (colour !== undefined) image.flatten({ background: colour })
  image.resize(widthPx, heightPx, {
    fit: job.fit === 'inside' ? 'fill' : job.fit, // the ratio is in the size already
    background: colour ?? { r: 0, g: 0, b: 0, alpha: 0 },
  })
  if (blurPx !== undefined) image.blur(blurPx)
  return image.toColourspace('srgb')
}

function pixelsBeforeCrop(own: Size, size: Size, fit: Fit): number {
  const across = size.widthPx / own.widthPx
  const down = size.heightPx / own.heightPx
  const scale = Math.min(1, fit === 'cover' ? Math.max(across, down) : Math.min(across, down))
  return own.widthPx * own.heightPx * scale ** 2
}

const firstFrameCovers = (source: Buffer, { width, height }: Metadata) =>
  everyFrameCovers(firstFrameOf(source), width, height)

/**
 * Whether libvips holds all frames at once. It streams a GIF, and shrinks a WebP while it reads if every frame covers the
 * canvas; to crop it needs all frames (measured with libvips 8.18).
 */
function isUnpacked(source: Buffer, { format, width, height }: Metadata, fit: Fit): boolean {
  return fit === 'cover' || (format === 'webp' && !everyFrameCovers(source, width, height))
}

/** A frame of a WebP may last hours; sharp accepts no more than this. */
const maxDelayMs = 65_535

function timingOf({ delay, loop }: Metadata): Timing {
  return { ...(delay && { delay: delay.map((ms) => Math.min(ms, maxDelayMs)) }), ...(loop !== undefined && { loop }) }
}

function keepsFrames(job: RenderJob, frames: number, { widthPx, heightPx }: Size): boolean {
  const canHold = job.format === 'webp' || job.format === 'gif'
  return job.animated && canHold && frames > 1 && frames * widthPx * heightPx <= limits.variant.maxAnimatedPixels
}
