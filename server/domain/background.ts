// Work that goes on after its reply, until it is done or the app stops.
import type { Log } from './deps.ts'

export interface Background {
  /**
   * Starts the work and does not wait for it. A failure is logged: nobody else would hear of it.
   * @param work its signal says that the app stops
   */
  start(name: string, work: (signal: AbortSignal) => Promise<void>): void
  /** Tells all work to stop and waits until it has. */
  stop(): Promise<void>
}

export function openBackground(log: Log): Background {
  const underWay = new Set<Promise<void>>()
  const stopping = new AbortController()
  return {
    start(name, work) {
      const run = work(stopping.signal)
        .catch((error: unknown) => log.error({ err: error, work: name }, 'Work in the background failed'))
        .finally(() => underWay.delete(run))
      underWay.add(run)
    },
    async stop() {
      stopping.abort(new Error('The server was stopped'))
      await Promise.all(underWay)
    },
  }
}
