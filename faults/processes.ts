// Linux process information about the server and its decoders: pids, memory, sockets.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { readProcess, residentBytes } from '../server/imaging/pool/process-state.ts'

export const MB = 1_000_000

/** The current decoder processes of a server, which are children of its main thread. */
export function decodersOf(serverPid: number): number[] {
  return readOr(`/proc/${serverPid}/task/${serverPid}/children`)
    .split(' ')
    .filter((name) => name !== '')
    .map(Number)
    .filter((pid) => readOr(`/proc/${pid}/cmdline`).includes('imaging/decoder/main'))
}

/** A zombie counts as dead: without an init process that reaps orphans, as in many containers, it stays listed. */
export const isAlive = (pid: number) => readProcess(pid) !== undefined && !readOr(`/proc/${pid}/stat`).includes(') Z ')

/** Proportional set size: a page shared by five processes counts as a fifth for each, as containers count it. */
const shareOfMemory = (pid: number) =>
  Number(/^Pss:\s+(\d+) kB$/m.exec(readOr(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) * 1024

/** Empty for a process that has ended meanwhile. */
function readOr(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

export interface Memory {
  /** Peaks in bytes: the resident size of one process, and the proportional size of all together. */
  server: number
  decoder: number
  sum: number
  /** The proportional sizes at the peak of `sum`: of the server, then of the decoders. */
  parts: readonly number[]
  /** Takes the last sample. Idempotent. */
  stop(): Memory
}

/** Samples the memory of a server and its decoders ten times a second: shorter peaks are missed. */
export function watchMemory(serverPid: number): Memory {
  let isOver = false
  const look = () => {
    const server = residentBytes(serverPid)
    const decoders = decodersOf(serverPid)
    most.server = Math.max(most.server, server)
    most.decoder = Math.max(most.decoder, ...decoders.map(residentBytes))
    const shares = [serverPid, ...decoders].map(shareOfMemory)
    const sum = shares.reduce((total, bytes) => total + bytes, 0)
    if (sum > most.sum) Object.assign(most, { sum, parts: shares })
  }
  const timer = setInterval(look, 100)
  const stop = () => {
    clearInterval(timer)
    if (!isOver) look()
    isOver = true
    return most
  }
  const most: Memory = { server: 0, decoder: 0, sum: 0, parts: [], stop }
  look()
  return most
}

/** The number of open sockets of a process. */
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
