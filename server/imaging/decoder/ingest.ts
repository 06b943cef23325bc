// Ingests an upload: rewrites its file, decodes all its pixels, writes its intermediate and thumbnail. Runs in a decoder process.

import { readFileSync, writeFileSync } from 'node:fs'
import { limits } from '../../../contract/plain/limits.ts'
import { rewrite } from './container/rewrite.ts'
import type { RewrittenImage } from './container/rewritten.ts'
import { encodeIntermediate, intermediateFormat } from './intermediate.ts'
import { withoutOpaqueAlpha } from './pixels.ts'
import { averageColour } from './average-colour.ts'
import { blurOf } from './blur.ts'
import { perceptualHash } from './perceptual-hash.ts'
import { decodeAndTrim } from './decode-and-trim.ts'
import { unsupported } from '../refusal.ts'
import type { IngestJob, IngestResult, Reroute } from '../protocol.ts'
import { sniff } from './sniff.ts'
import { writeThumbnails } from './thumbnails.ts'

const { intermediatePx } = limits.variant

/** A photograph of 12 MP is not large. Larger images take half a second to four, so they have a lane of their own. */
const largePixels = 13_000_000

export async function ingest(job: IngestJob, mayBeLarge: boolean): Promise<IngestResult | Reroute> {
  const source = readFileSync(job.sourcePath)
  const format = sniff(source)
  if (!format || !job.allow.includes(format)) throw unsupported(`${format ?? 'this kind of file'} is not accepted here`)
  if (format === 'svg') return 'svg'
  const rewritten = rewrite(format, source)
  if (rewritten.decodedPixels > largePixels && !mayBeLarge) return 'large'
  const { image, hasAlpha, pixels: decoded } = await decodeAndTrim(rewritten, intermediatePx)
  const pixels = withoutOpaqueAlpha(decoded)

  const isLarger = Math.max(image.widthPx, image.heightPx) > intermediatePx
  const intermediate = isLarger ? { format: intermediateFormat(image, pixels) } : null
  writeFileSync(job.originalPath, image.bytes)
  const thumbnail = await writeThumbnails(pixels, job)
  if (intermediate) writeFileSync(job.intermediatePath, await encodeIntermediate(pixels, intermediate.format))
  return {
    format,
    ...displayedSize(image),
    frames: image.frames,
    hasAlpha,
    placeholder: averageColour(thumbnail),
    blur: await blurOf(thumbnail),
    ...(await perceptualHash(thumbnail)),
    intermediate,
  }
}

/** Orientations 5 to 8 swap width and height. */
function displayedSize({ widthPx, heightPx, orientation }: RewrittenImage) {
  return orientation >= 5 ? { widthPx: heightPx, heightPx: widthPx } : { widthPx, heightPx }
}
