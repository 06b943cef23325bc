// The built product as a process of its own, with an account and pictures in it.
import type { RunningServer } from '../e2e/server.ts'
import { imageIn, register, upload } from '../faults/client.ts'
import { withServer } from './resources.ts'
import { load, type Loaded, only } from './load.ts'
import type { Round } from './figures.ts'
import type { Picture } from './bench-images.ts'
import { watch } from './processes.ts'

export interface Product {
  server: RunningServer
  token: string
  /** Uploads it. @returns its id, and the path of its original */
  store(picture: Pick<Picture, 'bytes' | 'fileName'>): Promise<{ id: string; path: string }>
}

/** Starts it, gives it to `use`, and stops it, whatever becomes of that. No limits of requests. */
export const withProduct = <T>(use: (product: Product) => Promise<T>): Promise<T> =>
  withServer({}, async (server) => {
    const token = await register(server.url, 'bench@example.com')
    return use({
      server,
      token,
      async store({ bytes, fileName }) {
        const reply = await upload(server.url, bytes, { token, name: fileName })
        if (reply.status !== 201) throw new Error(`${fileName}: ${reply.status} ${reply.body.toString('utf8')}`)
        const { id, url } = imageIn(reply)
        return { id, path: new URL(url).pathname }
      },
    })
  })

/** A round of requests, answered with `status` or 503, and what it cost the process and its decoders. */
export async function measuredRound(pid: number, status: number, work: () => Promise<Loaded>): Promise<Round> {
  const watched = watch(pid)
  try {
    const loaded = only(status, await work())
    return { ...loaded, ...watched.stop() }
  } finally {
    watched.stop()
  }
}

/** Over connections that are kept; requests of a round are made before it begins. */
export const ask = (url: string, connections: number, requests: readonly Buffer[]) => () =>
  load(url, { connections, count: requests.length, request: (n) => requests[n] ?? Buffer.alloc(0) })
