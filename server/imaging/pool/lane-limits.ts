// The lanes: which jobs each takes, and its limits (docs/security.md, "Limits").
import type { LaneOptions } from './lane.ts'
import { heavyJobs } from './capacity.ts'

export type LaneName = 'transform' | 'heavy' | 'ingest' | 'large' | 'svg'

export type LaneTuning = Omit<
  LaneOptions,
  'name' | 'entry' | 'dataDir' | 'usage' | 'permits' | 'mayStartMore' | 'onJobEnd' | 'log'
>

interface LaneRow extends LaneTuning {
  /** Whose jobs it takes: the lanes for the same share a count of what each caller has used. */
  of: 'renders' | 'uploads'
  /** Each job may fill hundreds of megabytes and take seconds, so few run at a time in all such lanes (docs/decisions/0021). */
  isHeavy: boolean
}

/** A visitor waits this long for an image that is not rendered yet, rather than seeing a broken one. */
export const maxWaitMs = 30_000
/** A job may run this long, however busy the machine is. Its CPU time has a limit of its own. */
export const maxRunMs = 30_000
/** A photograph of 12 MP at 800 px takes 12 ms, one at 1,600 px 88 (docs/decisions/0060). */
export const typicalRenderMs = 30

/** Processes are recycled because the memory of libvips and malloc fragments. */
const common = {
  decodes: 'pixels',
  isHeavy: false,
  cpuLimitMs: 4000,
  memoryLimitBytes: Infinity, // the container rewriters bound what an image can take
  recycleAfterJobs: 1000,
  recycleAboveBytes: 200_000_000,
  maxWaitMs,
  maxRunMs,
  maxIdleMs: 10_000,
  maxLastIdleMs: 30 * 60_000, // so that uploads every few minutes do not wait for a process
} as const

/**
 * As many renders as cores, with one libvips thread each, fill them; more processes only made each render wait longer (measured).
 * All decoders have a higher niceness than the server, whose one thread serves every request: beside a storm of renders the
 * median of hot responses was 120 ms with niceness 0, 1.9 ms with 5 and 0.9 ms with 10, with as many renders. It stays low enough
 * for a photograph to finish in time on one busy core. Among the lanes, cheap work has the lower niceness.
 * The typical times are those of photographs of 12 MP.
 */
export function lanesFor(decoders: number): Record<LaneName, LaneRow> {
  const heavy = { ...common, isHeavy: true, processes: heavyJobs(decoders) }
  return {
    transform: {
      ...common,
      of: 'renders',
      processes: decoders,
      typicalJobMs: typicalRenderMs,
      niceness: 7,
      // The request of a render arrives at once, so that no process can start meanwhile.
      maxLastIdleMs: Infinity,
    },
    // Renders whose header announces much memory. The process ends with its job, since an idle one holds memory too.
    heavy: { ...heavy, of: 'renders', recycleAfterJobs: 1, typicalJobMs: 700, niceness: 14 },
    // Beyond the first one, a job runs only while cores are idle: renders come before uploads.
    ingest: { ...common, of: 'uploads', processes: decoders, typicalJobMs: 100, niceness: 9 },
    // Uploads whose header announces much work: a flood of them delays only others of this lane (docs/decisions/0021).
    large: { ...heavy, of: 'uploads', recycleAboveBytes: 150_000_000, typicalJobMs: 450, niceness: 18 },
    // Two attempts of 2 s each, so that an idle machine refuses within 5 s what takes too long. The memory of a drawing cannot be
    // predicted: 62 floods in a filter, 5 KB, fill 1.1 GB.
    svg: {
      ...heavy,
      of: 'uploads',
      decodes: 'svg',
      cpuLimitMs: 2000,
      memoryLimitBytes: 350_000_000,
      recycleAboveBytes: 120_000_000,
      typicalJobMs: 50,
      niceness: 18,
    },
  }
}
