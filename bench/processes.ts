// What the measured processes cost: CPU time and most memory of a server and its decoders; and cores to keep apart.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { decodersOf } from '../faults/processes.ts'
import { readProcess } from '../server/imaging/pool/process-time.ts'

export interface Cost {
  /** Since the watch began, of all of them together, those that have ended too. */
  cpuMs: number
  /**
   * Of the server alone, and of the largest decoder: the most since the watch began. The decoder's is not there where none was
   * seen; it is empty where the kernel does not tell, or tells that of the whole life: 0 would hold every goal.
   */
  peakMB: readonly [] | readonly [server: number] | readonly [server: number, decoder: number]
}

export interface Watch {
  /** The last look. May be called again: then it tells the same. */
  stop(): Cost
}

/** A decoder that ends between two looks takes with it what it did since the last one. */
const lookEveryMs = 50

/** Looks at a process and those that it has started as decoders; other children are not counted. */
export function watch(pid: number): Watch {
  const cpu = new Map<number, { first: number; last: number }>()
  const peaks = { server: 0, decoder: 0 }
  const areExact = [pid, ...decodersOf(pid)].map(forgetPeak).every(Boolean)
  const look = (isFirst = false) => {
    for (const one of [pid, ...decodersOf(pid)]) {
      const cpuMs = readProcess(one)?.cpuMs
      if (cpuMs === undefined) continue
      // What has started since did all of its work within the watch.
      const seen = cpu.get(one) ?? { first: isFirst ? cpuMs : 0, last: 0 }
      cpu.set(one, { ...seen, last: cpuMs })
      const kind = one === pid ? 'server' : 'decoder'
      peaks[kind] = Math.max(peaks[kind], peakOf(one))
    }
  }
  look(true)
  const timer = setInterval(look, lookEveryMs)
  let isOver = false
  return {
    stop() {
      clearInterval(timer)
      if (!isOver) look()
      isOver = true
      const { server, decoder } = peaks
      return {
        cpuMs: [...cpu.values()].reduce((sum, { first, last }) => sum + last - first, 0),
        peakMB: !areExact || server === 0 ? [] : decoder === 0 ? [server] : [server, decoder],
      }
    },
  }
}

/** Exact, as the kernel counts it: no look can miss a peak. 0 where there is no such process, or no /proc. */
function peakOf(pid: number): number {
  try {
    return (Number(/^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) * 1024) / 1e6
  } catch {
    return 0 // it has ended meanwhile
  }
}

/**
 * The peak begins anew (proc(5), clear_refs).
 * @returns false where it stays that of the whole life: there is no /proc, or it is not permitted
 */
function forgetPeak(pid: number): boolean {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5')
    return true
  } catch {
    return readProcess(pid) === undefined && existsSync('/proc/self/clear_refs') // it has ended meanwhile
  }
}

/**
 * Keeps a process, all its threads, and what it starts from now on, on one core.
 * @returns false where taskset is not installed or there are not two cores: server and client then compete for all
 */
export function pin(pid: number, core: number): boolean {
  if (availableParallelism() < 2) return false
  return spawnSync('taskset', ['-apc', String(core), String(pid)], { stdio: 'ignore' }).status === 0
}
