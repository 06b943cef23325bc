// Ends a storm of clients by killing the server once enough is acknowledged.
import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningServer } from '../e2e/server.ts'

export interface End {
  /** The acknowledgements that the clients hold so far. */
  acknowledged: () => number
  /** The storm continues until this many more, however slow the machine. */
  promisesAtLeast: number
  /** From then on. */
  killAfterMs: number
  /** Time limit for the acknowledgements. Default 60 s. */
  withinMs?: number
  /** Violations so far; the first one ends the wait. New ones are added. */
  wrongs: string[]
}

/**
 * Kills the server; not before enough is acknowledged, unless something is wrong.
 * @param isOver called when it is being killed: from then on clients start nothing
 */
export async function killInStorm(server: RunningServer, isOver: { now: boolean }, end: End): Promise<void> {
  const { acknowledged, promisesAtLeast, killAfterMs, withinMs = 60_000, wrongs } = end
  const enough = acknowledged() + promisesAtLeast
  const deadline = performance.now() + withinMs
  while (acknowledged() < enough && isRunning(server.pid) && wrongs.length === 0) {
    if (performance.now() > deadline) wrongs.push(`fewer than ${promisesAtLeast} promises within ${withinMs} ms`)
    await sleep(5)
  }
  if (isRunning(server.pid)) await sleep(killAfterMs)
  if (!isRunning(server.pid)) wrongs.push(`it ended by itself: ${server.log().slice(-300)}`)
  const killed = server.kill()
  isOver.now = true
  await killed
}

/** @param pid of a child of this process: those are reaped as they exit, so none stays a zombie */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false // it has ended
  }
}
