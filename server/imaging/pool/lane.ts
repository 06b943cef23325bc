// A bounded queue before a bounded number of decoder processes.

import { Decoder, type Ending, type Excess } from './decoder-process.ts'
import type { Decodes, Job } from '../protocol.ts'
import type { SharedMutex } from '../../concurrency/shared-mutex.ts'
import type { DecayingUsage } from '../../concurrency/decaying-usage.ts'
import { FairQueue } from '../../concurrency/fair-queue.ts'

/** The queue is full or too slow, or the service is stopping: ask again later (503 with Retry-After). */
export class ImagingBusy extends Error {
  constructor(message = 'too many pictures are waiting') {
    super(message)
    this.name = 'ImagingBusy'
  }
}

/** Whose job it is, so that callers take turns, and until when (performance.now()) its answer is waited for. */
export interface Order {
  caller: string
  byMs: number
}

export interface LaneOptions {
  name: string
  entry: URL
  flags: readonly string[]
  decodes: Decodes
  processes: number
  maxQueued: number
  niceness: number
  cpuLimitMs: number
  memoryLimitBytes: number
  recycleAfterJobs: number
  recycleAboveBytes: number
  /** By which the callers take turns; shared with lanes for the same callers. */
  usage: DecayingUsage
  /** Shared with lanes that may not work at the same time as this one. */
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
  /** Processes that ended by themselves or by a stranger's hand. */
  deaths: number
  recycled: number
}

interface Waiting {
  job: Job
  order: Order
  settle: (ending: Ending) => void
  refuse: (busy: ImagingBusy) => void
  /** Ends the wait when there is no time left to do the job in. */
  timer?: NodeJS.Timeout
}

/** Most jobs take less; one that would have less time than this left is not begun. */
const leastTimeMs = 500

const isExcess = (ending: Ending): ending is { kind: Excess } =>
  ending.kind === 'too_slow' || ending.kind === 'too_large' || ending.kind === 'out_of_time'

export class Lane {
  readonly #options: LaneOptions
  readonly #queue: FairQueue<Waiting>
  readonly #decoders = new Set<Decoder>()
  readonly #idle: Decoder[] = []
  readonly #counts = { jobs: 0, refusedAsBusy: 0, kills: 0, deaths: 0, recycled: 0 }
  #running = 0
  #isClosing = false
  #onQuiet: (() => void) | undefined

  constructor(options: LaneOptions) {
    this.#options = options
    this.#queue = new FairQueue(options.maxQueued, options.usage)
  }

  /** Settles by the time in its order. Fails only with ImagingBusy; how the job ended is in the answer. */
  run(job: Job, order: Order): Promise<Ending> {
    return new Promise((settle, refuse) => {
      const waiting: Waiting = { job, order, settle, refuse }
      if (this.#isClosing) this.#refuse(waiting)
      else if (this.#maySeed()) this.#begin(waiting)
      else this.#enqueue(waiting)
    })
  }

  /** Starts one process ahead of the first job. */
  warm(): void {
    if (this.#decoders.size > 0 || this.#isClosing) return
    try {
      this.#idle.push(this.#start())
    } catch (error) {
      // Not needed yet: the first job tries again, and its caller is told.
      this.#options.log({ event: 'decoder_not_started', lane: this.#options.name, trace: String(error) })
    }
  }

  stats(): LaneStats {
    return { queued: this.#queue.size, running: this.#running, alive: this.#decoders.size, ...this.#counts }
  }

  /** Takes no more jobs, finishes those it has, ends its processes. */
  async close(): Promise<void> {
    this.#isClosing = true
    if (this.#isBusy()) await new Promise<void>((resolve) => (this.#onQuiet = resolve))
    await Promise.all([...this.#decoders].map((decoder) => decoder.end()))
  }

  #enqueue(waiting: Waiting): void {
    const waitMs = waiting.order.byMs - leastTimeMs - performance.now()
    waiting.timer = setTimeout(() => this.#giveUp(waiting), Math.max(0, waitMs))
    const leaving = this.#queue.enqueue(waiting.order.caller, waiting)
    if (leaving) this.#refuse(leaving)
  }

  #giveUp(waiting: Waiting): void {
    if (!this.#queue.remove(waiting)) return
    this.#refuse(waiting)
    if (!this.#isBusy()) this.#onQuiet?.()
  }

  #refuse({ timer, refuse }: Waiting): void {
    clearTimeout(timer)
    this.#counts.refusedAsBusy++
    refuse(new ImagingBusy())
  }

  #begin(waiting: Waiting): void {
    clearTimeout(waiting.timer)
    this.#running++
    void this.#work(waiting)
  }

  /** Begins what may begin. */
  onMutexFree(): void {
    while (this.#queue.size > 0 && this.#maySeed()) this.#begin(this.#queue.dequeue() as Waiting)
    if (!this.#isBusy()) this.#onQuiet?.()
  }

  /** True: there is a process for a job, and the room that lanes share is ours. */
  #maySeed(): boolean {
    const { processes, mutex } = this.#options
    return this.#running < processes && (mutex?.tryAcquire(this) ?? true)
  }

  #isBusy(): boolean {
    return this.#running > 0 || this.#queue.size > 0
  }

  async #work({ job, order, settle }: Waiting): Promise<void> {
    const start = performance.now()
    let ending = await this.#attempt(job, order.byMs, this.#idle.pop())
    if (ending.kind === 'died' && !ending.wasStarted) ending = await this.#attempt(job, order.byMs)
    this.#options.usage.charge(order.caller, performance.now() - start)
    this.#count(ending, job)
    this.#running--
    settle(ending)
    this.#options.mutex?.release()
    this.onMutexFree()
  }

  async #attempt(job: Job, byMs: number, idle?: Decoder): Promise<Ending> {
    try {
      const decoder = idle ?? this.#start()
      const ending = await decoder.run(job, byMs)
      if (isExcess(ending)) this.#countExcess(ending.kind, job, decoder)
      this.#retireOrKeep(decoder)
      return ending
    } catch (error) {
      // fork() itself fails when the machine has no memory or no process left.
      return { kind: 'died', wasStarted: false, trace: String(error) }
    }
  }

  #start(): Decoder {
    const decoder = new Decoder({ ...this.#options, onExit: (exited) => this.#forget(exited) })
    this.#decoders.add(decoder)
    return decoder
  }

  #forget(decoder: Decoder): void {
    this.#decoders.delete(decoder)
    const at = this.#idle.indexOf(decoder)
    if (at >= 0) this.#idle.splice(at, 1)
  }

  #count(ending: Ending, { kind }: Job): void {
    const { name, log } = this.#options
    this.#counts.jobs++
    if (ending.kind !== 'died') return
    this.#counts.deaths++
    log({ event: 'decoder_died', lane: name, job: kind, wasStarted: ending.wasStarted, trace: ending.trace })
  }

  /** A process that was not ready when its job was over is kept for the next one. */
  #countExcess(why: Excess, { kind }: Job, { isAlive }: Decoder): void {
    if (!isAlive) this.#counts.kills++
    this.#options.log({ event: isAlive ? 'job_given_up' : 'decoder_killed', lane: this.#options.name, job: kind, why })
  }

  /** libvips and malloc keep what fragments: 493 MB after 25,000 files (measured). */
  #retireOrKeep(decoder: Decoder): void {
    if (!decoder.isAlive) return
    const { recycleAfterJobs, recycleAboveBytes } = this.#options
    if (decoder.jobs < recycleAfterJobs && decoder.rssBytes < recycleAboveBytes) {
      this.#idle.push(decoder)
      return
    }
    this.#counts.recycled++
    void decoder.end()
  }
}
