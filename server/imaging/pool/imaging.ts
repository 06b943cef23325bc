// The service's way to pictures: bytes to bytes, by paths. No byte of a picture is parsed in this process.

import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import type { Ending } from './decoder-process.ts'
import type { Elsewhere, Ingested, IngestJob } from '../decoder/ingest.ts'
import type { Inspected, InspectJob } from '../decoder/inspect.ts'
import { ImagingBusy, Lane, type LaneOptions, type LaneStats, type Order } from './lane.ts'
import type { Job, JobResult } from '../protocol.ts'
import { SharedMutex } from '../../concurrency/shared-mutex.ts'
import { permissionFlags } from './permissions.ts'
import { broken, ImageRefused, overLimit } from '../refusal.ts'
import type { Rendered, RenderJob } from '../decoder/render.ts'
import type { ImageFormat, PixelFormat } from '../decoder/sniff.ts'
import type { RasterizeJob, Scale } from '../decoder/svg/rasterize.ts'
import { DecayingUsage } from '../../concurrency/decaying-usage.ts'

export { ImageRefused, ImagingBusy }

/** A decoder process was killed, died or would not start. Nothing is known against the request: try again (503). */
export class ImagingInterrupted extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ImagingInterrupted'
  }
}

export type {
  ImageFormat,
  Ingested,
  IngestJob,
  Inspected,
  InspectJob,
  LaneStats,
  Order,
  PixelFormat,
  Rendered,
  RenderJob,
}

/**
 * From the moment that a job is given until its end, its wait in the queue and its second try included. No answer of the
 * service may take over 5 s (docs/decisions/0021): the rest is for the body before it and the disk and the database behind it.
 */
const answerWithinMs = 4200

/** What fails leaves no output. Without an order a job is nobody's in particular and has its own time. */
export interface Imaging {
  /** Fails with ImageRefused, ImagingBusy, ImagingInterrupted, or an Error with the system's code (ENOSPC ...). */
  ingest(job: IngestJob, order?: Order): Promise<Ingested>
  /** Never of an SVG, but of its raster. Fails with ImagingBusy, ImagingInterrupted or an Error. */
  render(job: RenderJob, order?: Order): Promise<Rendered>
  /** Fails as render. */
  inspect(job: InspectJob, order?: Order): Promise<Inspected>
  /** The raster of an ingested SVG anew, equal to the intermediate that its ingest wrote. Fails as render. */
  rasterize(job: Omit<RasterizeJob, 'scale'>, order?: Order): Promise<void>
  /** For work of several jobs: all of them by one time. @param caller whoever it is done for */
  orderFor(caller: string): Order
  /** Starts a process in each busy lane, so that the first job does not wait 200 ms for it. SVGs and what is large or heavy are too rare to hold one ready. */
  warm(): void
  stats(): Record<LaneName, LaneStats>
  /** Refuses new jobs, finishes the given ones, ends the processes. */
  close(): Promise<void>
}

export interface ImagingOptions {
  /** The compiled decoder/main.js; from TypeScript sources (tests) it has to be named. */
  decoderEntry?: URL
  /** With it, the processes may touch nothing but its pictures and their own code (permissions.ts); paths of jobs are inside it. */
  dataDir?: string
  log?: (event: object) => void
  lanes?: Partial<Record<LaneName, Partial<LaneTuning>>>
  /** Milliseconds. Tests on a busy machine wait longer. */
  answerWithinMs?: number
}

type LaneName = 'transform' | 'heavy' | 'ingest' | 'large' | 'svg'
type LaneTuning = Omit<LaneOptions, 'name' | 'entry' | 'flags' | 'usage' | 'mutex' | 'log'>

/** docs/security.md, "Limits". Recycled, because libvips and malloc keep what fragments. */
const common = {
  decodes: 'pixels',
  cpuLimitMs: 4000,
  memoryLimitBytes: Infinity, // the scanners bound what a picture can take
  recycleAfterJobs: 1000,
  recycleAboveBytes: 250_000_000,
} as const

/**
 * Two renders with one libvips thread each fill two cores; more only made each wait longer when it was measured.
 * All decoders are nicer than the server, whose one thread answers everybody: on a busy machine half of the hot answers beside a
 * storm of renders took 120 ms with 0, 1.9 with 5 and 0.9 with 10, and as many were rendered. Not nicer than that: on one core that
 * is busy with answers, a photograph must still come through in its time. Among them, what is cheap goes before what is not.
 */
const defaults: Record<LaneName, LaneTuning> = {
  transform: { ...common, processes: Math.min(2, availableParallelism()), maxQueued: 16, niceness: 7 },
  // Renders whose header promises much memory, one at a time. A process of its own that ends with its job: idle, it would be memory, too.
  heavy: { ...common, recycleAfterJobs: 1, processes: 1, maxQueued: 8, niceness: 14 },
  ingest: { ...common, processes: 1, maxQueued: 32, niceness: 9 },
  // Uploads whose header promises much work: apart, so that a flood of them holds up only its like (docs/decisions/0021).
  large: { ...common, recycleAboveBytes: 150_000_000, processes: 1, maxQueued: 8, niceness: 18 },
  // Each drawing gets two tries: at 2 s each they and the start of a process fit into the time for an answer. What one may take cannot be counted beforehand: 62 floods in a filter, 5 KB, fill 1.1 GB.
  svg: {
    ...common,
    decodes: 'svg',
    cpuLimitMs: 2000,
    memoryLimitBytes: 350_000_000,
    recycleAboveBytes: 120_000_000,
    processes: 1,
    maxQueued: 2,
    niceness: 18,
  },
}

export function openImaging(options: ImagingOptions = {}): Imaging {
  const { decoderEntry = new URL('../decoder/main.js', import.meta.url), log = () => {}, lanes = {} } = options
  const flags = options.dataDir === undefined ? [] : permissionFlags(decoderEntry, options.dataDir)
  const openLane = (name: LaneName, shared: Pick<LaneOptions, 'usage' | 'mutex'>) =>
    new Lane({ ...defaults[name], ...lanes[name], ...shared, name, entry: decoderEntry, flags, log })
  // Each may fill hundreds of megabytes and take seconds: one job at a time among them (docs/decisions/0021).
  const mutex = new SharedMutex()
  const renderUsage = new DecayingUsage()
  const transform = openLane('transform', { usage: renderUsage })
  const heavy = openLane('heavy', { usage: renderUsage, mutex })
  const uploadUsage = new DecayingUsage()
  const ingest = openLane('ingest', { usage: uploadUsage })
  const large = openLane('large', { usage: uploadUsage, mutex })
  const svg = openLane('svg', { usage: uploadUsage, mutex })
  const orderFor = (caller: string): Order => ({
    caller,
    byMs: performance.now() + (options.answerWithinMs ?? answerWithinMs),
  })

  /**
   * A drawing that asks for too much is drawn at half its size before it is given up: a quarter of the pixels.
   * @param wasRead whether it got as far as being drawn; reading it would take as long again
   */
  async function runDrawing(jobAt: (scale: Scale) => Job, order: Order, wasRead = () => true): Promise<Ending> {
    const ending = await svg.run(jobAt(1), order)
    if ((ending.kind !== 'too_slow' && ending.kind !== 'too_large') || !wasRead()) return ending
    const second = await svg.run(jobAt(0.5), order)
    // What had its full try and no more time is known to be too much.
    return second.kind === 'out_of_time' ? ending : second
  }

  /** What promises much memory goes on in the lane for that. */
  async function runLight(jobFor: (mayBeHeavy: boolean) => Job, order: Order): Promise<JobResult> {
    const answer = valueOf(await transform.run(jobFor(false), order))
    return answer === 'heavy' ? valueOf(await heavy.run(jobFor(true), order)) : answer
  }

  return {
    ingest: (job, order = orderFor('')) =>
      orNothing([job.originalPath, job.thumbnailPath, job.intermediatePath], async () => {
        const decode = async (lane: Lane, mayBeLarge: boolean) =>
          verdictOf(await lane.run({ kind: 'ingest', job, mayBeLarge }, order), 'decode') as Ingested | Elsewhere
        const first = await decode(ingest, false)
        const answer = first === 'large' ? await decode(large, true) : first
        if (typeof answer === 'object') return answer
        const wasRead = () => existsSync(job.originalPath)
        const ending = await runDrawing((scale) => ({ kind: 'ingestSvg', job: { ...job, scale } }), order, wasRead)
        return verdictOf(ending, 'draw') as Ingested
      }),
    render: (job, order = orderFor('')) =>
      orNothing(
        [job.outPath],
        async () => (await runLight((mayBeHeavy) => ({ kind: 'render', job, mayBeHeavy }), order)) as Rendered,
      ),
    inspect: async (job, order = orderFor('')) =>
      (await runLight((mayBeHeavy) => ({ kind: 'inspect', job, mayBeHeavy }), order)) as Inspected,
    rasterize: (job, order = orderFor('')) =>
      orNothing([job.outPath], async () => {
        valueOf(await runDrawing((scale) => ({ kind: 'rasterize', job: { ...job, scale } }), order))
      }),
    orderFor,
    warm() {
      transform.warm()
      ingest.warm()
    },
    stats: () => ({
      transform: transform.stats(),
      heavy: heavy.stats(),
      ingest: ingest.stats(),
      large: large.stats(),
      svg: svg.stats(),
    }),
    async close() {
      await Promise.all([transform.close(), ingest.close()])
      await Promise.all([heavy.close(), large.close(), svg.close()]) // the others hand on to them
    },
  }
}

/** Of an upload: what was too much for its process is refused, for it would be the next time. */
function verdictOf(ending: Ending, verb: 'decode' | 'draw'): JobResult {
  if (ending.kind === 'too_slow') throw overLimit(`it takes too long to ${verb}`)
  if (ending.kind === 'too_large') throw overLimit(`it takes too much memory to ${verb}`)
  if (ending.kind === 'died' && ending.wasStarted) throw broken('the picture breaks its decoder')
  return valueOf(ending)
}

function valueOf(ending: Ending): JobResult {
  switch (ending.kind) {
    case 'done':
      return ending.value
    case 'refused':
      throw new ImageRefused(ending.reason, ending.message)
    case 'failed':
      throw Object.assign(new Error(ending.message), ending.code && { code: ending.code })
    case 'too_slow':
    case 'too_large':
      throw new ImagingInterrupted(
        `the picture took too ${ending.kind === 'too_slow' ? 'long' : 'much memory'} to render`,
      )
    case 'out_of_time':
      throw new ImagingInterrupted('there was no time left for the picture')
    case 'died':
      throw new ImagingInterrupted(
        ending.wasStarted ? 'a decoder process died while it worked' : 'no decoder process could be started',
      )
  }
}

/** A job that fails leaves nothing half written, whether its process could tidy up or was killed. */
async function orNothing<T>(outputs: string[], work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await Promise.all(outputs.map((path) => rm(path, { force: true })))
    throw error
  }
}
