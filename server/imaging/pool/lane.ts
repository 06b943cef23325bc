// A bounded queue before a bounded number of decoder processes.

import { DecoderProcess, type JobOutcome, type ExceededLimit } from './decoder-process.ts'
import type { Decodes, Job } from '../protocol.ts'
import type { SharedMutex } from '../../concurrency/shared-mutex.ts'
import { DecayingUsage } from '../../concurrency/decaying-usage.ts'
import { FairQueue } from '../../concurrency/fair-queue.ts'

/** The queue is full or too slow, or the service is stopping: the request can be retried (503 with Retry-After). */
export class ImagingBusy extends Error {
  override name = 'ImagingBusy'

  constructor() {
    super('too many pictures are waiting')
  }
}

/** The caller, among whom the queue is fair, and the deadline in performance.now(). */
export interface JobContext {
  caller: string
  deadlineMs: number
}

/**
 * How much may wait: a number of jobs, or the time that they are expected to take. The expected
 * time of a job is the caller's recent mean in this lane, `typicalJobMs` for a new caller.
 */
type QueueLimit = number | { expectedMs: number; typicalJobMs: number }

export interface LaneOptions {
  name: string
  entry: URL
  dataDir?: string | undefined
  decodes: Decodes
  processes: number
  /** Whether a job may start while others of this lane run. Default: always. */
  mayStartBeside?: () => boolean
  maxQueued: QueueLimit
  niceness: number
  cpuLimitMs: number
  memoryLimitBytes: number
  recycleAfterJobs: number
  recycleAboveBytes: number
  /** A process without a job for this long ends, unless it is the last one: it holds memory. */
  maxIdleMs: number
  /** The same for the last one, whose successor takes 200 ms to start. Longer than `maxIdleMs`. */
  maxLastIdleMs: number
  /** Decides which caller is next; shared with lanes for the same callers. */
  usage: DecayingUsage
  /** Shared with lanes that may not run a job at the same time as this one. */
  mutex?: SharedMutex
  log: (event: object) => void
}

export interface LaneStats {
  queued: number
  running: number
  /** Processes. */
  alive: number
  jobs: number
  refusedAsBusy: number
  /** Processes killed because their job took too long or too much memory. */
  kills: number
  /** Processes that ended without the lane. */
  deaths: number
  recycled: number
}

interface QueuedJob {
  job: Job
  context: JobContext
  settle: (outcome: JobOutcome) => void
  refuse: (busy: ImagingBusy) => void
  /** Removes the job from the queue when too little time is left to run it. */
  timer?: NodeJS.Timeout
}

/** A job with less time than this left is not started; most take less. */
export const minTimeMs = 500
/** Least time that a queued job is expected to take: bounds the length of the queue. */
const minExpectedMs = 10

const isExceededLimit = (outcome: JobOutcome): outcome is { kind: ExceededLimit } =>
  outcome.kind === 'too_slow' || outcome.kind === 'too_large' || outcome.kind === 'out_of_time'

export class Lane {
  readonly #options: LaneOptions
  readonly #queue: FairQueue<QueuedJob>
  /** Of this lane only: `usage` is shared. */
  readonly #durations = new DecayingUsage()
  readonly #decoders = new Set<DecoderProcess>()
  /** With the timers that end them. The last one was used last. */
  readonly #idle = new Map<DecoderProcess, NodeJS.Timeout>()
  readonly #counts = { jobs: 0, refusedAsBusy: 0, kills: 0, deaths: 0, recycled: 0 }
  #running = 0
  #isClosing = false
  #onQuiet: (() => void) | undefined

  constructor(options: LaneOptions) {
    this.#options = options
    const { maxQueued, usage } = options
    this.#queue = new FairQueue(typeof maxQueued === 'number' ? maxQueued : maxQueued.expectedMs, usage)
  }

  /** Settles by the deadline. @throws {ImagingBusy} only; how the job ended is in the result */
  run(job: Job, context: JobContext): Promise<JobOutcome> {
    return new Promise((settle, refuse) => {
      const queued: QueuedJob = { job, context, settle, refuse }
      if (this.#isClosing) this.#refuse(queued)
      else if (this.#mayStart()) this.#startJob(queued)
      else this.#enqueue(queued)
    })
  }

  /** For a job that is expected soon: starts a process unless there is one, and lets an idle one live on. Never throws. */
  warm(): void {
    if (this.#isClosing) return
    const idle = this.#takeIdle()
    if (idle) return this.#addIdle(idle)
    if (this.#decoders.size > 0) return
    try {
      this.#addIdle(this.#start())
    } catch (error) {
      // The first job tries again, and reports the error to its caller.
      this.#options.log({ event: 'decoder_not_started', lane: this.#options.name, trace: String(error) })
    }
  }

  stats(): LaneStats {
    return { queued: this.#queue.size, running: this.#running, alive: this.#decoders.size, ...this.#counts }
  }

  /** Takes no more jobs, finishes those it has, ends its processes. */
  async close(): Promise<void> {
    this.#isClosing = true
    if (this.isBusy()) await new Promise<void>((resolve) => (this.#onQuiet = resolve))
    await Promise.all([...this.#decoders].map((decoder) => decoder.end()))
  }

  #enqueue(queued: QueuedJob): void {
    const waitMs = queued.context.deadlineMs - minTimeMs - performance.now()
    queued.timer = setTimeout(() => this.#expire(queued), Math.max(0, waitMs))
    const { caller } = queued.context
    for (const evicted of this.#queue.enqueue(caller, queued, this.#costOf(caller))) this.#refuse(evicted)
  }

  /** In the unit of the queue's limit. At most half of it, so that callers with slow jobs can queue too. */
  #costOf(caller: string): number {
    const { maxQueued } = this.#options
    if (typeof maxQueued === 'number') return 1
    const expectedMs = this.#durations.expectedMs(caller, maxQueued.typicalJobMs)
    return Math.min(Math.max(expectedMs, minExpectedMs), maxQueued.expectedMs / 2)
  }

  #expire(queued: QueuedJob): void {
    if (!this.#queue.remove(queued)) return
    this.#refuse(queued)
    if (!this.isBusy()) this.#onQuiet?.()
  }

  #refuse({ timer, refuse }: QueuedJob): void {
    clearTimeout(timer)
    this.#counts.refusedAsBusy++
    refuse(new ImagingBusy())
  }

  #startJob(queued: QueuedJob): void {
    clearTimeout(queued.timer)
    this.#running++
    void this.#work(queued)
  }

  /** Starts queued jobs while there are processes and the mutex allows it. */
  onMutexFree(): void {
    while (this.#queue.size > 0 && this.#mayStart()) this.#startJob(this.#queue.dequeue() as QueuedJob)
    if (!this.isBusy()) this.#onQuiet?.()
  }

  /** Whether a process is available and, for lanes that share one, the mutex is held. */
  #mayStart(): boolean {
    const { processes, mayStartBeside, mutex } = this.#options
    if (this.#running >= processes || (this.#running > 0 && mayStartBeside?.() === false)) return false
    return mutex?.tryAcquire(this) ?? true
  }

  isBusy(): boolean {
    return this.#running > 0 || this.#queue.size > 0
  }

  async #work({ job, context, settle }: QueuedJob): Promise<void> {
    const start = performance.now()
    let outcome = await this.#attempt(job, context, this.#takeIdle())
    if (outcome.kind === 'died' && !outcome.wasStarted) outcome = await this.#attempt(job, context)
    this.#options.usage.charge(context.caller, performance.now() - start)
    this.#count(outcome, job)
    this.#running--
    settle(outcome)
    this.#options.mutex?.release()
    this.onMutexFree()
  }

  async #attempt(job: Job, { caller, deadlineMs }: JobContext, idle?: DecoderProcess): Promise<JobOutcome> {
    try {
      const decoder = idle ?? this.#start()
      const outcome = await decoder.run(job, deadlineMs)
      this.#durations.charge(caller, decoder.lastJobMs)
      if (isExceededLimit(outcome)) this.#countExceededLimit(outcome.kind, job, decoder)
      this.#recycleOrReuse(decoder)
      return outcome
    } catch (error) {
      // fork() itself fails when the machine has no memory or no process left.
      return { kind: 'died', wasStarted: false, trace: String(error) }
    }
  }

  #start(): DecoderProcess {
    const decoder = new DecoderProcess({ ...this.#options, onExit: (exited) => this.#forget(exited) })
    this.#decoders.add(decoder)
    return decoder
  }

  #forget(decoder: DecoderProcess): void {
    this.#decoders.delete(decoder)
    clearTimeout(this.#idle.get(decoder))
    this.#idle.delete(decoder)
  }

  #count(outcome: JobOutcome, { kind }: Job): void {
    const { name, log } = this.#options
    this.#counts.jobs++
    if (outcome.kind !== 'died') return
    this.#counts.deaths++
    log({ event: 'decoder_died', lane: name, job: kind, wasStarted: outcome.wasStarted, trace: outcome.trace })
  }

  /** A process that was not ready by the deadline stays alive for the next job. */
  #countExceededLimit(why: ExceededLimit, { kind }: Job, { isAlive }: DecoderProcess): void {
    if (!isAlive) this.#counts.kills++
    this.#options.log({ event: isAlive ? 'job_given_up' : 'decoder_killed', lane: this.#options.name, job: kind, why })
  }

  /** Recycles old and large processes: fragmented memory reached 493 MB after 25,000 files (measured). */
  #recycleOrReuse(decoder: DecoderProcess): void {
    if (!decoder.isAlive) return
    const { recycleAfterJobs, recycleAboveBytes } = this.#options
    if (decoder.jobs < recycleAfterJobs && decoder.rssBytes < recycleAboveBytes) return this.#addIdle(decoder)
    this.#counts.recycled++
    void decoder.end()
  }

  #takeIdle(): DecoderProcess | undefined {
    const [decoder, timer] = [...this.#idle].at(-1) ?? []
    if (decoder === undefined) return undefined
    clearTimeout(timer)
    this.#idle.delete(decoder)
    return decoder
  }

  /** Makes the process available for jobs, and ends it when none comes. */
  #addIdle(decoder: DecoderProcess): void {
    const { maxIdleMs, maxLastIdleMs } = this.#options
    const wait = (ms: number, then: () => void) => this.#idle.set(decoder, setTimeout(then, ms).unref())
    const end = () => {
      this.#idle.delete(decoder)
      void decoder.end()
    }
    wait(maxIdleMs, () => {
      if (this.#idle.size + this.#running > 1) end()
      else if (maxLastIdleMs < Infinity) wait(maxLastIdleMs - maxIdleMs, end)
    })
  }
}
