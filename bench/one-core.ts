// Measures delivery with the server pinned to one core and the client to another, and the server's
// share of its core.
import { medianOf, type Round, ratesRow } from './figures.ts'
import type { Row } from './benchmark.ts'
import { pinToCore, sampleUsage } from './processes.ts'
import { sendHotRequests, hasWrk, type HotRequestOptions } from './wrk.ts'

export const hotConnections = 50
const [serverCore, clientCore] = [0, 1]
/** A server that used less of its core was waiting for its client. */
const minBusyShare = 0.95

/**
 * Pins all servers to one core.
 * @returns whether this succeeded, so that the client has another core
 */
export const pinAll = (pids: readonly number[]): boolean => pids.map((pid) => pinToCore(pid, serverCore)).every(Boolean)

/**
 * Names what is missing for a verdict. A slower client, or one on the same core, makes the servers
 * look alike.
 */
export function missingForVerdict({ isPinned }: { isPinned: boolean }): string[] {
  return [...(hasWrk ? [] : ['wrk']), ...(isPinned ? [] : ['taskset and two cores'])]
}

export interface HotRequests {
  url: string
  paths: readonly string[]
  /** Size of each response body, if known beforehand. */
  bytes?: number
  headers?: readonly string[]
  /** Sends the etag of the first response, for 304. */
  isUnchanged?: boolean
  isPinned: boolean
  forMs: number
}

/** Sends one request to warm the caches, and checks that the response is the expected one. */
export async function prepareHotRequests({
  url,
  paths,
  headers = [],
  ...options
}: HotRequests): Promise<HotRequestOptions> {
  const { bytes: expected, isUnchanged, isPinned, forMs } = options
  const sent = Object.fromEntries(headers.map((header) => header.split(': ') as [string, string]))
  const first = await fetch(url + (paths[0] ?? ''), { headers: sent })
  const bytes = (await first.arrayBuffer()).byteLength
  if (first.status !== 200 || (expected !== undefined && bytes !== expected))
    throw new Error(`${url}${paths[0]}: ${first.status} with ${bytes} bytes, not ${expected}`)
  return {
    url,
    paths,
    headers: isUnchanged ? [...headers, `if-none-match: ${first.headers.get('etag')}`] : headers,
    status: isUnchanged ? 304 : 200,
    bodyBytes: isUnchanged ? 0 : bytes,
    connections: hotConnections,
    forMs,
    core: isPinned ? clientCore : undefined,
  }
}

export type HotRound = Round & { p99Ms: number }

export async function hotRound(options: HotRequestOptions, pid: number): Promise<HotRound> {
  const usage = sampleUsage(pid)
  try {
    const result = await sendHotRequests(options)
    const { cpuMs, peakMB } = usage.stop()
    return { ...result, cpuMs, peakMB: peakMB.slice(0, 1) }
  } finally {
    usage.stop()
  }
}

const coreShare = (rounds: readonly HotRound[]) => medianOf(rounds.map(({ cpuMs = 0, tookMs }) => cpuMs / tookMs))

export const hotRow = (what: string, rounds: readonly HotRound[], isPinned: boolean): Row & { p99Ms: number } => ({
  ...ratesRow(what, rounds),
  p99Ms: medianOf(rounds.map(({ p99Ms }) => p99Ms)),
  ...(isPinned && { coreShare: coreShare(rounds) }),
})

/**
 * A note on compared servers that were idle part of the time: they could do more than was measured,
 * so ratios to them are too good.
 */
export function clientSaturationNotes(bases: readonly Row[]): string[] {
  const idle = bases.filter(({ coreShare: share = 1 }) => share < minBusyShare)
  if (idle.length === 0) return []
  const shares = idle.map(({ what, coreShare: share }) => `${what} took ${share?.toFixed(2)}`).join(', ')
  return [
    `${shares} of its core: the client, or other work on this machine, was the limit, so ratios to it are too good.`,
  ]
}
