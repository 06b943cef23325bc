// The lock of DATA_DIR for a server: after another one that is stopping.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from './config.ts'
import { DataDirInUse, findDataDirOwner, lockDataDir } from './db/data-dir-lock.ts'
import type { Log } from './domain/shared/log.ts'

/** After draining, a server has ended within 14 s (main.ts). */
const stoppingMs = 15_000
const retryMs = 100

/**
 * A server that stops holds its lock until the requests in flight have finished. One that an operator starts
 * meanwhile waits for that.
 * @throws {DataDirInUse} at once when the owner is ready or is no server, else when it has not ended in time
 */
export async function takeDataDir(config: Config, log: Log): Promise<() => void> {
  const until = performance.now() + config.DRAIN_SECONDS * 1000 + stoppingMs
  for (let attempt = 0; ; attempt++) {
    try {
      return await lockDataDir(config.DATA_DIR, config.PORT)
    } catch (error) {
      if (!(error instanceof DataDirInUse) || performance.now() > until) throw error
      const owner = await findDataDirOwner(config.DATA_DIR)
      if (owner !== null && !(await mayBeStopping(config, owner.port))) throw error
      if (attempt === 0) log.info({ pid: owner?.pid }, 'Waiting for the server that uses DATA_DIR: it starts or stops')
      await sleep(retryMs)
    }
  }
}

/** @returns false when it is ready, or does not listen where others can ask it */
async function mayBeStopping({ HOST }: Config, port: number | null): Promise<boolean> {
  if (port === null) return false
  return await fetch(`${localUrl(HOST, port)}/readyz`, { signal: AbortSignal.timeout(3000) }).then(
    ({ ok }) => !ok,
    () => true,
  )
}

/** Where a server with this HOST responds on its own machine. */
export function localUrl(HOST: string, port: number): string {
  const host = ['0.0.0.0', '::'].includes(HOST) ? 'localhost' : HOST.includes(':') ? `[${HOST}]` : HOST
  return `http://${host}:${port}`
}
