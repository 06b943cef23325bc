// What Linux tells of another process's memory.

import { readFileSync } from 'node:fs'

/** Resident bytes; 0 where there is no such process, or no /proc. */
export function residentBytes(pid: number): number {
  try {
    // Not from stat: that counts in pages, whose size is the machine's.
    const [, kibibytes] = /^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? []
    return Number(kibibytes ?? 0) * 1024
  } catch {
    return 0
  }
}
