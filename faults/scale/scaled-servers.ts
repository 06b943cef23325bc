// Two servers on PostgreSQL and S3 behind Caddy, as in compose.scale.yaml, and clients that upload and read images.
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from '../../server/testing/free-port.ts'
import type { RunningServer } from '../../e2e/server.ts'
import { startPostgres } from '../../server/testing/postgres.ts'
import { openBucket } from '../bucket.ts'
import { call, imageIn, type CallResponse, originalAt } from '../client.ts'
import { Ledger } from '../ledger.ts'
import { missingForPostgres } from '../postgres-available.ts'
import { keepSending } from '../load/keep-sending.ts'
import { startProgram } from '../programs.ts'
import { type Defer, openFolder, openServer } from '../resources.ts'
import type { Form } from '../scenario.ts'

/** As client/connect.ts. */
const maxAttempts = 5

/** What the machine lacks, as the end of a sentence. */
export async function missingForScaledServers(form: Form): Promise<string | undefined> {
  // A minute of load on three servers and a proxy.
  if (form === 'short') return 'it has a full form only'
  const hasCaddy = await promisify(execFile)('caddy', ['version']).then(
    () => true,
    () => false,
  )
  return hasCaddy ? missingForPostgres() : 'it needs caddy'
}

/**
 * @param settings of the servers, in addition to those that they share
 * @returns the URL of Caddy, and a function that stops one server by `end` and starts it again at the same address
 */
export async function openScaledServers(defer: Defer, settings: Record<string, string>) {
  const postgres = await startPostgres()
  defer(postgres.stop)
  const bucket = await openBucket(defer)
  const folder = await openFolder(defer)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = {
    PUBLIC_URL: url,
    TRUST_PROXY: '1',
    DATABASE_URL: postgres.url,
    JWT_SECRET: 'a secret of the harness, long enough',
    ...bucket.settings,
    ...settings,
  }
  const start = (at: number, given?: number) =>
    openServer(defer, { env, dataDir: join(folder, `data-${at}`), ...(given !== undefined && { port: given }) })
  const servers: RunningServer[] = [await start(0), await start(1)]
  await startCaddy(defer, folder, port, servers)
  return {
    url,
    async restart(at: number, end: (server: RunningServer) => Promise<unknown>, pauseMs = 0): Promise<void> {
      const server = servers[at] as RunningServer
      await end(server)
      await sleep(pauseMs)
      servers[at] = await start(at, Number(new URL(server.url).port))
    },
  }
}

export interface FailedRequest {
  startedAt: number
  endedAt: number
  what: string
}

interface LoadOptions {
  clients: number
  /** Of each image that was uploaded. */
  views: number
  url: string
  token: string
  image: Buffer
}

/**
 * Each client uploads an image and reads it, without a pause. A server that is busy says when to repeat the request, and the
 * clients do so, as the product's own. Everything else is a failure: other statuses, Caddy's own 502 and 503, broken
 * connections.
 * @returns also `refusals`, what was refused with 503 and Retry-After
 */
export function startLoad({ clients, views, url, token, image: picture }: LoadOptions) {
  const ledger = new Ledger()
  const failures: FailedRequest[] = []
  const refusals: string[] = []
  const attempt = async (what: string, request: () => Promise<CallResponse>, expected: number) => {
    for (let attempts = 1; ; attempts++) {
      const startedAt = performance.now()
      const fail = (reason: string) =>
        void failures.push({ startedAt, endedAt: performance.now(), what: `${what}: ${reason}` })
      const reply = await request().catch((error: unknown) => fail(String(error)))
      if (!reply || reply.status === expected) return reply
      const waitMs = reply.status === 503 ? 1000 * Number(reply.headers['retry-after']) : 0
      if (!(waitMs > 0) || attempts === maxAttempts) return fail(String(reply.status))
      refusals.push(what)
      await sleep(waitMs)
    }
  }
  const stop = keepSending(clients, async () => {
    const reply = await attempt('upload', () => ledger.upload(url, picture, { token }), 201)
    if (!reply) return
    const image = imageIn(reply)
    for (let n = 0; n < views; n++) await attempt('original', () => call(originalAt(url, image)), 200)
  })
  return { ledger, failures, refusals, stop }
}

/** With the file of compose.scale.yaml, over plain HTTP. */
async function startCaddy(defer: Defer, folder: string, port: number, servers: RunningServer[]): Promise<void> {
  const recipe = await readFile(new URL('../../deploy/scale/Caddyfile', import.meta.url), 'utf8')
  const [first, second] = servers.map((server) => new URL(server.url).host)
  const changes = {
    '\tservers {': '\tadmin off\n\tservers {',
    'http://{$DOMAIN:localhost} {': `http://127.0.0.1:${await freePort()} {`,
    'https://{$DOMAIN:localhost} {': `http://127.0.0.1:${port} {`,
    'server-1:3000 server-2:3000': `${first} ${second}`,
  }
  const text = Object.entries(changes).reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`deploy/scale/Caddyfile does not contain ${from}`)
    return changed.replace(from, to)
  }, recipe)
  await writeFile(join(folder, 'Caddyfile'), text)
  await startProgram(defer, {
    command: 'caddy',
    args: ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')],
    env: { PATH: process.env['PATH'], HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    url: `http://127.0.0.1:${port}/readyz`,
    isReady: ({ ok }) => ok,
  })
}
