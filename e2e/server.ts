// Starts the built product as a separate process, for journeys, benchmarks and fault protocols.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { atExit } from './at-exit.ts'
import { freePort } from '../server/testing/free-port.ts'

export interface RunningServer {
  url: string
  dataDir: string
  pid: number
  /** Returns the output so far. */
  log(): string
  /** Sends SIGTERM, resolves to the exit code, and removes the data unless a folder was given. */
  stop(): Promise<number | null>
  /** Sends SIGKILL, as a power failure would end it. The data stay. */
  kill(): Promise<void>
}

type Settings = Record<string, string>

const entry = fileURLToPath(new URL('../dist/server/main.js', import.meta.url))
/** On a busy machine; a server that cannot start ends by itself. */
const readyWithinMs = 60_000
/** All visitors share one address here. */
const noLimits = {
  CONNECTIONS_PER_ADDRESS: '0',
  RATE_LIMIT: '0',
  RENDER_LIMIT: '0',
  GUEST_UPLOADS_PER_HOUR: '0',
  USER_UPLOADS_PER_HOUR: '0',
  USER_QUOTA_IMAGES: '0',
}
/** No settings of the machine. */
const environment = { PATH: process.env.PATH, LOG_LEVEL: 'warn', DRAIN_SECONDS: '0', ...noLimits }

/** Settings that give the server the limits of a fresh installation: an empty one counts as not set. */
export const defaultLimits: Settings = Object.fromEntries(Object.keys(noLimits).map((name) => [name, '']))

/**
 * Starts the server on a free port and waits until it is ready.
 * @param env settings; a function receives the URL of the server, for PUBLIC_URL
 * @param dataDir an existing folder, to start again on its data
 * @param port one that is free. Default: any
 * @param logTo a file for the output, where it is too much for memory and `log()` is not needed
 */
export async function startServer({
  env = {},
  dataDir,
  logTo,
  port: givenPort,
}: {
  env?: Settings | ((url: string) => Settings)
  dataDir?: string
  logTo?: string
  port?: number
} = {}): Promise<RunningServer> {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'image-host-e2e-')))
  const port = givenPort ?? (await freePort())
  const url = `http://127.0.0.1:${port}`
  const settings = typeof env === 'function' ? env(url) : env
  const log = logTo === undefined ? undefined : await open(logTo, 'a')
  const child = spawn(process.execPath, [entry], {
    env: { ...environment, ...settings, PORT: String(port), DATA_DIR: folder },
    stdio: ['ignore', log?.fd ?? 'pipe', log?.fd ?? 'pipe'],
  })
  await log?.close()
  let printed = ''
  child.stdout?.on('data', (chunk) => (printed += chunk))
  child.stderr?.on('data', (chunk) => (printed += chunk))
  const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>

  const removal = { recursive: true, force: true }
  const undone = atExit(() => {
    child.kill('SIGKILL')
    // Its decoder processes exit a moment later.
    if (dataDir === undefined) rmSync(folder, { ...removal, maxRetries: 10, retryDelay: 100 })
  })
  await untilReady(url, () => child.exitCode !== null).catch(async (error) => {
    child.kill('SIGKILL')
    await ended
    if (dataDir === undefined) await rm(folder, removal)
    undone()
    throw new Error(`${String(error)}\n${printed}`, { cause: error })
  })
  return {
    url,
    dataDir: folder,
    pid: child.pid ?? 0,
    log: () => printed,
    async stop() {
      child.kill('SIGTERM')
      const [code] = await ended
      if (dataDir === undefined) await rm(folder, removal)
      undone()
      return code
    },
    async kill() {
      child.kill('SIGKILL')
      await ended
      undone()
    },
  }
}

async function untilReady(url: string, hasEnded: () => boolean): Promise<void> {
  const deadline = Date.now() + readyWithinMs
  while (Date.now() < deadline) {
    if (hasEnded()) throw new Error('The server ended while it started')
    const isReady = await fetch(`${url}/readyz`).then(
      (response) => response.ok,
      () => false,
    )
    if (isReady) return
    await sleep(50)
  }
  throw new Error(`The server was not ready within ${readyWithinMs} ms`)
}
