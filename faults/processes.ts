// What Linux tells of the server and its decoder processes: who they are and what memory they hold.
import { readdirSync, readFileSync } from 'node:fs'
import { residentBytes } from '../server/imaging/process-memory.ts'
import { readProcess } from '../server/imaging/process-time.ts'

/** The decoder processes that a server has now. */
export function decodersOf(serverPid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => parentOf(pid) === serverPid && readOr(`/proc/${pid}/cmdline`).includes('decoder-process'))
}

/** A zombie is dead: where nobody reaps orphans, as in many containers, it stays listed. */
export const isAlive = (pid: number) => readProcess(pid) !== undefined && !readOr(`/proc/${pid}/stat`).includes(') Z ')

function parentOf(pid: number): number {
  const stat = readOr(`/proc/${pid}/stat`)
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
}

/** Empty for a process that has gone meanwhile. */
function readOr(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

export interface Memory {
  /** The most at one moment, in bytes. */
  server: number
  decoder: number
  sum: number
  stop(): void
}

/** Looks at the resident memory of a server and its decoders ten times a second. */
export function watchMemory(serverPid: number): Memory {
  const most: Memory = { server: 0, decoder: 0, sum: 0, stop: () => clearInterval(timer) }
  const timer = setInterval(() => {
    const server = residentBytes(serverPid)
    const decoders = decodersOf(serverPid).map(residentBytes)
    most.server = Math.max(most.server, server)
    most.decoder = Math.max(most.decoder, ...decoders)
    most.sum = Math.max(
      most.sum,
      decoders.reduce((sum, bytes) => sum + bytes, server),
    )
  }, 100)
  return most
}
