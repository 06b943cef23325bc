// Validates what a decoder process sends: hostile bytes may have taken it over, so it can send anything.

import { z } from 'zod'
import { formatNames, isPixelFormat } from '../../../contract/formats.ts'
import { limits } from '../../../contract/limits.ts'
import type { FromDecoder, Job, JobResult } from '../protocol.ts'

const { maxSidePx, maxFrames } = limits.image
/** Longer than any message of ours. */
const maxText = 10_000

const side = z.int().min(1).max(maxSidePx)
const frames = z.int().min(1).max(maxFrames)
const channel = z.number().min(0).max(255)
const colour = z.strictObject({ r: channel, g: channel, b: channel })
const word = z.string().max(40)

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

/** The values that a decoder may return for this job. */
function resultOf(job: Job): z.ZodType<JobResult> {
  switch (job.kind) {
    case 'ingest': {
      const allowed = job.job.allow.filter(isPixelFormat)
      const reroutes = [
        ...(job.mayBeLarge ? [] : ['large' as const]),
        ...(job.job.allow.includes('svg') ? ['svg' as const] : []),
      ]
      return z.union([ingested.extend({ format: z.enum(allowed) }), z.enum(reroutes)])
    }
    case 'render':
      return job.mayBeHeavy ? rendered : z.union([rendered, z.literal('heavy')])
    case 'inspect':
      return job.mayBeHeavy ? inspected : z.union([inspected, z.literal('heavy')])
    case 'ingestSvg':
      return ingested.extend({ format: z.literal('svg') })
    case 'rasterize':
      return z.null()
  }
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
      message: z.string().max(maxText),
    }),
    z.strictObject({ kind: z.literal('failed'), message: z.string().max(maxText), code: word.optional() }),
  ]),
})

/**
 * Returns undefined for a message that is not valid at this moment.
 * @param job the one that runs; without one, nothing can end
 */
export function readMessage(message: unknown, job: Job | undefined): FromDecoder | undefined {
  const read = signal.safeParse(message).data
  if (read) return read
  const end = ended.safeParse(message).data
  if (!end || !job) return undefined
  if (end.outcome.kind !== 'done') return { ...end, outcome: end.outcome }
  const value = resultOf(job).safeParse(end.outcome.value)
  return value.success ? { ...end, outcome: { kind: 'done', value: value.data } } : undefined
}
