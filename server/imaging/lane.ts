// A bounded queue before a bounded number of decoder processes.

import { Decoder, type Ending } from './decoder.ts'
import type { Decodes, Job } from './messages.ts'

/** The queue is full, or the service is stopping: ask again later (503 with Retry-After). */
export class ImagingBusy extends Error {
  constructor(message = 'too many pictures are waiting') {
    super(message)
    this.name = 'ImagingBusy'
  }
}

export interface LaneOptions {
  name: string
  entry: URL
  decodes: Decodes
  processes: number
  maxQueued: number
  niceness: number
  cpuLimitMs: number
  wallLimitMs: number
  memoryLimitBytes: number
  recycleAfterJobs: number
  recycleAboveBytes: number
  log: (event: object) => void
}

export interface LaneStats {
  queued: number
  running: number
  /** Processes. */
  alive: number
  jobs: number
  refusedAsBusy: number
  /** Processes killed because a job took too long or too much memory. */
  kills: number
  /** Processes that ended by themselves or by a stranger's hand. */
  deaths: number
  recycled: number
}

interface Waiting {
  job: Job
  settle: (ending: Ending) => void
}

export class Lane {
  readonly #options: LaneOptions
  readonly #queue: Waiting[] = []
  readonly #decoders = new Set<Decoder>()
  readonly #idle: Decoder[] = []
  readonly #counts = { jobs: 0, refusedAsBusy: 0, kills: 0, deaths: 0, recycled: 0 }
  #running = 0
  #isClosing = false
  #onQuiet: (() => void) | undefined

  constructor(options: LaneOptions) {
    this.#options = options
  }

  /** Fails only with ImagingBusy; how the job ended is in the answer. */
  run(job: Job): Promise<Ending> {
    const { processes, maxQueued } = this.#options
    if (this.#isClosing || (this.#running >= processes && this.#queue.length >= maxQueued)) {
      this.#counts.refusedAsBusy++
      return Promise.reject(new ImagingBusy())
    }
    return new Promise((settle) => {
      this.#queue.push({ job, settle })
      this.#next()
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
    return { queued: this.#queue.length, running: this.#running, alive: this.#decoders.size, ...this.#counts }
  }

  /** Takes no more jobs, finishes those it has, ends its processes. */
  async close(): Promise<void> {
    this.#isClosing = true
    if (this.#running > 0) await new Promise<void>((resolve) => (this.#onQuiet = resolve))
    await Promise.all([...this.#decoders].map((decoder) => decoder.end()))
  }

  #next(): void {
    while (this.#running < this.#options.processes) {
      const waiting = this.#queue.shift()
      if (!waiting) break
      this.#running++
      void this.#work(waiting)
    }
    if (this.#running === 0) this.#onQuiet?.()
  }

  async #work({ job, settle }: Waiting): Promise<void> {
    let ending = await this.#attempt(job, this.#idle.pop())
    if (ending.kind === 'died' && !ending.wasStarted) ending = await this.#attempt(job)
    this.#count(ending, job)
    this.#running--
    settle(ending)
    this.#next()
  }

  async #attempt(job: Job, idle?: Decoder): Promise<Ending> {
    try {
      const decoder = idle ?? this.#start()
      const ending = await decoder.run(job)
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
    if (ending.kind === 'too_slow' || ending.kind === 'too_large') {
      this.#counts.kills++
      log({ event: 'decoder_killed', lane: name, job: kind, why: ending.kind })
    } else if (ending.kind === 'died') {
      this.#counts.deaths++
      log({ event: 'decoder_died', lane: name, job: kind, wasStarted: ending.wasStarted, trace: ending.trace })
    }
  }

  /** libvips and malloc keep what fragments: 493 MB after 25,000 files (security.md §2.3). */
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
