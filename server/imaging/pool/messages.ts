// Validates what a decoder process sends: hostile bytes may have taken it over, so it can send anything.

import { z } from 'zod'
import { formatNames, formats, type ImageFormat, isPixelFormat } from '../../../contract/formats.ts'
import { limits } from '../../../contract/limits.ts'
import { type FromDecoder, type Job, type JobResult, maxCodeLength, maxMessageLength } from '../protocol.ts'

const { maxSidePx, maxPixels, maxFrames, maxPixelsAllFrames } = limits.image

/** What the process may send depends on what it was sent and has sent before. */
export interface DecoderState {
  isReady: boolean
  /** The job that runs or waits for `ready`. */
  job: Job | undefined
  /** Whether the process has sent `started` for the job. */
  wasStarted: boolean
}

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

interface Canvas {
  widthPx: number
  heightPx: number
  frames: number
}

function isWithinLimits({ widthPx, heightPx, frames }: Canvas, format: ImageFormat): boolean {
  const pixels = widthPx * heightPx
  if (frames > 1 && !formats[format].canAnimate) return false
  return pixels <= maxPixels && (frames === 1 || frames * pixels <= maxPixelsAllFrames)
}

const ingestedAs = (allowed: readonly ImageFormat[]) =>
  ingested.extend({ format: z.enum(allowed) }).refine((image) => isWithinLimits(image, image.format))

function schemaOf(job: Job): z.ZodType<JobResult> {
  switch (job.kind) {
    case 'ingest': {
      const reroutes = [
        ...(job.mayBeLarge ? [] : ['large' as const]),
        ...(job.job.allow.includes('svg') ? ['svg' as const] : []),
      ]
      return z.union([ingestedAs(job.job.allow.filter(isPixelFormat)), z.enum(reroutes)])
    }
    case 'render': {
      const { format, animated } = job.job
      const variant = rendered.refine((image) => isWithinLimits(image, format) && (animated || image.frames === 1))
      return job.mayBeHeavy ? variant : z.union([variant, z.literal('heavy')])
    }
    case 'inspect':
      return job.mayBeHeavy ? inspected : z.union([inspected, z.literal('heavy')])
    case 'ingestSvg':
      return ingestedAs(['svg'])
    case 'rasterize':
      return z.null()
  }
}

/** Everything of a job that its schema depends on. */
function schemaKey(job: Job): string {
  switch (job.kind) {
    case 'ingest':
      return `ingest ${job.mayBeLarge} ${job.job.allow.join()}`
    case 'render':
      return `render ${job.mayBeHeavy} ${job.job.format} ${job.job.animated}`
    case 'inspect':
      return `inspect ${job.mayBeHeavy}`
    case 'ingestSvg':
    case 'rasterize':
      return job.kind
  }
}

/** To build the schema of an ingest takes 0.5 ms. A few dozen: the lists of allowed formats are those of the service. */
const schemas = new Map<string, z.ZodType<JobResult>>()

/** The values that a decoder may return for this job. */
export function resultSchema(job: Job): z.ZodType<JobResult> {
  const key = schemaKey(job)
  const schema = schemas.get(key) ?? schemaOf(job)
  schemas.set(key, schema)
  return schema
}

const signal = z.strictObject({ type: z.enum(['ready', 'started']) })
const ended = z.strictObject({
  type: z.literal('ended'),
  rssBytes: z.number().min(0),
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
  const value = resultSchema(job).safeParse(end.outcome.value)
  return value.success ? { ...end, outcome: { kind: 'done', value: value.data } } : undefined
}
