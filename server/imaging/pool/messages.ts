// Validates what a decoder process sends: hostile bytes may have taken it over, so it can send anything.

import { z } from 'zod'
import { formatNames, formats, isPixelFormat, outputFormats } from '../../../contract/plain/formats.ts'
import { limits } from '../../../contract/plain/limits.ts'
import {
  type FromDecoder,
  type IngestResult,
  type Job,
  type JobResult,
  maxCodeLength,
  maxMessageLength,
  type Rendered,
} from '../protocol.ts'

const { maxSidePx, maxPixels, maxFrames, maxPixelsAllFrames } = limits.image

/** What the process may send depends on what it was sent and has sent before. */
export interface DecoderState {
  isReady: boolean
  /** The job that runs or waits for `ready`. */
  job: Job | undefined
  /** Whether the process has sent `started` for the job. */
  wasStarted: boolean
}

/** A WebP of 16 x 16 pixels has at most 620 bytes. */
const maxBlurLength = 1000

const side = z.int().min(1).max(maxSidePx)
const frames = z.int().min(1).max(maxFrames)
const channel = z.number().min(0).max(255)
const colour = z.strictObject({ r: channel, g: channel, b: channel })
const word = z.string().max(40)
const text = z.string().max(maxMessageLength)

const ingested = z.strictObject({
  format: z.enum(formatNames),
  widthPx: side,
  heightPx: side,
  frames,
  hasAlpha: z.boolean(),
  placeholder: z.string().regex(/^#[0-9a-f]{6}$/),
  // Part of pages: their style and their JSON.
  blur: z.base64().max(maxBlurLength),
  phashes: z.array(z.string().regex(/^[0-9a-f]{16}$/)).length(8),
  phashQuality: z.int().min(0).max(100),
  intermediate: z.strictObject({ format: z.enum(['jpeg', 'png']) }).nullable(),
})
const rendered = z.strictObject({ widthPx: side, heightPx: side, frames })
const inspected = z.strictObject({
  space: word,
  channels: z.int().min(1).max(5),
  depth: word,
  hasAlpha: z.boolean(),
  isOpaque: z.boolean(),
  isProgressive: z.boolean(),
  hasProfile: z.boolean(),
  isPalette: z.boolean(),
  pages: frames,
  averageColor: colour,
  dominantColor: colour,
})

function isWithinLimits({ widthPx, heightPx, frames }: Rendered, { canAnimate }: { canAnimate: boolean }): boolean {
  const pixels = widthPx * heightPx
  if (frames > 1 && !canAnimate) return false
  return pixels <= maxPixels && (frames === 1 || frames * pixels <= maxPixelsAllFrames)
}

const schemas: Record<Job['kind'], z.ZodType<JobResult>> = {
  ingest: z.union([ingested, z.enum(['large', 'svg'])]),
  render: z.union([rendered, z.literal('heavy')]),
  inspect: z.union([inspected, z.literal('heavy')]),
  collage: rendered,
  ingestSvg: ingested,
  rasterize: z.null(),
}

/** Whether a result that is valid for the kind of job is one that this job may have. */
function isPossible(job: Job, result: JobResult): boolean {
  switch (job.kind) {
    case 'ingest': {
      if (result === 'large') return !job.mayBeLarge
      const { allow } = job.job
      if (result === 'svg') return allow.includes('svg')
      const image = result as IngestResult
      return allow.includes(image.format) && isPixelFormat(image.format) && isWithinLimits(image, formats[image.format])
    }
    case 'render': {
      if (result === 'heavy') return !job.mayBeHeavy
      const image = result as Rendered
      return isWithinLimits(image, outputFormats[job.job.format]) && (job.job.animated || image.frames === 1)
    }
    case 'inspect':
      return result !== 'heavy' || !job.mayBeHeavy
    case 'collage':
      return isWithinLimits(result as Rendered, { canAnimate: false })
    case 'ingestSvg': {
      const image = result as IngestResult
      return image.format === 'svg' && isWithinLimits(image, formats.svg)
    }
    case 'rasterize':
      return true
  }
}

const signal = z.strictObject({ type: z.enum(['ready', 'started']) })
const ended = z.strictObject({
  type: z.literal('ended'),
  rssBytes: z.number().min(0),
  cpuMs: z.number().min(0),
  outcome: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('done'), value: z.unknown() }),
    z.strictObject({
      kind: z.literal('refused'),
      reason: z.enum(['unsupported', 'broken', 'over_limit']),
      message: text,
    }),
    z.strictObject({ kind: z.literal('failed'), message: text, code: z.string().max(maxCodeLength).optional() }),
  ]),
})

/**
 * Returns undefined for a message that is not valid in this state: `ready` is the first one of a process, `started` and `ended`
 * follow each other for each job.
 */
export function readMessage(message: unknown, { isReady, job, wasStarted }: DecoderState): FromDecoder | undefined {
  const read = signal.safeParse(message).data
  if (read?.type === 'ready') return isReady ? undefined : read
  if (!isReady || !job) return undefined
  if (read) return wasStarted ? undefined : read
  const end = ended.safeParse(message).data
  if (!end || !wasStarted) return undefined
  if (end.outcome.kind !== 'done') return { ...end, outcome: end.outcome }
  const value = schemas[job.kind].safeParse(end.outcome.value)
  return value.success && isPossible(job, value.data)
    ? { ...end, outcome: { kind: 'done', value: value.data } }
    : undefined
}
