// An upload made safe: its file rewritten, its pixels proven, its intermediate and thumbnail made. Runs in a decoder process.

import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { limits } from '../../../contract/limits.ts'
import { withoutCameraTail } from './camera-tail.ts'
import { rewrite } from './container/rewrite.ts'
import type { Rewritten } from './container/rewritten.ts'
import { encoders } from './encoders.ts'
import { encodeIntermediate, type IntermediateFormat, intermediateFormat } from './intermediate.ts'
import { decodePixels, fromPixels, confirmHeader, type Pixels, shrinkPixels } from './pixels.ts'
import { averageColour } from './placeholder.ts'
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
  const [proved, plain] = await bothOf(prove(rewritten), (signal) => rewritten.withoutHidden?.(signal))
  const { picture, hasAlpha, pixels } = plain ? await prove(plain) : proved
  const thumbnail = await shrinkPixels(pixels, thumbnailPx)

  const isLarger = Math.max(picture.widthPx, picture.heightPx) > intermediatePx
  const intermediate = isLarger ? { format: intermediateFormat(picture, pixels) } : null
  writeFileSync(job.originalPath, picture.bytes)
  writeFileSync(job.thumbnailPath, await encoders.webp(fromPixels(thumbnail), defaultQuality).toBuffer())
  if (intermediate) writeFileSync(job.intermediatePath, await encodeIntermediate(pixels, intermediate.format))
  return {
    format,
    ...displayedSize(picture),
    frames: picture.frames,
    hasAlpha,
    bytes: picture.bytes.length,
    sha256: createHash('sha256').update(picture.bytes).digest('hex'),
    placeholder: averageColour(thumbnail),
    intermediate,
  }
}

/**
 * Ends when both have: a refusal by one must not leave the other at work in a process that takes the next picture. The
 * other is told when the one has refused.
 */
async function bothOf<A, B>(
  one: Promise<A>,
  other: (signal: AbortSignal) => Promise<B> | undefined,
): Promise<[A, B | undefined]> {
  const refused = new AbortController()
  const first = one.catch((refusal: unknown) => {
    refused.abort()
    throw refusal
  })
  const second = other(refused.signal)
  await Promise.allSettled([first, second])
  return [await first, await second]
}

/** Decodes what will be stored, not what was sent: chunks that were dropped cannot hurt the decoder any more. */
async function prove(picture: Rewritten): Promise<{ picture: Rewritten; hasAlpha: boolean; pixels: Pixels }> {
  const { hasAlpha } = await confirmHeader(picture)
  try {
    return { picture, hasAlpha, pixels: await decodePixels(picture, intermediatePx) }
  } catch (refusal) {
    const trimmed = withoutCameraTail(picture, refusal)
    if (!trimmed) throw refusal
    return { picture: trimmed, hasAlpha, pixels: await decodePixels(trimmed, intermediatePx) }
  }
}

/** Orientations 5 to 8 lie on their side. */
function displayedSize({ widthPx, heightPx, orientation }: Rewritten) {
  return orientation >= 5 ? { widthPx: heightPx, heightPx: widthPx } : { widthPx, heightPx }
}
