// A bounded queue before a bounded number of decoder processes.

import { DecoderProcess, type JobOutcome, type ExceededLimit } from './decoder-process.ts'
import type { Decodes, Job } from '../protocol.ts'
import type { SharedPermits } from '../../concurrency/shared-permits.ts'
import { DecayingUsage } from '../../concurrency/decaying-usage.ts'
import { FairQueue } from '../../concurrency/fair-queue.ts'

/** More work waits than can be done in time, or the service is stopping: the request can be retried (503 with Retry-After). */
export class ImagingBusy extends Error {
  override name = 'ImagingBusy'
  readonly retryAfterMs: number

  /** @param retryAfterMs until the work that waits now is expected to be done */
  constructor(retryAfterMs: number) {
    super('too many images are waiting')
    this.retryAfterMs = retryAfterMs
  }
}

/** For whom jobs run, and how long they may take. Several jobs of one request share it. */
export interface JobContext {
  /** Among callers the queue is fair: a user id or an address. */
  readonly caller: string
  /** In performance.now(): a job that is still queued then is refused. */
  startByMs: number
  /** In performance.now(): a job that still runs then is ended. */
  deadlineMs: number
  /** Aborted when nobody waits for the job any more: it then leaves the queue. */
  readonly signal?: AbortSignal | undefined
  /** Others who wait for the same jobs, also those that are not queued yet. */
  readonly joined: Set<string>
  /** CPU time of its jobs so far. */
  usedMs: number
}

/** An `error` needs the operator. */
export type DecoderLog = (event: object, level?: 'error') => void

export interface LaneOptions {
  name: string
  entry: URL
  dataDir?: string | undefined
  decodes: Decodes
  processes: number
  /** Whether a job may start while others of this lane run. Default: always. */
  mayStartMore?: () => boolean
  /** Jobs are queued while they are expected to start within this time. */
  maxWaitMs: number
  /** A job that runs longer is ended: wall-clock time. */
  maxRunMs: number
  /** Expected time of a new caller's job. Later the mean of the caller's recent jobs in this lane counts. */
  typicalJobMs: number
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
  onJobEnd?: (outcome: JobOutcome) => void
  /** Shared with lanes whose jobs need as much memory. */
  permits?: SharedPermits
  log: DecoderLog
}

export interface LaneStats {
  queued: number
  running: number
  /** Processes. */
  alive: number
  jobs: number
  refusedAsBusy: number
  /** Of all jobs that were queued and then started. */
  waitedMs: number
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
  reject: (reason: unknown) => void
  /** In performance.now(), when it could not start at once. */
  queuedAtMs?: number
  /** While it is queued: ends its wait. */
  timer?: NodeJS.Timeout
  onAbort?: () => void
}

/** Bounds the memory of waiting requests, and the time to find the next job in the queue. */
const maxQueued = 5000
/** When the server stops, what cannot start by then is refused. */
const closeWithinMs = 4000

/** In the durations of a lane: all callers together. */
const anyCaller = '*'

const isExceededLimit = (outcome: JobOutcome): outcome is { kind: ExceededLimit } =>
  outcome.kind === 'too_slow' || outcome.kind === 'too_large' || outcome.kind === 'out_of_time'

export class Lane {
  readonly #options: LaneOptions
  readonly #queue: FairQueue<QueuedJob>
  readonly #queuedBy = new Map<JobContext, QueuedJob>()
  /** How many jobs of each caller run. */
  readonly #runningBy = new Map<string, number>()
  /** Of this lane only: `usage` is shared. */
  readonly #durations = new DecayingUsage()
  readonly #decoders = new Set<DecoderProcess>()
  /** With the timers that end them. The last one was used last. */
  readonly #idle = new Map<DecoderProcess, NodeJS.Timeout>()
  readonly #counts = { jobs: 0, refusedAsBusy: 0, waitedMs: 0, kills: 0, deaths: 0, recycled: 0 }
  #running = 0
  #isClosing = false
  #onQuiet: (() => void) | undefined

  constructor(options: LaneOptions) {
    this.#options = options
    const maxCostMs = options.maxWaitMs * options.processes
    this.#queue = new FairQueue({ maxCostMs, maxLength: maxQueued }, options.usage)
  }

  /**
   * Queues the job unless it can start at once, and has it done by a process. Settles by the deadline.
   * @throws {ImagingBusy} when the job does not start in time; else how it ended is in the result
   * @throws the reason of the context's signal
   */
  run(job: Job, context: JobContext): Promise<JobOutcome> {
    return new Promise((settle, reject) => {
      const queued: QueuedJob = { job, context, settle, reject }
      if (context.signal?.aborted) reject(context.signal.reason as Error)
      else if (this.#isClosing) this.#refuse(queued)
      else if (!this.hasQueue && this.#mayStart()) this.#startJob(queued)
      else this.#enqueue(queued)
    })
  }

  /** Somebody else waits as well for the job of this context, if it is queued here. */
  join(context: JobContext, caller: string): void {
    const queued = this.#queuedBy.get(context)
    if (queued) this.#queue.join(caller, queued)
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
    for (const queued of this.#queue.items()) {
      queued.context.startByMs = Math.min(queued.context.startByMs, performance.now() + closeWithinMs)
      clearTimeout(queued.timer)
      this.#expireLater(queued)
    }
    if (this.isBusy()) await new Promise<void>((resolve) => (this.#onQuiet = resolve))
    await Promise.all([...this.#decoders].map((decoder) => decoder.end()))
  }

  #enqueue(queued: QueuedJob): void {
    const { context } = queued
    queued.queuedAtMs = performance.now()
    this.#queuedBy.set(context, queued)
    this.#expireLater(queued)
    queued.onAbort = () => this.#leave(queued, context.signal?.reason)
    context.signal?.addEventListener('abort', queued.onAbort, { once: true })
    const { caller } = context
    const costMs = this.#costOf(caller)
    const runningMs = costMs * (this.#runningBy.get(caller) ?? 0)
    const evicted = this.#queue.enqueue(caller, queued, costMs, { joined: context.joined, runningMs })
    for (const each of evicted) this.#refuse(each)
  }

  /** The expected milliseconds of a job. At most half of the queue, so that callers with slow jobs can queue too. */
  #costOf(caller: string): number {
    const { maxWaitMs, typicalJobMs, processes } = this.#options
    return Math.min(this.#durations.expectedMs(caller, typicalJobMs), (maxWaitMs * processes) / 2)
  }

  #expireLater(queued: QueuedJob): void {
    const waitMs = Math.max(0, queued.context.startByMs - performance.now())
    queued.timer = setTimeout(() => this.#leave(queued), waitMs)
  }

  /** @param reason undefined: it could not start in time */
  #leave(queued: QueuedJob, reason?: unknown): void {
    if (!this.#queue.remove(queued)) return
    if (reason === undefined) this.#refuse(queued)
    else {
      this.#forgetQueued(queued)
      queued.reject(reason)
    }
    if (!this.isBusy()) this.#onQuiet?.()
  }

  #refuse(queued: QueuedJob): void {
    this.#forgetQueued(queued)
    this.#counts.refusedAsBusy++
    const { processes, typicalJobMs } = this.#options
    // In a queue of new callers every job counts as a typical one. The recent mean says how long they really take.
    const meanMs = this.#durations.expectedMs(anyCaller, typicalJobMs)
    queued.reject(new ImagingBusy(Math.max(this.#queue.costMs, this.#queue.size * meanMs) / processes))
  }

  #forgetQueued({ context, timer, onAbort }: QueuedJob): void {
    clearTimeout(timer)
    if (onAbort) context.signal?.removeEventListener('abort', onAbort)
    this.#queuedBy.delete(context)
  }

  #startJob(queued: QueuedJob): void {
    this.#forgetQueued(queued)
    if (queued.queuedAtMs !== undefined) this.#counts.waitedMs += performance.now() - queued.queuedAtMs
    this.#running++
    const { caller } = queued.context
    this.#runningBy.set(caller, (this.#runningBy.get(caller) ?? 0) + 1)
    void this.#work(queued)
  }

  /** Starts queued jobs while there are processes and permits. */
  startQueued(): void {
    while (this.#queue.size > 0 && this.#mayStart()) this.#startJob(this.#queue.dequeue() as QueuedJob)
    if (!this.isBusy()) this.#onQuiet?.()
  }

  /** Whether a process is available and, for lanes that share permits, one is acquired. */
  #mayStart(): boolean {
    const { processes, mayStartMore, permits } = this.#options
    if (this.#running >= processes || (this.#running > 0 && mayStartMore?.() === false)) return false
    return permits?.tryAcquire(this) ?? true
  }

  get running(): number {
    return this.#running
  }

  get hasQueue(): boolean {
    return this.#queue.size > 0
  }

  /** Whether anybody but these callers waits, or would if one of them sent another job. */
  isContended(...callers: string[]): boolean {
    const others = [...this.#runningBy.keys()].some((caller) => !callers.includes(caller))
    return this.#queue.hasOtherCallers(...callers) || (others && this.#running >= this.#options.processes)
  }

  isBusy(): boolean {
    return this.#running > 0 || this.hasQueue
  }

  async #work({ job, context, settle }: QueuedJob): Promise<void> {
    let outcome = await this.#attempt(job, context, this.#takeIdle())
    if (outcome.kind === 'died' && !outcome.wasStarted) outcome = await this.#attempt(job, context)
    this.#count(outcome, job)
    this.#running--
    const left = (this.#runningBy.get(context.caller) ?? 1) - 1
    if (left > 0) this.#runningBy.set(context.caller, left)
    else this.#runningBy.delete(context.caller)
    settle(outcome)
    this.#options.permits?.release()
    this.startQueued()
    this.#options.onJobEnd?.(outcome)
  }

  async #attempt(job: Job, context: JobContext, idle?: DecoderProcess): Promise<JobOutcome> {
    const { caller, deadlineMs } = context
    try {
      const decoder = idle ?? this.#start()
      const outcome = await decoder.run(job, Math.min(deadlineMs, performance.now() + this.#options.maxRunMs))
      // Otherwise the job has not started: it has cost nothing.
      if (decoder.lastJobMs > 0) {
        for (const each of [caller, anyCaller]) this.#durations.charge(each, decoder.lastJobMs)
        for (const each of [caller, ...context.joined]) this.#options.usage.charge(each, decoder.lastJobCpuMs)
      }
      context.usedMs += decoder.lastJobCpuMs
      if (isExceededLimit(outcome)) this.#countExceededLimit(outcome.kind, job, decoder)
      this.#recycleOrReuse(decoder)
      return outcome
    } catch (error) {
      const { code, message, syscall } = error as NodeJS.ErrnoException
      // The folder of the process: the disk is full or failing.
      if (syscall === 'mkdir') return { kind: 'failed', message, code }
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
    const { wasStarted, cannotStart, trace } = outcome
    const event = { lane: name, job: kind, wasStarted, trace }
    if (cannotStart) log({ event: 'decoder_cannot_start', ...event }, 'error')
    else log({ event: 'decoder_died', ...event })
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
