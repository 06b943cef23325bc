// A client that asks as fast as it is answered, or by a schedule, over connections that it keeps. It does little: the server is measured.
import { once } from 'node:events'
import { connect } from 'node:net'
import type { Round } from './figures.ts'
import { responseReader } from './response-reader.ts'

export interface Load {
  /** Each has one request on its way at a time. */
  connections: number
  /** Ends after so many answers, or after this time, whichever comes first; at least one of them is needed. */
  count?: number
  forMs?: number
  /** Between an answer and the next request of its connection, in milliseconds. Default: none. */
  pauseMs?: (status: number) => number
  /**
   * Each connection's requests are due so many milliseconds apart, whether the one before was answered in time or not: one that
   * comes late because of that is timed from its moment, as whoever would have asked then waits since then. `forMs` is then of
   * the moments: all that were due are sent and counted.
   */
  everyMs?: number
  /** The bytes of the n-th request: `getRequest`, `postRequest`. Made beforehand where many are sent. */
  request(n: number): Buffer | undefined
}

export interface Loaded {
  tookMs: number
  /** As they came; each time from the request's first byte, or from its moment, to the answer's last one. */
  replies: { status: number; tookMs: number }[]
  /** How often each status came. */
  statuses: Map<number, number>
}

/** An answer that takes longer than this ends the run: nothing here may hang. */
const answerWithinMs = 60_000

/** @throws when a connection ends, or an answer does not come within a minute */
export async function load(url: string, { connections, request, ...ends }: Load): Promise<Loaded> {
  const { count = Infinity, forMs = Infinity, pauseMs = () => 0, everyMs } = ends
  const { hostname, port } = new URL(url)
  const loaded: Loaded = { tookMs: 0, replies: [], statuses: new Map() }
  const start = performance.now()
  let asked = 0

  const client = async () => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    await once(socket, 'connect')
    await new Promise<void>((resolve, reject) => {
      let due = performance.now()
      let since = due
      const ask = (from = performance.now()) => {
        if (asked >= count || (everyMs === undefined ? from : due) - start >= forMs) return resolve()
        since = from
        socket.write(request(asked++) ?? '')
      }
      const askInTime = (apartMs: number) => {
        due += apartMs
        const early = due - performance.now()
        // The client's own timer is late by a millisecond: that is nobody's wait.
        if (early > 0) setTimeout(ask, early)
        else ask(due)
      }
      const read = responseReader((status) => {
        loaded.replies.push({ status, tookMs: performance.now() - since })
        loaded.statuses.set(status, (loaded.statuses.get(status) ?? 0) + 1)
        const pause = pauseMs(status)
        if (everyMs !== undefined) askInTime(everyMs)
        else if (pause > 0) setTimeout(ask, pause)
        else ask()
      })
      socket.setTimeout(answerWithinMs, () => reject(new Error(`no answer within ${answerWithinMs} ms`)))
      socket.on('error', reject)
      socket.on('close', () => reject(new Error('the server closed a connection')))
      socket.on('data', (piece: Buffer) => {
        try {
          read(piece)
        } catch (error) {
          socket.destroy(error instanceof Error ? error : new Error(String(error)))
        }
      })
      ask()
    }).finally(() => socket.destroy())
  }
  await Promise.all(Array.from({ length: connections }, client))
  loaded.tookMs = performance.now() - start
  return loaded
}

/** @param headers lines such as 'if-none-match: "x"' */
export const getRequest = (url: string, path: string, headers: readonly string[] = []): Buffer =>
  Buffer.from(`GET ${path} HTTP/1.1\r\n${[`host: ${new URL(url).host}`, ...headers].join('\r\n')}\r\n\r\n`, 'latin1')

export function postRequest(url: string, path: string, body: Buffer, headers: readonly string[]): Buffer {
  const lines = [`POST ${path} HTTP/1.1`, `host: ${new URL(url).host}`, `content-length: ${body.length}`, ...headers]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body])
}

/** The answers of one status alone, and how many of 503 stood among them. @throws when any other came: its figure is none */
export function only(status: number, { statuses, tookMs, replies }: Loaded): Round {
  const others = [...statuses].filter(([one]) => one !== status && one !== 503)
  if (others.length > 0) throw new Error(`Answered ${others.map(([one, count]) => `${count} x ${one}`).join(', ')}`)
  const times = replies.filter((reply) => reply.status === status).map((reply) => reply.tookMs)
  return { items: times.length, tookMs, times, refused: statuses.get(503) ?? 0 }
}
