// The built product as a process of its own, with an account and pictures in it.
import { type RunningServer, startServer } from '../e2e/server.ts'
import { formHeaders, formOf, imageIn, register, upload } from '../faults/client.ts'
import { load, type Loaded, onlyStatus, postRequest } from './load.ts'
import type { Round } from './figures.ts'
import type { Picture } from './pictures.ts'
import { watch } from './processes.ts'

export interface Product {
  server: RunningServer
  token: string
  /** @returns the image's id */
  store(picture: Picture): Promise<string>
}

/** Starts it, gives it to `use`, and stops it, whatever becomes of that. No limits of requests. */
export async function withProduct<T>(use: (product: Product) => Promise<T>, env: Record<string, string> = {}) {
  const server = await startServer({ env })
  try {
    const token = await register(server.url, 'bench@example.com')
    return await use({
      server,
      token,
      async store({ bytes, fileName }) {
        const reply = await upload(server.url, bytes, { token, name: fileName })
        if (reply.status !== 201) throw new Error(`${fileName}: ${reply.status} ${reply.body.toString('utf8')}`)
        return imageIn(reply).id
      },
    })
  } finally {
    await server.stop()
  }
}

/** What one upload sends. */
export const uploadRequest = ({ server, token }: Product, { bytes, fileName }: Picture) =>
  postRequest(server.url, '/api/upload', formOf(bytes, fileName), [
    `content-type: ${formHeaders['content-type']}`,
    `authorization: Bearer ${token}`,
  ])

/** A round of requests, all answered with `status`, and what it cost the process and its decoders. */
export async function measuredRound(pid: number, status: number, work: () => Promise<Loaded>): Promise<Round> {
  const watched = watch(pid)
  try {
    const loaded = onlyStatus(await work(), status)
    const { cpuMs, peakMB } = watched.cost()
    return { ...loaded, cpuMs, peakMB }
  } finally {
    watched.stop()
  }
}

/** Over connections that are kept; requests of a round are made before it begins. */
export const ask = (url: string, connections: number, requests: readonly Buffer[]) => () =>
  load(url, { connections, count: requests.length, request: (n) => requests[n] ?? Buffer.alloc(0) })
