// Commands that store many images wait while the decoders are busy, and say so.
import { setTimeout as sleep } from 'node:timers/promises'
import { minuteMs } from '../../contract/plain/limits.ts'
import { CommandRefused } from '../domain/backups/command-refused.ts'
import { Failure } from '../domain/shared/failure.ts'
import type { Task } from '../command.ts'

/** An image for which there was no time for this long is left out when others were stored meanwhile. */
const imagePatienceMs = 5 * minuteMs
/** Without any success for this long, waiting does not help. */
const patienceMs = 10 * minuteMs
const firstWaitMs = 2000
const maxWaitMs = 30_000

export type WaitWhileBusy = <T>(task: () => Promise<T>) => Promise<T>

interface Options {
  now: () => number
  print: Task['print']
  signal?: AbortSignal | undefined
  wait?: (ms: number) => Promise<unknown>
}

/**
 * Returns a function that repeats a task while it fails with `busy`. All tasks of a command share it.
 * @throws {CommandRefused} when no task has succeeded for ten minutes; the failure `busy` of an image for which there
 * was no time for five; the reason of the signal
 */
export function createWaitWhileBusy({
  now,
  print,
  signal,
  wait = (ms) => sleep(ms, undefined, { signal }),
}: Options): WaitWhileBusy {
  let lastSuccess = now()
  let announcedUntil = 0
  return async (task) => {
    const start = now()
    for (let waitMs = firstWaitMs; ; waitMs = Math.min(2 * waitMs, maxWaitMs)) {
      try {
        const result = await task()
        lastSuccess = now()
        return result
      } catch (error) {
        if (!(error instanceof Failure) || error.code !== 'busy') throw error
        signal?.throwIfAborted()
        if (now() - Math.max(lastSuccess, start) >= patienceMs)
          throw new CommandRefused(
            'The server has been busy for 10 minutes, and nothing could be stored. Run the command again later: it continues where it stopped',
            { cause: error },
          )
        if (now() - start >= imagePatienceMs && lastSuccess > start) throw error
        // Several tasks wait at the same time: one line is enough.
        if (now() >= announcedUntil) {
          print(`The server is busy; waiting ${Math.round(waitMs / 1000)} seconds`)
          announcedUntil = now() + waitMs
        }
        await wait(waitMs).catch((reason: unknown) => {
          signal?.throwIfAborted()
          throw reason
        })
      }
    }
  }
}
