// What /proc tells of the server and of its decoder processes: their memory, looked at again and again, and their sockets.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { residentBytes } from '../server/imaging/process-memory.ts'

export const MB = 1_000_000

/** The most that was seen, in bytes; 0 where there is no /proc. */
export interface Peaks {
  server: number
  /** Of any one child. */
  child: number
  /** Of all at one moment. */
  sum: number
}

/** @param everyMs 100 ms: what is filled and freed between two looks is missed */
export function watchMemory(pid: number, everyMs = 100): { peaks: Peaks; stop(): Peaks } {
  const peaks: Peaks = { server: 0, child: 0, sum: 0 }
  const look = () => {
    const server = residentBytes(pid)
    const children = childrenOf(pid).map(residentBytes)
    peaks.server = Math.max(peaks.server, server)
    peaks.child = Math.max(peaks.child, ...children)
    peaks.sum = Math.max(
      peaks.sum,
      children.reduce((sum, bytes) => sum + bytes, server),
    )
  }
  look()
  const timer = setInterval(look, everyMs)
  return {
    peaks,
    stop() {
      clearInterval(timer)
      look()
      return peaks
    },
  }
}

/** The processes that a process has started and that still run. */
export function childrenOf(pid: number): number[] {
  return processes().filter((candidate) => parentOf(candidate) === pid)
}

function processes(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger)
  } catch {
    return [] // no /proc here
  }
}

function parentOf(pid: number): number | undefined {
  try {
    // The name in brackets may hold anything, so what follows is read from its end: state, then parent.
    const [, parent] = /\) \S+ (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'latin1')) ?? []
    return parent === undefined ? undefined : Number(parent)
  } catch {
    return undefined // ended meanwhile
  }
}

/** How many sockets a process holds. */
export function socketsOf(pid: number): number {
  const folder = `/proc/${pid}/fd`
  return readdirSync(folder).filter((file) => {
    try {
      return readlinkSync(`${folder}/${file}`).startsWith('socket:')
    } catch {
      return false // closed meanwhile
    }
  }).length
}
