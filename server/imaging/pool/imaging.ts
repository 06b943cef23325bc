// Runs imaging jobs in decoder processes: files in, files out, by paths. This process never parses a byte of an image. A lane
// queues its jobs, fairly among callers, and gives each to one of its processes, which calls the function of the job's kind
// (decoder/main.ts).

import { createHash } from 'node:crypto'
import { existsSync, readSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { installed } from '../../installation.ts'
import type { JobOutcome } from './decoder-process.ts'
import { decoderCount, heavyJobs } from './capacity.ts'
import { DecoderUnavailable } from './decoder-unavailable.ts'
import { ImagingBusy, Lane, type DecoderLog, type LaneStats, type JobContext } from './lane.ts'
import { type LaneName, type LaneTuning, lanesFor, maxRunMs, maxWaitMs, typicalRenderMs } from './lane-limits.ts'
import { RenderBudget, RenderBudgetUsedUp } from './render-budget.ts'
import type {
  CollageJob,
  Ingested,
  IngestJob,
  IngestResult,
  Inspected,
  InspectJob,
  Job,
  JobResult,
  RasterizeJob,
  Rendered,
  RenderJob,
  Reroute,
  Scale,
} from '../protocol.ts'
import { preferSync } from '../../concurrency/prefer-sync.ts'
import { SharedPermits } from '../../concurrency/shared-permits.ts'
import { broken, ImageRefused, overLimit } from '../refusal.ts'
import { DecayingUsage } from '../../concurrency/decaying-usage.ts'
import { drawsLetters, renderSample } from './sample-renders.ts'

export { DecoderUnavailable, ImageRefused, ImagingBusy, RenderBudgetUsedUp }

/** A decoder process was killed or died. The request is not at fault and can be retried (503). */
export class ImagingInterrupted extends Error {
  override name = 'ImagingInterrupted'
}

export type { Ingested, IngestJob, Inspected, InspectJob, LaneStats, JobContext, Rendered, RenderJob }

/** With `jobTimeLimitMs`, a job with less time than this left is not started. */
const minTimeMs = 500

/**
 * A job that fails leaves no output. Without a context a job belongs to no caller. Each throws DecoderUnavailable where the
 * processes cannot start.
 */
export interface Imaging {
  /** @throws ImageRefused, ImagingBusy, ImagingInterrupted, or an Error with the system's code (ENOSPC ...) */
  ingest(job: IngestJob, context?: JobContext): Promise<Ingested>
  /** Of an SVG, its raster is the source. @throws ImagingBusy, ImagingInterrupted, the reason of the signal, or an Error */
  render(job: RenderJob, context?: JobContext): Promise<Rendered>
  /** @throws as render */
  collage(job: CollageJob, context?: JobContext): Promise<Rendered>
  /** @throws as render */
  inspect(job: InspectJob, context?: JobContext): Promise<Inspected>
  /** Draws the raster of an ingested SVG again, equal to the intermediate that its ingest wrote. @throws as render */
  rasterize(job: Omit<RasterizeJob, 'scale'>, context?: JobContext): Promise<void>
  /**
   * One context for several jobs: they share its deadline.
   * @param caller a user id or an address; {@link background} for work that no request waits for
   */
  jobContext(caller: string): JobContext
  /** Another caller waits for the same jobs: they start when either is due. */
  join(context: JobContext, caller: string): void
  /**
   * Counts the jobs of a context towards the caller's budget, before they start.
   * @returns a function to call when they have ended
   * @throws RenderBudgetUsedUp
   */
  reserveBudget(context: JobContext): () => void
  /**
   * Renders a small image, which leaves a process for the first real one.
   * @throws DecoderUnavailable, or as render
   */
  selfTest(): Promise<void>
  /**
   * Whether watermarks have letters: without a font, lines or boxes stand in their place. Found out once.
   * @throws as render
   */
  drawsLetters(): Promise<boolean>
  /**
   * Resolves unless it is known that no process can start, which it then tries again, at most every 10 s. Waits for a self-test.
   * @throws as selfTest
   */
  requireDecoder(): Promise<void>
  /** Starts a process for uploads unless there is one, while an upload is received. Never throws. */
  warmIngest(): void
  /** Processes that each of the two usual lanes may have. */
  readonly decoders: number
  stats(): Record<LaneName, LaneStats>
  /** Refuses new jobs, finishes the given ones, ends the processes. */
  close(): Promise<void>
}

/** The caller of renders that no request waits for. */
export const background = 'background'

export interface ImagingOptions {
  /** The compiled decoder/main.js; from TypeScript sources (tests) it has to be named. */
  decoderEntry?: URL
  /** Limits the processes to their own code and the files of their job, in a folder in here (workspace.ts). */
  dataDir?: string
  log?: DecoderLog
  lanes?: Partial<Record<LaneName, Partial<LaneTuning>>>
  /** Default 0: as many as cores and memory allow. */
  decoders?: number
  /** Percent of the decoders that one caller gets in the long run while others wait. Default 0: no limit. */
  renderShare?: number
  /** For any job, its wait included, instead of the limits of the lanes. Tests set it. */
  jobTimeLimitMs?: number
}

export function openImaging(options: ImagingOptions = {}): Imaging {
  const { decoderEntry = installed('dist/server/imaging/decoder/main.js'), log = () => {} } = options
  const decoders = decoderCount(options.decoders ?? 0)
  /** From a process that could not start until the next job that is done. In performance.now(). */
  let startFailure: { error: DecoderUnavailable; sinceMs: number } | undefined
  let testing: Promise<void> | undefined
  const usage = { renders: new DecayingUsage(), uploads: new DecayingUsage() }
  const permits = new SharedPermits(heavyJobs(decoders))
  const onJobEnd = (outcome: JobOutcome) => {
    if (outcome.kind === 'died' && outcome.cannotStart)
      startFailure = { error: new DecoderUnavailable(outcome.trace), sinceMs: performance.now() }
    else if (outcome.kind === 'done') startFailure = undefined
    // Cores that other lanes leave idle are for uploads.
    ingest.startQueued()
  }
  const mayStartUpload = () => !transform.hasQueue && all.reduce((sum, lane) => sum + lane.running, 0) < decoders
  const lanes = Object.fromEntries(
    Object.entries(lanesFor(decoders)).map(([name, { of, isHeavy, ...tuning }]) => [
      name,
      new Lane({
        ...tuning,
        ...(options.jobTimeLimitMs !== undefined && { maxRunMs: options.jobTimeLimitMs }),
        ...options.lanes?.[name as LaneName],
        name,
        usage: usage[of],
        ...(isHeavy && { permits }),
        ...(name === 'ingest' && { mayStartMore: mayStartUpload }),
        onJobEnd,
        entry: decoderEntry,
        dataDir: options.dataDir,
        log,
      }),
    ]),
  ) as Record<LaneName, Lane>
  const { transform, heavy, ingest, large, svg } = lanes
  const all = Object.values(lanes)
  const budget = new RenderBudget(options.renderShare ?? 0, decoders)

  const jobContext = (caller: string): JobContext => ({
    caller,
    joined: new Set(),
    usedMs: 0,
    ...timesFromNow(),
  })
  function timesFromNow(): Pick<JobContext, 'startByMs' | 'deadlineMs'> {
    const now = performance.now()
    const limitMs = options.jobTimeLimitMs
    if (limitMs !== undefined) return { startByMs: now + limitMs - minTimeMs, deadlineMs: now + limitMs }
    return { startByMs: now + maxWaitMs, deadlineMs: now + maxWaitMs + maxRunMs }
  }

  /**
   * Retries a drawing that took too much at half its size, which is a quarter of the pixels.
   * @param wasRead whether the first attempt reached the drawing; otherwise a second one would take as long
   */
  async function runDrawing(
    jobAt: (scale: Scale) => Job,
    context: JobContext,
    wasRead = () => true,
  ): Promise<JobOutcome> {
    const outcome = await svg.run(jobAt(1), context)
    if ((outcome.kind !== 'too_slow' && outcome.kind !== 'too_large') || !wasRead()) return outcome
    const second = await svg.run(jobAt(0.5), context)
    // The first attempt had its full time, so its outcome counts.
    return second.kind === 'out_of_time' ? outcome : second
  }

  /** Reroutes jobs that need much memory to the heavy lane. */
  async function runLight(jobFor: (mayBeHeavy: boolean) => Job, context: JobContext): Promise<JobResult> {
    const result = valueOf(await transform.run(jobFor(false), context))
    return result === 'heavy' ? valueOf(await heavy.run(jobFor(true), context)) : result
  }

  const render: Imaging['render'] = (job, context = jobContext('')) =>
    withoutLeftovers(
      [job.outPath],
      async () => (await runLight((mayBeHeavy) => ({ kind: 'render', job, mayBeHeavy }), context)) as Rendered,
    )

  const selfTest = () => (testing ??= renderSample(options.dataDir, render).finally(() => (testing = undefined)))

  let letters: Promise<boolean> | undefined
  return {
    ingest: (job, context = jobContext('')) =>
      withoutLeftovers([job.originalPath, job.thumbnailPath, job.listThumbnailPath, job.intermediatePath], async () => {
        const decode = async (lane: Lane, mayBeLarge: boolean) =>
          uploadResultOf(await lane.run({ kind: 'ingest', job, mayBeLarge }, context), 'decode') as
            | IngestResult
            | Reroute
        const first = await decode(ingest, false)
        const result = first === 'large' ? await decode(large, true) : first
        if (typeof result === 'object') return counted(result, job)
        const wasRead = () => existsSync(job.originalPath)
        const outcome = await runDrawing((scale) => ({ kind: 'ingestSvg', job: { ...job, scale } }), context, wasRead)
        return counted(uploadResultOf(outcome, 'draw') as IngestResult, job)
      }),
    render,
    collage: (job, context = jobContext('')) =>
      withoutLeftovers(
        [job.outPath],
        async () => valueOf(await transform.run({ kind: 'collage', job }, context)) as Rendered,
      ),
    inspect: async (job, context = jobContext('')) =>
      (await runLight((mayBeHeavy) => ({ kind: 'inspect', job, mayBeHeavy }), context)) as Inspected,
    rasterize: (job, context = jobContext('')) =>
      withoutLeftovers([job.outPath], async () => {
        valueOf(await runDrawing((scale) => ({ kind: 'rasterize', job: { ...job, scale } }), context))
      }),
    jobContext,
    join(context, caller) {
      context.joined.add(caller)
      for (const lane of [transform, heavy]) lane.join(context, caller)
    },
    reserveBudget(context) {
      const { caller } = context
      const expectedMs = usage.renders.expectedMs(caller, typicalRenderMs)
      const isContended = [transform, heavy, ingest].some((lane) => lane.isContended(caller, background))
      const settle = budget.reserve(caller, expectedMs, isContended)
      return () => settle(context.usedMs)
    },
    decoders,
    selfTest,
    drawsLetters: () =>
      (letters ??= drawsLetters(options.dataDir, render).catch((error: unknown) => {
        letters = undefined
        throw error
      })),
    async requireDecoder() {
      if (startFailure && performance.now() - startFailure.sinceMs < retryBrokenMs) throw startFailure.error
      if (startFailure || testing) await selfTest()
    },
    warmIngest: () => ingest.warm(),
    stats: () =>
      Object.fromEntries(Object.entries(lanes).map(([name, lane]) => [name, lane.stats()])) as ReturnType<
        Imaging['stats']
      >,
    async close() {
      await Promise.all([transform.close(), ingest.close()])
      await Promise.all([heavy.close(), large.close(), svg.close()]) // the first two reroute jobs to them
    },
  }
}

/** A start takes 0.3 s of CPU, and anyone may ask whether the server is ready. */
const retryBrokenMs = 10_000

/** About 0.2 ms of reading and hashing between two iterations of the event loop. */
const hashedAtOnceBytes = 256 * 1024

/** The server counts and hashes the rewritten file itself: a decoder that hostile bytes have taken over could lie. */
async function counted(result: IngestResult, job: IngestJob): Promise<Ingested> {
  const hash = createHash('sha256')
  const chunk = Buffer.allocUnsafe(hashedAtOnceBytes)
  const file = await open(job.originalPath, 'r')
  try {
    for (let bytes = 0; ;) {
      const read = await preferSync(
        () => readSync(file.fd, chunk),
        async () => (await file.read(chunk)).bytesRead,
      )
      if (read === 0) return { ...result, bytes, sha256: hash.digest('hex') }
      hash.update(chunk.subarray(0, read))
      bytes += read
      await setImmediate()
    }
  } finally {
    await file.close()
  }
}

/** Refuses an upload that was too much for its process: it would be again. */
function uploadResultOf(outcome: JobOutcome, verb: 'decode' | 'draw'): JobResult {
  if (outcome.kind === 'too_slow') throw overLimit(`it takes too long to ${verb}`)
  if (outcome.kind === 'too_large') throw overLimit(`it takes too much memory to ${verb}`)
  if (outcome.kind === 'died' && outcome.wasStarted) throw broken('the image crashes the decoder')
  return valueOf(outcome)
}

function valueOf(outcome: JobOutcome): JobResult {
  switch (outcome.kind) {
    case 'done':
      return outcome.value
    case 'refused':
      throw new ImageRefused(outcome.reason, outcome.message)
    case 'failed':
      throw Object.assign(new Error(outcome.message), outcome.code && { code: outcome.code })
    case 'too_slow':
    case 'too_large':
      throw new ImagingInterrupted(
        `the image took too ${outcome.kind === 'too_slow' ? 'long' : 'much memory'} to render`,
      )
    case 'out_of_time':
      throw new ImagingInterrupted('there was no time left for the image')
    case 'died':
      if (outcome.cannotStart) throw new DecoderUnavailable(outcome.trace)
      throw new ImagingInterrupted(
        outcome.wasStarted ? 'a decoder process died while it worked' : 'no decoder process could be started',
      )
  }
}

/** Removes the outputs of a job that failed, also when its process was killed. */
async function withoutLeftovers<T>(outputs: string[], work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await Promise.all(outputs.map((path) => rm(path, { force: true })))
    throw error
  }
}
