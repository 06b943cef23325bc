// Delivery on one core: a server on its own, the client on another, and what the server took of its core.
import { medianOf, type Round, ratesRow } from './figures.ts'
import type { Row } from './part.ts'
import { pin, watch } from './processes.ts'
import { ask, hasWrk, type WrkOptions } from './wrk.ts'

export const hotConnections = 50
const [serverCore, clientCore] = [0, 1]
/** Who takes less of its core than this had time to wait for its client. */
const busyShare = 0.95

/** @returns whether all of them stay on one core, so that the client has another */
export const pinAll = (pids: readonly number[]): boolean => pids.map((pid) => pin(pid, serverCore)).every(Boolean)

/** What is missing for a verdict, as words. A slower client, or one that takes from the servers, makes them look alike. */
export function missingForVerdict({ isPinned }: { isPinned: boolean }): string[] {
  return [...(hasWrk ? [] : ['wrk']), ...(isPinned ? [] : ['taskset and two cores'])]
}

export interface Answered {
  url: string
  paths: readonly string[]
  /** Of each answer, where it is known before. */
  bytes?: number
  headers?: readonly string[]
  /** WrkResult with the etag of the first answer, for 304. */
  isUnchanged?: boolean
  isPinned: boolean
  forMs: number
}

/** Asks once before, so that it is in memory where it can be, and that the answer is the one that is meant. */
export async function wrkOptionsOf({ url, paths, headers = [], ...wanted }: Answered): Promise<WrkOptions> {
  const { bytes: expected, isUnchanged, isPinned, forMs } = wanted
  const sent = Object.fromEntries(headers.map((line) => line.split(': ') as [string, string]))
  const first = await fetch(url + (paths[0] ?? ''), { headers: sent })
  const bytes = (await first.arrayBuffer()).byteLength
  if (first.status !== 200 || (expected !== undefined && bytes !== expected))
    throw new Error(`${url}${paths[0]} answered ${first.status} with ${bytes} bytes, not ${expected}`)
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

export async function hotRound(question: WrkOptions, pid: number): Promise<HotRound> {
  const watched = watch(pid)
  try {
    const asked = await ask(question)
    const { cpuMs, peakMB } = watched.stop()
    return { ...asked, cpuMs, peakMB: peakMB.slice(0, 1) }
  } finally {
    watched.stop()
  }
}

const ofCore = (rounds: readonly HotRound[]) => medianOf(rounds.map(({ cpuMs = 0, tookMs }) => cpuMs / tookMs))

export const hotRow = (what: string, rounds: readonly HotRound[], isPinned: boolean): Row & { p99Ms: number } => ({
  ...ratesRow(what, rounds),
  p99Ms: medianOf(rounds.map(({ p99Ms }) => p99Ms)),
  ...(isPinned && { ofCore: ofCore(rounds) }),
})

/**
 * A note on those that others are compared with, where they were not the limit themselves: they could do more than was measured,
 * and ratios to them are too good.
 */
export function clientBound(bases: readonly Row[]): string[] {
  const idle = bases.filter(({ ofCore: share = 1 }) => share < busyShare)
  if (idle.length === 0) return []
  const shares = idle.map(({ what, ofCore: share }) => `${what} took ${share?.toFixed(2)}`).join(', ')
  return [`${shares} of its core: the client, or other work on this machine, was the limit, and ratios to it flatter.`]
}
