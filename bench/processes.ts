// What the measured processes cost: CPU time and most memory of a server and its decoders; and cores to keep apart.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { decodersOf } from '../faults/processes.ts'
import { readProcess } from '../server/imaging/process-time.ts'

export interface Cost {
  /** Since the watch began, of all of them together, those that have ended too. */
  cpuMs: number
  /** Of the server alone, and of the largest decoder: the most since the watch began. The decoder's is 0 where there was none. */
  peakMB: readonly [server: number, decoder: number]
}

export interface Watch {
  /** So far. */
  cost(): Cost
  /** The last look. */
  stop(): Cost
}

/** A decoder that ends between two looks takes with it what it did since the last one. */
const lookEveryMs = 50

/** Looks at a process and those that it has started as decoders; other children are not counted. */
export function watch(pid: number): Watch {
  const cpu = new Map<number, { first: number; last: number }>()
  const peaks = { server: 0, decoder: 0 }
  const decodersAtStart = decodersOf(pid)
  for (const one of [pid, ...decodersAtStart]) forgetPeak(one)
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
  const cost = (): Cost => {
    look()
    return {
      cpuMs: [...cpu.values()].reduce((sum, { first, last }) => sum + last - first, 0),
      peakMB: [peaks.server, peaks.decoder],
    }
  }
  return {
    cost,
    stop() {
      clearInterval(timer)
      return cost()
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

/** Linux: the peak begins anew (proc(5), clear_refs). Elsewhere it stays that of the whole life. */
function forgetPeak(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5')
  } catch {
    // no /proc, or not permitted: the peak is then that of the whole life
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

/** Lifts `pin`: every core again. */
export function unpin(pid: number): void {
  spawnSync('taskset', ['-apc', `0-${availableParallelism() - 1}`, String(pid)], { stdio: 'ignore' })
}
