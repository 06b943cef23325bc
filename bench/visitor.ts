// A visitor's browser: one HTTP/2 connection, over which it requests all images of a page at once.
import { once } from 'node:events'
import { type ClientHttp2Session, connect, constants } from 'node:http2'
import { connect as connectTcp } from 'node:net'
import { connect as connectTls } from 'node:tls'

export interface Origin {
  name: string
  port: number
  ca: Buffer
}

export interface PageLoad {
  /** From the first request to the last byte of the last response. */
  tookMs: number
  /** Number of responses per status. */
  statuses: Map<number, number>
}

/** The status of a response that did not arrive whole. */
export const brokenOff = 0

/** Those of Chromium, so that no response waits for another one to be read. */
const windowBytes = { connection: 15 * 1024 ** 2, stream: 6 * 1024 ** 2 }
const responseTimeoutMs = 60_000

export interface Visitor {
  load(paths: readonly string[]): Promise<PageLoad>
  close(): void
}

/** @param address a local one: proxies pass it on as the visitor's */
export async function connectVisitor({ name, port, ca }: Origin, address: string): Promise<Visitor> {
  const session = connect(`https://${name}`, {
    createConnection: () =>
      connectTls({
        socket: connectTcp({ host: '127.0.0.1', port, localAddress: address }),
        servername: name,
        ca,
        ALPNProtocols: ['h2'],
      }),
    settings: { initialWindowSize: windowBytes.stream, enablePush: false },
  })
  await once(session, 'remoteSettings')
  session.setLocalWindowSize(windowBytes.connection)
  return {
    async load(paths) {
      const start = performance.now()
      const statuses = new Map<number, number>()
      await Promise.all(
        paths.map(async (path) => {
          const status = await statusOf(session, path)
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
        }),
      )
      return { tookMs: performance.now() - start, statuses }
    },
    close: () => session.destroy(),
  }
}

/** Resolves when the response is read. HTTP/2 resets a stream whose body ends too early. */
function statusOf(session: ClientHttp2Session, path: string): Promise<number> {
  return new Promise((resolve) => {
    const stream = session.request({ ':path': path, accept: 'image/avif,image/webp,*/*' })
    let status = brokenOff
    stream.setTimeout(responseTimeoutMs, () => stream.close(constants.NGHTTP2_CANCEL))
    stream.on('response', (headers) => (status = headers[':status'] ?? brokenOff))
    stream.on('error', () => resolve(brokenOff))
    stream.on('close', () => resolve(stream.rstCode === constants.NGHTTP2_NO_ERROR ? status : brokenOff))
    stream.resume()
  })
}
