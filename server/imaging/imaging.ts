// The service's way to pictures: bytes to bytes, by paths. No byte of a picture is parsed in this process.

import { rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import type { Ending } from './decoder.ts'
import type { Ingested, IngestJob } from './ingest.ts'
import type { Inspected, InspectJob } from './inspect.ts'
import { ImagingBusy, Lane, type LaneOptions, type LaneStats } from './lane.ts'
import type { JobResult } from './messages.ts'
import { broken, ImageRefused, overLimit } from './refusal.ts'
import type { Rendered, RenderJob } from './render.ts'
import type { ImageFormat } from './sniff.ts'

export { ImageRefused, ImagingBusy }

/** A decoder process was killed, died or would not start. Nothing is known against the request: try again (503). */
export class ImagingInterrupted extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ImagingInterrupted'
  }
}

export type { ImageFormat, Ingested, IngestJob, Inspected, InspectJob, LaneStats, Rendered, RenderJob }

/** What fails leaves no output. */
export interface Imaging {
  /** Fails with ImageRefused, ImagingBusy, ImagingInterrupted, or an Error with the system's code (ENOSPC ...). */
  ingest(job: IngestJob): Promise<Ingested>
  /** Fails with ImagingBusy, ImagingInterrupted or an Error. */
  render(job: RenderJob): Promise<Rendered>
  /** Fails as render. */
  inspect(job: InspectJob): Promise<Inspected>
  /** Starts a process in each lane, so that the first job does not wait 200 ms for it. */
  warm(): void
  stats(): { transform: LaneStats; ingest: LaneStats }
  /** Refuses new jobs, finishes the given ones, ends the processes. */
  close(): Promise<void>
}

export interface ImagingOptions {
  /** The compiled decoder-process.js; from TypeScript sources (tests) it has to be named. */
  decoderEntry?: URL
  log?: (event: object) => void
  lanes?: Partial<Record<'transform' | 'ingest', Partial<LaneTuning>>>
}

type LaneTuning = Omit<LaneOptions, 'name' | 'entry' | 'log'>

/** security.md §2.3: 4 s, recycled after 1,000 jobs or 400 MB. */
const common = { cpuLimitMs: 4000, wallLimitMs: 10_000, recycleAfterJobs: 1000, recycleAboveBytes: 400_000_000 }

/** Two renders with one libvips thread each fill two cores; more adds latency only (performance.md §1, §3). */
const defaults: Record<'transform' | 'ingest', LaneTuning> = {
  transform: { ...common, processes: Math.min(2, availableParallelism()), maxQueued: 16, niceness: 0 },
  ingest: { ...common, processes: 1, maxQueued: 32, niceness: 5 },
}

export function openImaging(options: ImagingOptions = {}): Imaging {
  const { decoderEntry = new URL('./decoder-process.js', import.meta.url), log = () => {}, lanes = {} } = options
  const openLane = (name: 'transform' | 'ingest') =>
    new Lane({ ...defaults[name], ...lanes[name], name, entry: decoderEntry, log })
  const transform = openLane('transform')
  const ingest = openLane('ingest')
  // SVG gets a lane of its own here: nice 15, queue 2, 2 s (security.md §2.3).

  return {
    ingest: (job) =>
      orNothing([job.originalPath, job.thumbnailPath, job.intermediatePath], async () => {
        const ending = await ingest.run({ kind: 'ingest', job })
        if (ending.kind === 'too_slow') throw overLimit('it takes too long to decode')
        if (ending.kind === 'died' && ending.wasStarted) throw broken('the picture breaks its decoder')
        return valueOf(ending) as Ingested
      }),
    render: (job) =>
      orNothing([job.outPath], async () => valueOf(await transform.run({ kind: 'render', job })) as Rendered),
    inspect: async (job) => valueOf(await transform.run({ kind: 'inspect', job })) as Inspected,
    warm() {
      transform.warm()
      ingest.warm()
    },
    stats: () => ({ transform: transform.stats(), ingest: ingest.stats() }),
    async close() {
      await Promise.all([transform.close(), ingest.close()])
    },
  }
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
      throw new ImagingInterrupted('the picture took too long to render')
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
