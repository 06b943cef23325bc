// The built product in its own process, with an account and uploaded images.
import type { RunningServer } from '../e2e/server.ts'
import { formHeaders, formOf, register, store } from '../faults/client.ts'
import { type Defer, openServer } from '../faults/resources.ts'
import { load, type LoadResult, type Request, resultWithStatus } from './load.ts'
import type { Round } from './statistics.ts'
import type { ImageFile } from './bench-images.ts'
import { sampleUsage } from './processes.ts'

export interface Product {
  server: RunningServer
  token: string
  /** Uploads an image. @returns its id, and the path of its original */
  store(image: Pick<ImageFile, 'bytes' | 'fileName'>): Promise<{ id: string; path: string }>
}

/** Without rate limits. */
export async function openProduct(defer: Defer): Promise<Product> {
  const server = await openServer(defer)
  const token = await register(server.url, 'bench@example.com')
  return {
    server,
    token,
    async store({ bytes, fileName }) {
      const { id, url } = await store(server.url, bytes, { token, name: fileName })
      return { id, path: new URL(url).pathname }
    },
  }
}

/** Runs a round of requests with responses of `status` or 503, and measures the process and its decoders. */
export async function measuredRound(pid: number, status: number, work: () => Promise<LoadResult>): Promise<Round> {
  using usage = sampleUsage(pid)
  const loaded = resultWithStatus(status, await work())
  return { ...loaded, ...usage.stop() }
}

/** Sends requests over keep-alive connections; the requests of a round are prepared before it starts. */
export const sendRequests = (url: string, connections: number, requests: readonly Request[]) => () =>
  load(url, { connections, count: requests.length, request: (n) => requests[n] as Request })

export const uploadRequest = ({ bytes, fileName }: Pick<ImageFile, 'bytes' | 'fileName'>, token: string): Request => ({
  path: '/api/upload',
  method: 'POST',
  token,
  headers: formHeaders,
  body: formOf(bytes, fileName),
})
