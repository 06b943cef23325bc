// Long work that stops every few milliseconds: beside other work, or without.

import { setImmediate } from 'node:timers/promises'

/** Lets whatever waits in this thread have its turn at each stop. @throws the signal's reason, soon after it is given */
export async function inTurns<T>(work: Generator<undefined, T>, signal?: AbortSignal): Promise<T> {
  for (;;) {
    signal?.throwIfAborted()
    const step = work.next()
    if (step.done) return step.value
    await setImmediate()
  }
}

export function atOnce<T>(work: Generator<undefined, T>): T {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}
