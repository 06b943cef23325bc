// Measures CPU time and peak memory of a server and its decoders, and pins processes to cores.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { decodersOf } from '../faults/processes.ts'
import { readProcess } from '../server/imaging/pool/process-state.ts'

export interface ProcessCost {
  /** CPU time since sampling began, of all processes together, including ended ones. */
  cpuMs: number
  /**
   * Peak memory of the server, and of the largest decoder, since sampling began. Without the second value if no decoder was
   * seen. Empty if the kernel does not report it or cannot reset it: a 0 would meet every goal.
   */
  peakMB: readonly [] | readonly [server: number] | readonly [server: number, decoder: number]
}

export interface UsageSampler extends Disposable {
  /** Takes the last sample. Further calls return the same. */
  stop(): ProcessCost
}

/** A decoder that ends between two samples loses the CPU time since the last one. */
const sampleIntervalMs = 50

/** Samples a process and its decoders; other children are not counted. */
export function sampleUsage(pid: number): UsageSampler {
  const cpu = new Map<number, { first: number; last: number }>()
  const peaks = { server: 0, decoder: 0 }
  const areExact = [pid, ...decodersOf(pid)].map(resetPeak).every(Boolean)
  const sample = (isFirst = false) => {
    for (const one of [pid, ...decodersOf(pid)]) {
      const cpuMs = readProcess(one)?.cpuMs
      if (cpuMs === undefined) continue
      // A process that started later did all of its work while it was sampled.
      const seen = cpu.get(one) ?? { first: isFirst ? cpuMs : 0, last: 0 }
      cpu.set(one, { ...seen, last: cpuMs })
      const kind = one === pid ? 'server' : 'decoder'
      peaks[kind] = Math.max(peaks[kind], peakOf(one))
    }
  }
  sample(true)
  const timer = setInterval(sample, sampleIntervalMs)
  let isOver = false
  const stop = (): ProcessCost => {
    clearInterval(timer)
    if (!isOver) sample()
    isOver = true
    const { server, decoder } = peaks
    return {
      cpuMs: [...cpu.values()].reduce((sum, { first, last }) => sum + last - first, 0),
      peakMB: !areExact || server === 0 ? [] : decoder === 0 ? [server] : [server, decoder],
    }
  }
  return { stop, [Symbol.dispose]: stop }
}

/** Peak memory as the kernel counts it, so that sampling misses nothing. 0 if there is no such process, or no /proc. */
function peakOf(pid: number): number {
  try {
    return (Number(/^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) * 1024) / 1e6
  } catch {
    return 0 // the process has ended
  }
}

/**
 * Resets the peak memory of a process (proc(5), clear_refs).
 * @returns false if the peak remains that of the whole life: there is no /proc, or no permission
 */
function resetPeak(pid: number): boolean {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5')
    return true
  } catch {
    return readProcess(pid) === undefined && existsSync('/proc/self/clear_refs') // the process has ended
  }
}

/** Whether two processes can have a core each. */
export const canPin = availableParallelism() >= 2 && spawnSync('taskset', ['--version']).status === 0

/** Pins a process, all its threads, and future children, to one core. */
export function pinToCore(pid: number, core: number): void {
  execFileSync('taskset', ['-apc', String(core), String(pid)], { stdio: 'ignore' })
}
