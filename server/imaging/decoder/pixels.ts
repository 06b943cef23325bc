// The only decode of an upload: verifies that the whole image can be decoded and returns its pixels, scaled down.

import sharp, { type Sharp, type SharpOptions } from 'sharp'
import { limits } from '../../../contract/plain/limits.ts'
import type { RewrittenImage } from './container/rewritten.ts'
import { broken, ImageRefused } from '../refusal.ts'

const { maxPixels, maxPixelsAllFrames } = limits.image

export interface Pixels {
  data: Buffer
  widthPx: number
  heightPx: number
  channels: 1 | 2 | 3 | 4
}

/** Total pixels that the frames of an animation are scaled down to while they are checked: bounds memory. */
const maxVerifiedPixels = 4_000_000
/** The side that a single frame is scaled down to for the same reason. */
const verifySidePx = 64

/**
 * Returns the image upright, in sRGB and 8 bits, fitting inside a square; of an animation its first frame.
 * Every scan line of every frame has been decoded without a warning. One gap: libvips checks for warnings before
 * each strip, so those of the last 8 lines of a JPEG of one scan are missed.
 * @throws {ImageRefused} broken
 */
export async function decodePixels(image: RewrittenImage, insidePx: number): Promise<Pixels> {
  if (image.frames > 1) await decodeEveryFrame(image)
  return rawPixels(
    open(image, { autoOrient: true }).resize(insidePx, insidePx, { fit: 'inside', withoutEnlargement: true }),
  )
}

/** Raw pixels for the encoders, so that nothing is decoded twice. */
export const fromPixels = ({ data, widthPx, heightPx, channels }: Pixels): Sharp =>
  sharp(data, { raw: { width: widthPx, height: heightPx, channels } })

/**
 * Returns the pixels without an alpha channel that is opaque everywhere, which many screenshots have:
 * with one, a resize takes six times as long, and the intermediate's 1.6 times (docs/performance.md).
 */
export function withoutOpaqueAlpha(pixels: Pixels): Pixels {
  const { data, channels } = pixels
  if (channels === 1 || channels === 3) return pixels
  for (let at = channels - 1; at < data.length; at += channels) if (data[at] !== 255) return pixels
  const colours = channels === 2 ? 1 : 3
  const opaque = Buffer.allocUnsafe((data.length / channels) * colours)
  for (let from = 0, to = 0; from < data.length; from += channels)
    for (let colour = 0; colour < colours; colour++) opaque[to++] = data[from + colour] ?? 0
  return { ...pixels, data: opaque, channels: colours }
}

export async function shrinkPixels(pixels: Pixels, insidePx: number): Promise<Pixels> {
  if (Math.max(pixels.widthPx, pixels.heightPx) <= insidePx) return pixels
  return rawPixels(fromPixels(pixels).resize(insidePx, insidePx, { fit: 'inside' }))
}

/** Reads what only the decoder knows from the header. @throws {ImageRefused} if it differs from what the scanner read */
export async function requireMatchingHeader(image: RewrittenImage): Promise<{ hasAlpha: boolean }> {
  const seen = await mapDecodeErrors(open(image, {}).metadata())
  // libnsgif shrinks a canvas of a common screen size to the frames on it; it never makes it larger.
  const fits = seen.width <= image.widthPx && seen.height <= image.heightPx
  const isSame = seen.width === image.widthPx && seen.height === image.heightPx
  if (!(seen.format === 'gif' ? fits : isSame) || (seen.pages ?? 1) !== image.frames) {
    throw broken('the file declares two different sizes')
  }
  return { hasAlpha: seen.hasAlpha }
}

async function decodeEveryFrame(image: RewrittenImage): Promise<void> {
  const { widthPx, heightPx, frames, framesAlone } = image
  if (framesAlone) {
    for (const bytes of framesAlone()) await decodeFrame(bytes)
    return
  }
  const scale = Math.min(1, Math.sqrt(maxVerifiedPixels / (frames * widthPx * heightPx)))
  const [width, height] = [widthPx, heightPx].map((side) => Math.max(1, Math.floor(side * scale)))
  await rawPixels(open(image, { animated: true }).resize(width, height, { fit: 'fill', withoutEnlargement: true }))
}

/** Small, since the pixels are not used: a loader that can shrink while it reads holds no more than that. */
const decodeFrame = (frame: Buffer) =>
  rawPixels(
    sharp(frame, strict(maxPixels)).resize(verifySidePx, verifySidePx, { fit: 'inside', withoutEnlargement: true }),
  )

/** The level 'error' accepts a 4000 x 4000 header with data for 96 x 64 and fills the rest with grey. */
const strict = (limitInputPixels: number): SharpOptions => ({ failOn: 'warning', limitInputPixels })

const open = (image: RewrittenImage, options: SharpOptions) =>
  sharp(image.bytes, { ...strict(image.frames > 1 ? maxPixelsAllFrames : maxPixels), ...options })

/** @throws {ImageRefused} broken */
export async function rawPixels(pipeline: Sharp): Promise<Pixels> {
  const { data, info } = await mapDecodeErrors(
    pipeline.toColourspace('srgb').raw().toBuffer({ resolveWithObject: true }),
  )
  return { data, widthPx: info.width, heightPx: info.height, channels: info.channels }
}

/** Every error of the decoder is the image's fault: these bytes are its only input. */
async function mapDecodeErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof ImageRefused) throw error
    const complaint = error instanceof Error ? error.message : String(error)
    throw new ImageRefused('broken', `the picture cannot be decoded: ${firstLine(complaint)}`, { cause: error })
  }
}

/** libvips writes one error per line, after the name of its loader; sharp has its own text when there is none. */
function firstLine(complaint: string): string {
  const line = complaint.split('\n', 1)[0] ?? ''
  if (line.startsWith('Warning treated as error')) return 'its data is damaged'
  return line.replace(/^(Input buffer has corrupt header: )?(\w+: )?/, '').slice(0, 120)
}
