// One decoder process as its parent sees it: started, given a job at a time, watched, killed.

import { type ChildProcess, fork } from 'node:child_process'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { type Decodes, type FromDecoder, isFromDecoder, type Job, type Outcome } from '../protocol.ts'
import { residentBytes } from './process-memory.ts'
import { readProcess, threadsOf } from './process-time.ts'

export interface DecoderOptions {
  entry: URL
  /** Of its command line, for Node itself. */
  flags: readonly string[]
  decodes: Decodes
  niceness: number
  /** Of the process's own CPU time for one job; of the wall clock where CPU time cannot be read. */
  cpuLimitMs: number
  /** Of its resident memory while it works, looked at every 25 ms where it is bound: what is filled in that time comes on top. */
  memoryLimitBytes: number
  onExit: (decoder: Decoder) => void
}

/** `died` without having started is nobody's fault: the job can be given to another process. */
export type Ending = Outcome | { kind: 'died'; wasStarted: boolean; trace: string } | { kind: Excess }

/** Why we ended a job. `out_of_time` says nothing about its picture: on a busy machine a good one can come to it. */
export type Excess = 'too_slow' | 'too_large' | 'out_of_time'

/** One file descriptor for the channel, one thread to decode and one to spare; nothing of our environment. */
const environment = {
  MALLOC_ARENA_MAX: '2',
  // Fixed, else glibc raises both with the first large blocks and keeps what is freed later. After 64 renders of seven pictures a
  // process held 182 MB with its own ways, 124 MB with these and 99 MB with 128 KB each, which took 8 % more CPU for new pages.
  MALLOC_MMAP_THRESHOLD_: String(4 * 1024 ** 2),
  MALLOC_TRIM_THRESHOLD_: String(8 * 1024 ** 2),
  // What must be held is held in memory: above 100 MB libvips would write it to a file, and others' fsync would wait for that.
  VIPS_DISC_THRESHOLD: '1g',
  VIPS_CONCURRENCY: '1',
  UV_THREADPOOL_SIZE: '2',
}
/** A drawing fills a megabyte in a millisecond. */
const watchMemoryMs = 25
/** Of what has seconds, and no such bound: a look costs 0.15 ms of CPU, and many jobs are over before the first one. */
const watchTimeMs = 50
/** A start takes 0.2 s; a machine on which it takes this long is of no use now. */
const startLimitMs = 10_000
const startNiceness = 9
const keptTrace = 500

interface Running {
  job: Job
  wasStarted: boolean
  excess: Excess | undefined
  byMs: number
  startedAtMs: number
  /** At the first look after the job was sent: what it used until then, some 50 ms, is not held against it. */
  cpuBeforeMs: number | undefined
  watch: NodeJS.Timeout
  settle: (ending: Ending) => void
}

export class Decoder {
  readonly #child: ChildProcess
  readonly #options: DecoderOptions
  readonly #exited: Promise<void>
  readonly #forkedAtMs = performance.now()
  #isReady = false
  #running: Running | undefined
  #trace = ''
  isAlive = true
  jobs = 0
  rssBytes = 0

  constructor(options: DecoderOptions) {
    this.#options = options
    const child = fork(fileURLToPath(options.entry), [options.decodes], {
      cwd: '/',
      env: environment,
      execArgv: [...options.flags],
      serialization: 'json',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    this.#child = child
    // The start itself is 0.2 s of work: not to push aside what goes before this one, nor so far behind that it would not end.
    this.#setNiceness(Math.min(options.niceness, startNiceness))
    child.on('message', (message) => {
      // A process that hostile bytes have taken over can say anything; what is not our language ends it.
      if (isFromDecoder(message)) this.#hear(message)
      else child.kill('SIGKILL')
    })
    child.stderr?.on('data', (text: Buffer) => {
      this.#trace = (this.#trace + text.toString('latin1')).slice(-keptTrace)
    })
    child.stderr?.on('error', () => {}) // a trace is a courtesy
    this.#exited = new Promise((resolve) => {
      const ended = () => {
        this.#end()
        resolve()
      }
      // The last words of a process can still be in the channel when its exit is known.
      child.once('exit', () => (child.connected ? child.once('disconnect', ended) : ended()))
      child.on('error', ended)
    })
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  /**
   * One job at a time. Always settles: by an answer, by the death of the process, or by its limits.
   * @param byMs of performance.now(): when nobody waits for the answer any more, whatever the machine's load
   */
  run(job: Job, byMs: number): Promise<Ending> {
    return new Promise((settle) => {
      if (!this.isAlive) return settle({ kind: 'died', wasStarted: false, trace: '' })
      const isMemoryBound = this.#options.memoryLimitBytes < Infinity
      const watch = setInterval(() => this.#watch(), isMemoryBound ? watchMemoryMs : watchTimeMs)
      const clock = { startedAtMs: performance.now(), cpuBeforeMs: undefined }
      this.#running = { job, wasStarted: false, excess: undefined, byMs, ...clock, watch, settle }
      if (this.#isReady) this.#send(job)
    })
  }

  /** An idle process holds nothing that is worth a farewell. */
  async end(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.#exited
  }

  #send(job: Job): void {
    if (this.#running) this.#running.startedAtMs = performance.now()
    this.#child.send(job, (error) => {
      if (error) this.#child.kill('SIGKILL') // the channel is gone, the process is of no more use
    })
  }

  #hear(message: FromDecoder): void {
    if (message.type === 'ready') {
      this.#isReady = true
      this.#setNiceness(this.#options.niceness)
      if (this.#running) this.#send(this.#running.job)
    } else if (message.type === 'started') {
      if (this.#running) this.#running.wasStarted = true
    } else {
      this.jobs++
      this.rssBytes = message.rssBytes
      this.#settle(message.outcome)
    }
  }

  #watch(): void {
    const running = this.#running
    if (!running) return
    const now = performance.now()
    const state = readProcess(this.#child.pid ?? 0)
    if (!this.#isReady) {
      if (now - this.#forkedAtMs >= startLimitMs || state?.isStopped) this.#child.kill('SIGKILL')
      // The next job finds it further on: killed at every deadline, it would never be ready on a slow machine.
      else if (now >= running.byMs) this.#settle({ kind: 'out_of_time' })
      return
    }
    running.cpuBeforeMs ??= state?.cpuMs
    const usedMs = state ? state.cpuMs - (running.cpuBeforeMs ?? 0) : now - running.startedAtMs
    const { cpuLimitMs, memoryLimitBytes } = this.#options
    const isLarge = memoryLimitBytes < Infinity && residentBytes(this.#child.pid ?? 0) >= memoryLimitBytes
    const isSlow = usedMs >= cpuLimitMs || state?.isStopped
    if (!isLarge && !isSlow && now < running.byMs) return
    running.excess = isLarge ? 'too_large' : isSlow ? 'too_slow' : 'out_of_time'
    this.#child.kill('SIGKILL')
  }

  #end(): void {
    if (!this.isAlive) return
    this.isAlive = false
    const { wasStarted = false, excess } = this.#running ?? {}
    this.#settle(wasStarted && excess ? { kind: excess } : { kind: 'died', wasStarted, trace: this.#trace })
    this.#options.onExit(this)
  }

  #settle(ending: Ending): void {
    const running = this.#running
    if (!running) return
    this.#running = undefined
    clearInterval(running.watch)
    running.settle(ending)
  }

  /** On Linux niceness belongs to threads, and new ones inherit it: so all are told once they are ready for work. */
  #setNiceness(niceness: number): void {
    const { pid } = this.#child
    if (!pid || niceness === 0) return
    try {
      for (const thread of threadsOf(pid)) setPriority(thread, niceness)
    } catch {
      // gone already, or not permitted: niceness is a courtesy
    }
  }
}
