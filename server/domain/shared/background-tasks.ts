// Background work that continues after the response, until it completes or the app stops.
import type { Log } from './log.ts'

/** All of it. A test plants an error in each (server/background-errors.test.ts). */
export const backgroundTasks = ['avif', 'backup', 'mailPasswordReset', 'mailRegistration'] as const
export type BackgroundTask = (typeof backgroundTasks)[number]

export interface Background {
  /**
   * Starts the work without waiting for it. Failures are logged here, because no caller sees them.
   * @param work its signal aborts when the app stops
   */
  start(name: BackgroundTask, work: (signal: AbortSignal) => Promise<void>): void
  /** Waits for the work that was started so far. */
  idle(): Promise<void>
  /** Aborts all work and waits for it to end. */
  stop(): Promise<void>
}

export function openBackgroundTasks(log: Log): Background {
  const underWay = new Set<Promise<void>>()
  const stopping = new AbortController()
  const idle = async () => void (await Promise.all(underWay))
  return {
    start(name, work) {
      const run = work(stopping.signal)
        .catch((error: unknown) => log.error({ err: error, work: name }, 'A background task failed'))
        .finally(() => underWay.delete(run))
      underWay.add(run)
    },
    idle,
    async stop() {
      stopping.abort(new Error('The server was stopped'))
      await idle()
    },
  }
}
