// Whether a system call that is usually short may block the event loop. A synchronous one costs 20 to
// 30 µs of CPU, one by the thread pool 150 to 200: it wakes two threads.

/**
 * A synchronous call that blocks the event loop for longer than `maxMs` came from a slow disk or a
 * busy machine. Calls then use the thread pool for `pauseMs`, or for 100 times the duration of that
 * call, so that a disk that stays slow blocks the event loop for at most 1 % of the time.
 */
const budget = { maxMs: 1, pauseMs: 1000, pauseFactor: 100 }
let pausedUntilMs = 0

/** Calls `sync`, or `async` while synchronous calls are paused because one was slow. */
export function preferSync<T>(sync: () => T, async: () => Promise<T>): T | Promise<T> {
  const startedAtMs = performance.now()
  if (startedAtMs < pausedUntilMs) return async()
  try {
    return sync()
  } finally {
    const endedAtMs = performance.now()
    const tookMs = endedAtMs - startedAtMs
    if (tookMs > budget.maxMs) pausedUntilMs = endedAtMs + Math.max(budget.pauseMs, tookMs * budget.pauseFactor)
  }
}
