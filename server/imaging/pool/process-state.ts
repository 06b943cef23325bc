// Reads CPU time, memory and threads of another process from /proc: no disk access, about ten microseconds.

import { readdirSync, readFileSync } from 'node:fs'

/** USER_HZ, which the kernel fixes at 100 for user space on every platform that Node runs on. */
const msPerTick = 10

export interface ProcessState {
  /** All threads, user and system time, since the process started. */
  cpuMs: number
  /** By SIGSTOP or a debugger: it will not continue by itself. */
  isStopped: boolean
}

/** undefined where there is no such process, or no /proc. */
export function readProcess(pid: number): ProcessState | undefined {
  let stat: string
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  } catch {
    return undefined
  }
  // proc_pid_stat(5): the name in parentheses may hold anything; behind it field 3 is the state, 14 and 15 the times.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return {
    cpuMs: (Number(fields[11]) + Number(fields[12])) * msPerTick,
    isStopped: fields[0] === 'T' || fields[0] === 't',
  }
}

/** The ids of a process's threads; of the process alone where there is no /proc. */
export function threadsOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number)
  } catch {
    return [pid]
  }
}

/** Resident bytes; 0 where there is no such process, or no /proc. */
export function residentBytes(pid: number): number {
  try {
    // Not /proc/pid/stat, which counts in pages, whose size differs between machines.
    const [, kibibytes] = /^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? []
    return Number(kibibytes ?? 0) * 1024
  } catch {
    return 0
  }
}
