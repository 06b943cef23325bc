// One variant of a stored picture. Runs in a decoder process.

import { readFile, writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import { limits } from '../../contract/limits.ts'
import { encoders, type OutputFormat } from './encoders.ts'
import { type Fit, fittedSize } from './fit.ts'

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

/** The source is trusted to have been ingested. Orientation applied, sRGB, no metadata; alpha on white for JPEG. */
export async function render(job: RenderJob): Promise<Rendered> {
  const source = await readFile(job.sourcePath)
  // What was accepted is shown: a late warning of the decoder must not take a picture away that its owner can see.
  const options = { failOn: 'error', limitInputPixels: maxPixels } as const
  const { autoOrient, pages = 1 } = await sharp(source, options).metadata()
  const own = { widthPx: autoOrient.width, heightPx: autoOrient.height }
  const asked = { ...(job.width && { widthPx: job.width }), ...(job.height && { heightPx: job.height }) }
  const { widthPx: width, heightPx: height } = fittedSize(own, asked, job.fit)

  const isAnimated = job.animated && keepsFrames(job.format, pages, width * height)
  const picture = isAnimated
    ? sharp(source, { ...options, animated: true, limitInputPixels: maxPixelsAllFrames })
    : sharp(source, { ...options, autoOrient: true })
  const isOpaque = job.format === 'jpeg'
  if (isOpaque) picture.flatten({ background: 'white' })
  picture.resize(width, height, {
    fit: job.fit === 'inside' ? 'fill' : job.fit, // the ratio is in the size already
    background: isOpaque ? 'white' : { r: 0, g: 0, b: 0, alpha: 0 },
  })
  const { data } = await encoders[job.format](picture.toColourspace('srgb'), job.quality).toBuffer({
    resolveWithObject: true,
  })
  await writeFile(job.outPath, data)
  return { bytes: data.length, widthPx: width, heightPx: height, frames: isAnimated ? pages : 1 }
}

function keepsFrames(format: OutputFormat, frames: number, framePixels: number): boolean {
  const canHold = format === 'webp' || format === 'gif'
  return canHold && frames > 1 && frames * framePixels <= limits.variant.maxAnimatedPixels
}
