import { CommandRefused } from '../domain/backups/command-refused.ts'

/** The first Ctrl-C aborts the work, which then cleans up. @param message of the abort */
export async function untilStopped<T>(message: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stopping = new AbortController()
  const stop = () => stopping.abort(new CommandRefused(message))
  process.once('SIGINT', stop).once('SIGTERM', stop)
  try {
    return await work(stopping.signal)
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop)
  }
}
