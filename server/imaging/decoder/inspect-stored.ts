// Inspects a stored image: facts of its header, and colours of its pixels. Runs in a decoder process.

import { readFileSync } from 'node:fs'
import sharp, { type Metadata, type SharpOptions } from 'sharp'
import { limits } from '../../../contract/plain/limits.ts'
import { everyFrameCovers, firstFrameOf, isAnimatedWebp } from './webp-frames.ts'
import type { Inspected, InspectJob, Reroute } from '../protocol.ts'
import { heavyBytes, estimateMemory } from './render-memory.ts'

/** The source is trusted to have been ingested. Of an animation the first frame is inspected. */
export async function inspect({ sourcePath }: InspectJob, mayBeHeavy = false): Promise<Inspected | Reroute> {
  const whole = readFileSync(sourcePath)
  const options = { failOn: 'error', limitInputPixels: limits.image.maxPixels } as const
  const header = await sharp(whole, options).metadata()
  const source = isAnimatedWebp(header) ? firstFrameOf(whole) : whole
  if (bytesFor(header, source) > heavyBytes && !mayBeHeavy) return 'heavy'
  const { thumbnailPx } = limits.variant
  // Shrinking keeps the means; statistics at full size would cost a full decode.
  const small = await sharp(source, options)
    .resize(thumbnailPx, thumbnailPx, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: 'white' })
    .toColourspace('srgb')
    .png({ compressionLevel: 0 })
    .toBuffer()
  // A frame alone may be opaque where the animation has alpha.
  const hasAlpha = header.hasAlpha && (await sharp(source, options).metadata()).hasAlpha
  const { channels, dominant } = await sharp(small).stats()
  const mean = (index: number) => Math.round(channels[index]?.mean ?? 0)
  return {
    space: header.space,
    channels: header.channels,
    depth: header.depth,
    hasAlpha: header.hasAlpha,
    isOpaque: !hasAlpha || (await isOpaque(source, options)),
    isProgressive: header.isProgressive,
    hasProfile: header.hasProfile,
    isPalette: header.isPalette,
    pages: header.pages ?? 1,
    averageColor: { r: mean(0), g: mean(1), b: mean(2) },
    dominantColor: dominant,
  }
}

/** An alpha channel is held at full size, and once more as a buffer. */
function bytesFor(header: Metadata, source: Buffer): number {
  const { width, height, hasAlpha } = header
  const pixels = hasAlpha ? width * height : limits.variant.thumbnailPx ** 2
  const isUnpacked = header.format === 'webp' && !everyFrameCovers(source, width, height)
  const planned = { writtenPixels: limits.variant.thumbnailPx ** 2, scaledPixels: pixels, frames: 1, isUnpacked }
  return estimateMemory(header, planned) + (hasAlpha ? 2 * pixels : 0)
}

/** One transparent pixel counts, so this reads the whole alpha channel. */
async function isOpaque(source: Buffer, options: SharpOptions): Promise<boolean> {
  const alpha = await sharp(source, options).extractChannel('alpha').raw().toBuffer({ resolveWithObject: true })
  const { channels } = await sharp(alpha.data, {
    raw: { width: alpha.info.width, height: alpha.info.height, channels: 1 },
  }).stats()
  return channels[0]?.min === 255
}
