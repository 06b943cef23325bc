// The lock of DATA_DIR, for a server and for commands that must run alone: after a server that is stopping.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from './config.ts'
import { DataDirInUse, findDataDirOwner, lockDataDir } from './db/data-dir-lock.ts'

/** After draining, a server has ended within 14 s (main.ts). */
const stoppingSeconds = 15
const retryMs = 100

/**
 * A server that stops holds its lock until the requests in flight have finished. What an operator starts meanwhile
 * waits for that.
 * @param port where this process will listen; 0: nowhere
 * @param onWait is called once, with a sentence for the operator
 * @param signal ends the wait: its reason is thrown, and the lock is not held
 * @returns a function that releases the lock
 * @throws {DataDirInUse} at once when the owner is ready or is no server, else when it has not ended in time
 */
export async function takeDataDir(
  config: Config,
  { port = 0, onWait, signal }: { port?: number; onWait: (text: string) => void; signal?: AbortSignal },
): Promise<() => void> {
  const waitSeconds = config.DRAIN_SECONDS + stoppingSeconds
  const until = performance.now() + waitSeconds * 1000
  for (let attempt = 0; ; attempt++) {
    try {
      const release = await lockDataDir(config.DATA_DIR, port)
      if (signal?.aborted) release()
      signal?.throwIfAborted()
      return release
    } catch (error) {
      if (!(error instanceof DataDirInUse) || performance.now() > until) throw error
      const owner = await findDataDirOwner(config.DATA_DIR)
      if (owner !== null && !(await mayBeStopping(config, owner.port))) throw error
      signal?.throwIfAborted()
      // A refused connection may also mean that the owner runs in another container or on another host.
      if (attempt === 0) onWait(`Waiting up to ${waitSeconds} s for the process that uses ${config.DATA_DIR}`)
      await sleep(retryMs, undefined, { signal }).catch(() => signal?.throwIfAborted())
    }
  }
}

/** Runs the work of a command while holding the lock. @throws {DataDirInUse} as takeDataDir */
export async function withOwnDataDir<T>(
  config: Config,
  print: (line: string) => void,
  work: () => Promise<T>,
): Promise<T> {
  const release = await takeDataDir(config, { onWait: (text) => print(`${text}.`) })
  try {
    return await work()
  } finally {
    release()
  }
}

/** @returns false when it is ready, or does not listen where others can ask it */
function mayBeStopping({ HOST }: Config, port: number | null): Promise<boolean> {
  if (port === null) return Promise.resolve(false)
  return fetch(`${localUrl(HOST, port)}/readyz`, { signal: AbortSignal.timeout(3000) }).then(
    ({ ok }) => !ok,
    () => true,
  )
}

/** Where a server with this HOST responds on its own machine. */
export function localUrl(HOST: string, port: number): string {
  const host = ['0.0.0.0', '::'].includes(HOST) ? 'localhost' : HOST.includes(':') ? `[${HOST}]` : HOST
  return `http://${host}:${port}`
}
