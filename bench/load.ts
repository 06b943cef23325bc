// A minimal HTTP load client over keep-alive connections, as fast as possible or on a schedule.
import { once } from 'node:events'
import { connect } from 'node:net'
import type { Round } from './figures.ts'
import { responseReader } from './response-reader.ts'

export interface Load {
  /** Each has one request in flight. */
  connections: number
  /**
   * Ends after this number of responses or this time, whichever comes first; at least one is
   * required.
   */
  count?: number
  forMs?: number
  /**
   * Pause between a response and the next request of its connection, in milliseconds. Default:
   * none.
   */
  pauseMs?: (status: number) => number
  /**
   * Requests of each connection are due at this interval, whether or not the previous response has
   * arrived. A delayed request is timed from when it was due (no coordinated omission). `forMs`
   * then limits the due times of each connection: all requests that were due are sent and counted.
   */
  everyMs?: number
  /**
   * Returns the bytes of the n-th request (`getRequest`, `postRequest`). Prepare them beforehand
   * for high rates. `undefined` is there for the elements of arrays only: it sends nothing, so the
   * run would end with the timeout.
   */
  request(n: number): Buffer | undefined
}

export interface LoadResult {
  tookMs: number
  /**
   * In order of arrival. Times run from the first byte of the request, or from when it was due, to
   * the last byte of the response.
   */
  responses: { status: number; tookMs: number }[]
  /** Number of responses per status. */
  statuses: Map<number, number>
}

/** A response that takes longer ends the run, so that nothing hangs. */
const responseTimeoutMs = 60_000

/** @throws if a connection closes, or a response does not arrive within a minute */
export async function load(url: string, { connections, request, ...schedule }: Load): Promise<LoadResult> {
  const { count = Infinity, forMs = Infinity, pauseMs = () => 0, everyMs } = schedule
  const { hostname, port } = new URL(url)
  const loaded: LoadResult = { tookMs: 0, responses: [], statuses: new Map() }
  const start = performance.now()
  let sentCount = 0

  const client = async () => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    await once(socket, 'connect')
    await new Promise<void>((resolve, reject) => {
      const connected = performance.now()
      let since = connected
      /** With `everyMs`: when the latest request was due, after the connection. */
      let dueMs = 0
      let dueCount = 1
      const send = (from = performance.now()) => {
        if (sentCount >= count || (everyMs === undefined ? from - start : dueMs) >= forMs) return resolve()
        since = from
        socket.write(request(sentCount++) ?? '')
      }
      const sendWhenDue = (intervalMs: number) => {
        dueMs = intervalMs * dueCount++
        const due = connected + dueMs
        const early = due - performance.now()
        // The client's timer is late by up to a millisecond, which is not the server's latency.
        if (early > 0) setTimeout(send, early)
        else send(due)
      }
      const read = responseReader((status) => {
        loaded.responses.push({ status, tookMs: performance.now() - since })
        loaded.statuses.set(status, (loaded.statuses.get(status) ?? 0) + 1)
        const pause = pauseMs(status)
        if (everyMs !== undefined) sendWhenDue(everyMs)
        else if (pause > 0) setTimeout(send, pause)
        else send()
      })
      socket.setTimeout(responseTimeoutMs, () => reject(new Error(`no response within ${responseTimeoutMs} ms`)))
      socket.on('error', reject)
      socket.on('close', () => reject(new Error('the server closed a connection')))
      socket.on('data', (chunk: Buffer) => {
        try {
          read(chunk)
        } catch (error) {
          socket.destroy(error instanceof Error ? error : new Error(String(error)))
        }
      })
      send()
    }).finally(() => socket.destroy())
  }
  await Promise.all(Array.from({ length: connections }, client))
  loaded.tookMs = performance.now() - start
  return loaded
}

/** @param headers header lines such as 'if-none-match: "x"' */
export const getRequest = (url: string, path: string, headers: readonly string[] = []): Buffer =>
  Buffer.from(`GET ${path} HTTP/1.1\r\n${[`host: ${new URL(url).host}`, ...headers].join('\r\n')}\r\n\r\n`, 'latin1')

export function postRequest(url: string, path: string, body: Buffer, headers: readonly string[]): Buffer {
  const lines = [`POST ${path} HTTP/1.1`, `host: ${new URL(url).host}`, `content-length: ${body.length}`, ...headers]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body])
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
