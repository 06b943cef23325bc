// An upload made safe: its file rewritten, its pixels proven, its intermediate and thumbnail made. Runs in a decoder process.

import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { limits } from '../../../contract/limits.ts'
import { rewrite } from './container/rewrite.ts'
import type { Rewritten } from './container/rewritten.ts'
import { encoders } from './encoders.ts'
import { encodeIntermediate, type IntermediateFormat, intermediateFormat } from './intermediate.ts'
import { fromPixels, shrinkPixels } from './pixels.ts'
import { averageColour } from './placeholder.ts'
import { prove } from './prove.ts'
import { unsupported } from '../refusal.ts'
import { type ImageFormat, sniff } from './sniff.ts'

const { intermediatePx, thumbnailPx, defaultQuality } = limits.variant

/** Paths are absolute. The three outputs are written, not synced; they are worth something only if the job succeeds. */
export interface IngestJob {
  sourcePath: string
  allow: readonly ImageFormat[]
  originalPath: string
  thumbnailPath: string
  intermediatePath: string
}

export interface Ingested {
  format: ImageFormat
  /** As displayed, after the orientation; of an animation, its canvas. */
  widthPx: number
  heightPx: number
  frames: number
  /** Whether the picture has an alpha channel, not whether it uses it. */
  hasAlpha: boolean
  bytes: number
  /** Of the rewritten bytes, in hex. */
  sha256: string
  /** The average colour, '#rrggbb'. */
  placeholder: string
  /** null when the picture is not larger than its intermediate would be. Of an SVG always there: it is what stands for it. */
  intermediate: { format: IntermediateFormat } | null
}

/** The file is accepted so far, but not for this process: another lane goes on with it, from the start. */
export type Elsewhere = 'svg' | 'large'

/** A photograph of 12 MP is not large. What is takes half a second to four: nobody's everyday picture shall wait behind it. */
const largePixels = 13_000_000

export async function ingest(job: IngestJob, mayBeLarge: boolean): Promise<Ingested | Elsewhere> {
  const source = readFileSync(job.sourcePath)
  const format = sniff(source)
  if (!format || !job.allow.includes(format)) throw unsupported(`${format ?? 'this kind of file'} is not accepted here`)
  if (format === 'svg') return 'svg'
  const rewritten = rewrite(format, source)
  if (rewritten.decodedPixels > largePixels && !mayBeLarge) return 'large'
  const { image, hasAlpha, pixels } = await prove(rewritten, intermediatePx)
  const thumbnail = await shrinkPixels(pixels, thumbnailPx)

  const isLarger = Math.max(image.widthPx, image.heightPx) > intermediatePx
  const intermediate = isLarger ? { format: intermediateFormat(image, pixels) } : null
  writeFileSync(job.originalPath, image.bytes)
  writeFileSync(job.thumbnailPath, await encoders.webp(fromPixels(thumbnail), defaultQuality).toBuffer())
  if (intermediate) writeFileSync(job.intermediatePath, await encodeIntermediate(pixels, intermediate.format))
  return {
    format,
    ...displayedSize(image),
    frames: image.frames,
    hasAlpha,
    bytes: image.bytes.length,
    sha256: createHash('sha256').update(image.bytes).digest('hex'),
    placeholder: averageColour(thumbnail),
    intermediate,
  }
}

/** Orientations 5 to 8 lie on their side. */
function displayedSize({ widthPx, heightPx, orientation }: Rewritten) {
  return orientation >= 5 ? { widthPx: heightPx, heightPx: widthPx } : { widthPx, heightPx }
}
