// What Linux tells of the server and its decoder processes: who they are, what memory they hold, and the server's sockets.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { residentBytes } from '../server/imaging/pool/process-memory.ts'
import { readProcess } from '../server/imaging/pool/process-time.ts'

export const MB = 1_000_000

/** The decoder processes that a server has now. Its main thread starts them. */
export function decodersOf(serverPid: number): number[] {
  return readOr(`/proc/${serverPid}/task/${serverPid}/children`)
    .split(' ')
    .filter((name) => name !== '')
    .map(Number)
    .filter((pid) => readOr(`/proc/${pid}/cmdline`).includes('imaging/decoder/main'))
}

/** A zombie is dead: where nobody reaps orphans, as in many containers, it stays listed. */
export const isAlive = (pid: number) => readProcess(pid) !== undefined && !readOr(`/proc/${pid}/stat`).includes(') Z ')

/** What a process takes of the machine: a page that five share counts for a fifth with each, as a container counts it. */
const shareOfMemory = (pid: number) =>
  Number(/^Pss:\s+(\d+) kB$/m.exec(readOr(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) * 1024

/** Empty for a process that has gone meanwhile. */
function readOr(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

export interface Memory {
  /** The most at one moment, in bytes: resident, of one process; of all together what they take, shared pages once. */
  server: number
  decoder: number
  sum: number
  /** Looks for the last time. May be called again: then it changes nothing. */
  stop(): Memory
}

/** Looks at the memory of a server and its decoders ten times a second: what is filled and freed between two looks is missed. */
export function watchMemory(serverPid: number): Memory {
  let isOver = false
  const look = () => {
    const server = residentBytes(serverPid)
    const decoders = decodersOf(serverPid)
    most.server = Math.max(most.server, server)
    most.decoder = Math.max(most.decoder, ...decoders.map(residentBytes))
    const shares = [serverPid, ...decoders].map(shareOfMemory)
    most.sum = Math.max(
      most.sum,
      shares.reduce((sum, bytes) => sum + bytes, 0),
    )
  }
  const timer = setInterval(look, 100)
  const stop = () => {
    clearInterval(timer)
    if (!isOver) look()
    isOver = true
    return most
  }
  const most: Memory = { server: 0, decoder: 0, sum: 0, stop }
  look()
  return most
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
