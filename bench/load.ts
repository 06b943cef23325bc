// An HTTP load client over keep-alive connections, as fast as possible or on a schedule.
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Call, call } from '../faults/client.ts'
import type { Round } from './statistics.ts'

export type Request = Call & { path: string }

export interface Load {
  /** Each has one request in flight. */
  connections: number
  /** Ends after this number of responses or this time, whichever comes first; at least one is required. */
  count?: number
  forMs?: number
  /** Pause between a response and the next request of its connection, in milliseconds. Default: none. */
  pauseMs?: (status: number) => number
  /**
   * Requests of each connection are due at this interval, whether or not the previous response has arrived. A delayed request
   * is timed from when it was due (no coordinated omission). `forMs` then limits the due times of each connection: all
   * requests that were due are sent and counted.
   */
  everyMs?: number
  request(n: number): Request
}

export interface LoadResult {
  tookMs: number
  /** In order of arrival. Times run from when a request was sent, or due, to the last byte of the response. */
  responses: { status: number; tookMs: number }[]
  /** Number of responses per status. */
  statuses: Map<number, number>
}

/** @throws if a connection breaks, or a response does not arrive within a minute */
export async function load(url: string, { connections, request, ...schedule }: Load): Promise<LoadResult> {
  const { count = Infinity, forMs = Infinity, pauseMs = () => 0, everyMs } = schedule
  const loaded: LoadResult = { tookMs: 0, responses: [], statuses: new Map() }
  const start = performance.now()
  let sentCount = 0

  const client = async (agent: Agent) => {
    const began = performance.now()
    for (let n = 0; sentCount < count; n++) {
      const dueMs = everyMs === undefined ? performance.now() - start : n * everyMs
      if (dueMs >= forMs) return
      const early = everyMs === undefined ? 0 : began + dueMs - performance.now()
      if (early > 0) await sleep(early)
      // The client's timer is late by up to a millisecond, which is not the server's latency.
      const since = early < 0 ? began + dueMs : performance.now()
      const { path, ...options } = request(sentCount++)
      const { status } = await call(url + path, { agent, ...options })
      loaded.responses.push({ status, tookMs: performance.now() - since })
      loaded.statuses.set(status, (loaded.statuses.get(status) ?? 0) + 1)
      const pause = pauseMs(status)
      if (pause > 0) await sleep(pause)
    }
  }
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      await client(agent).finally(() => agent.destroy())
    }),
  )
  loaded.tookMs = performance.now() - start
  return loaded
}

/**
 * Returns the responses of one status, and the number of 503.
 * @throws if there were other statuses
 */
export function resultWithStatus(status: number, { statuses, tookMs, responses }: LoadResult): Round {
  const others = [...statuses].filter(([one]) => one !== status && one !== 503)
  if (others.length > 0) throw new Error(`Responses: ${others.map(([one, count]) => `${count} x ${one}`).join(', ')}`)
  const times = responses.filter((response) => response.status === status).map((response) => response.tookMs)
  return { items: times.length, tookMs, times, refused: statuses.get(503) ?? 0 }
}
