// Starts one decoder process, gives it one job at a time, monitors and kills it.

import { type ChildProcess, fork } from 'node:child_process'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Decodes, FromDecoder, Job, Outcome } from '../protocol.ts'
import { readMessage } from './messages.ts'
import { permissionFlags } from './permissions.ts'
import { readProcess, residentBytes, threadsOf } from './process-state.ts'
import { Workspace } from './workspace.ts'

export interface DecoderOptions {
  entry: URL
  /** Restricts the process to the files of its job, in a folder in here. Default: no restriction. */
  dataDir?: string | undefined
  decodes: Decodes
  niceness: number
  /** CPU time of the process for one job; wall-clock time where CPU time cannot be read. */
  cpuLimitMs: number
  /** Resident memory during a job, sampled every 25 ms: it may exceed the limit by what is allocated between two samples. */
  memoryLimitBytes: number
  onExit: (decoder: DecoderProcess) => void
  log: (event: object) => void
}

/**
 * A job that `died` without having started can be given to another process, unless that one `cannotStart` either: it ended
 * by itself before it was ready.
 */
export type JobOutcome =
  | Outcome
  | { kind: 'died'; wasStarted: boolean; cannotStart?: boolean; trace: string }
  | { kind: ExceededLimit }

/** Why a job was ended. `out_of_time` says nothing about its image: on a busy machine a good one can reach its deadline. */
export type ExceededLimit = 'too_slow' | 'too_large' | 'out_of_time'

/** The environment of the process: nothing of the server's but where its fonts are. */
const environment = {
  MALLOC_ARENA_MAX: '2',
  // Fixed, or glibc raises both with the first large blocks and retains freed memory. After 64 renders of seven images a process
  // held 182 MB with glibc's defaults, 124 MB with these and 99 MB with 128 KB each, which took 8 % more CPU for page faults.
  MALLOC_MMAP_THRESHOLD_: String(4 * 1024 ** 2),
  MALLOC_TRIM_THRESHOLD_: String(8 * 1024 ** 2),
  // libvips would write images above 100 MB to a file, and the server's fsync calls would wait for that.
  VIPS_DISC_THRESHOLD: '1g',
  VIPS_CONCURRENCY: '1',
  UV_THREADPOOL_SIZE: '2',
}
const fontSettings = () => {
  const { FONTCONFIG_FILE } = process.env
  return FONTCONFIG_FILE === undefined ? {} : { FONTCONFIG_FILE }
}
/** A drawing allocates a megabyte in a millisecond. */
const watchMemoryMs = 25
/** For processes without a memory limit: a sample costs 0.15 ms of CPU, and many jobs end before the first one. */
const watchTimeMs = 50
/** A start takes 0.1 s. */
const startLimitMs = 10_000
const startNiceness = 9
const maxTraceLength = 2000
/** Other signals come from outside: SIGKILL of a machine without memory, SIGINT of a terminal. */
const crashes = new Set<NodeJS.Signals>(['SIGILL', 'SIGSEGV', 'SIGBUS', 'SIGFPE', 'SIGABRT', 'SIGSYS', 'SIGTRAP'])
/** The machine has no room for another process at the moment. */
const isTemporary = ({ code = '' }: NodeJS.ErrnoException) => ['EAGAIN', 'ENOMEM', 'EMFILE', 'ENFILE'].includes(code)
/** That may work at the same time: UV_THREADPOOL_SIZE, the main thread, and V8's. */
const maxThreads = 4

interface Running {
  job: Job
  wasStarted: boolean
  exceeded: ExceededLimit | undefined
  deadlineMs: number
  startedAtMs: number
  /** When it was ended for exceeding a limit. */
  endedAfterCpuMs?: number
  /** At the first sample after the job was sent: the 50 ms before it are not counted. */
  cpuBeforeMs: number | undefined
  watch: NodeJS.Timeout
  settle: (outcome: JobOutcome) => void
}

export class DecoderProcess {
  readonly #child: ChildProcess
  readonly #options: DecoderOptions
  readonly #exited: Promise<void>
  readonly #forkedAtMs = performance.now()
  readonly #workspace: Workspace | undefined
  #isReady = false
  #cannotStart = false
  #running: Running | undefined
  /** Whether the files of a job are in the workspace. */
  #isStaged = false
  #removed: Promise<void> | undefined
  #trace = ''
  isAlive = true
  jobs = 0
  rssBytes = 0
  /** Wall-clock time of the last job; 0 when it did not start. */
  lastJobMs = 0
  /** CPU time of the last job; its wall-clock time when the process died. */
  lastJobCpuMs = 0

  constructor(options: DecoderOptions) {
    this.#options = options
    this.#workspace = options.dataDir === undefined ? undefined : new Workspace(options.dataDir)
    const child = fork(fileURLToPath(options.entry), [options.decodes], {
      cwd: '/',
      env: { ...environment, ...fontSettings() },
      execArgv: this.#workspace ? [...permissionFlags(options.entry), ...this.#workspace.flags] : [],
      serialization: 'json',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    this.#child = child
    // A start takes 60 ms of CPU: it must not delay lanes of lower niceness, but must finish on a busy machine.
    this.#setNiceness(Math.min(options.niceness, startNiceness))
    child.on('message', (message) => {
      const { job, wasStarted = false } = this.#running ?? {}
      const read = readMessage(message, { isReady: this.#isReady, job, wasStarted })
      if (read) this.#receive(read)
      else child.kill('SIGKILL') // hostile bytes may have taken it over
    })
    child.stderr?.on('data', (text: Buffer) => {
      this.#trace = (this.#trace + text.toString('latin1')).slice(-maxTraceLength)
    })
    child.stderr?.on('error', () => {}) // the trace is only for the log
    this.#exited = new Promise((resolve) => {
      const ended = () => {
        this.#end()
        resolve()
      }
      // Messages can still be in the channel when 'exit' is emitted.
      child.once('exit', (_code, signal) => {
        this.#cannotStart = !this.#isReady && (signal === null || crashes.has(signal))
        if (child.connected) child.once('disconnect', ended)
        else ended()
      })
      child.on('error', (error) => {
        this.#cannotStart = !this.#isReady && !isTemporary(error)
        this.#trace ||= String(error)
        ended()
      })
    })
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  /**
   * Runs one job at a time. Always settles: by a result, by the end of the process, or by its limits.
   * @param deadlineMs in performance.now(), wall-clock
   */
  async run(job: Job, deadlineMs: number): Promise<JobOutcome> {
    this.lastJobMs = 0
    this.lastJobCpuMs = 0
    const workspace = this.#workspace
    if (!workspace) return this.#run(job, deadlineMs)
    this.#isStaged = true
    try {
      const staged = await workspace.stage(job)
      const outcome = await this.#run(staged, deadlineMs)
      await workspace.collect(job)
      return outcome
    } catch (error) {
      const { message, code } = error as NodeJS.ErrnoException
      return { kind: 'failed', message, code }
    } finally {
      this.#isStaged = false
      if (!this.isAlive) this.#removeWorkspace()
    }
  }

  #run(job: Job, deadlineMs: number): Promise<JobOutcome> {
    return new Promise((settle) => {
      if (!this.isAlive) return settle(this.#died(false))
      const isMemoryBound = this.#options.memoryLimitBytes < Infinity
      const watch = setInterval(() => this.#watch(), isMemoryBound ? watchMemoryMs : watchTimeMs)
      const clock = { startedAtMs: performance.now(), cpuBeforeMs: undefined }
      this.#running = { job, wasStarted: false, exceeded: undefined, deadlineMs, ...clock, watch, settle }
      if (this.#isReady) this.#send(job)
    })
  }

  /** Kills the process: an idle one has nothing to save. */
  async end(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.#exited
    await this.#removed
  }

  #send(job: Job): void {
    if (this.#running) this.#running.startedAtMs = performance.now()
    this.#child.send(job, (error) => {
      if (error) this.#child.kill('SIGKILL') // the channel is closed
    })
  }

  #receive(message: FromDecoder): void {
    if (message.type === 'ready') {
      this.#isReady = true
      this.#setNiceness(this.#options.niceness)
      if (this.#running) this.#send(this.#running.job)
    } else if (message.type === 'started') {
      if (this.#running) this.#running.wasStarted = true
    } else {
      this.jobs++
      this.rssBytes = message.rssBytes
      this.#settle(message.outcome, message.cpuMs)
    }
  }

  #watch(): void {
    const running = this.#running
    if (!running) return
    const now = performance.now()
    const state = readProcess(this.#child.pid ?? 0)
    if (this.#isReady) this.#watchJob(running, state, now)
    else if (now - this.#forkedAtMs >= startLimitMs || state?.isStopped) this.#child.kill('SIGKILL')
    // Not killed: on a slow machine a process that is killed at every deadline would never get ready.
    else if (now >= running.deadlineMs) this.#settle({ kind: 'out_of_time' })
  }

  #watchJob(running: Running, state: ReturnType<typeof readProcess>, now: number): void {
    running.cpuBeforeMs ??= state?.cpuMs
    const usedMs = state ? state.cpuMs - (running.cpuBeforeMs ?? 0) : now - running.startedAtMs
    const { cpuLimitMs, memoryLimitBytes } = this.#options
    const isLarge = memoryLimitBytes < Infinity && residentBytes(this.#child.pid ?? 0) >= memoryLimitBytes
    const isSlow = usedMs >= cpuLimitMs || state?.isStopped
    if (!isLarge && !isSlow && now < running.deadlineMs) return
    running.exceeded = isLarge ? 'too_large' : isSlow ? 'too_slow' : 'out_of_time'
    running.endedAfterCpuMs = usedMs
    this.#child.kill('SIGKILL')
  }

  #end(): void {
    if (!this.isAlive) return
    this.isAlive = false
    const { wasStarted = false, exceeded } = this.#running ?? {}
    this.#settle(wasStarted && exceeded ? { kind: exceeded } : this.#died(wasStarted))
    // The outputs of a staged job are still collected.
    if (!this.#isStaged) this.#removeWorkspace()
    this.#options.onExit(this)
  }

  #died(wasStarted: boolean): JobOutcome {
    return { kind: 'died', wasStarted, cannotStart: this.#cannotStart, trace: this.#trace }
  }

  /** A folder that cannot be removed is removed by the next start of the server. */
  #removeWorkspace(): void {
    this.#removed = this.#workspace?.remove().catch((error: unknown) => {
      this.#options.log({ event: 'decoder_folder_not_removed', trace: String(error) })
    })
  }

  #settle(outcome: JobOutcome, cpuMs?: number): void {
    const running = this.#running
    if (!running) return
    this.#running = undefined
    clearInterval(running.watch)
    this.lastJobMs = running.wasStarted ? performance.now() - running.startedAtMs : 0
    // What the process reports may be wrong when hostile bytes have taken it over.
    const usedMs = cpuMs ?? running.endedAfterCpuMs ?? this.lastJobMs
    this.lastJobCpuMs = Math.min(usedMs, maxThreads * this.lastJobMs)
    running.settle(outcome)
  }

  /** On Linux niceness belongs to threads, and new ones inherit it, so it is set on all when the process is ready. */
  #setNiceness(niceness: number): void {
    const { pid } = this.#child
    if (!pid || niceness === 0) return
    try {
      for (const thread of threadsOf(pid)) setPriority(thread, niceness)
    } catch {
      // The process has ended, or this is not permitted: it works with any niceness.
    }
  }
}
