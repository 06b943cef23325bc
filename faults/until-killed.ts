// How a storm of clients ends: with the server killed under them, once it has promised enough to lose.
import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningServer } from '../e2e/server.ts'

export interface End {
  /** How many promises the clients hold so far. */
  promised: () => number
  /** The storm goes on until there are so many more, however slow the machine. */
  promisesAtLeast: number
  /** From then on. */
  killAfterMs: number
  /** How long the promises may take. Default 60 s. */
  withinMs?: number
  /** What was wrong so far, if anything: then nothing more is waited for. What this finds is added. */
  wrongs: string[]
}

/**
 * Kills the server; not before it has promised enough, unless something is wrong.
 * @param isOver told when it is being killed: from then on clients begin nothing
 */
export async function killInStorm(server: RunningServer, isOver: { now: boolean }, end: End): Promise<void> {
  const { promised, promisesAtLeast, killAfterMs, withinMs = 60_000, wrongs } = end
  const enough = promised() + promisesAtLeast
  const deadline = performance.now() + withinMs
  while (promised() < enough && isRunning(server.pid) && wrongs.length === 0) {
    if (performance.now() > deadline) wrongs.push(`fewer than ${promisesAtLeast} promises within ${withinMs} ms`)
    await sleep(5)
  }
  if (isRunning(server.pid)) await sleep(killAfterMs)
  if (!isRunning(server.pid)) wrongs.push(`it ended by itself: ${server.log().slice(-300)}`)
  const killed = server.kill()
  isOver.now = true
  await killed
}

/** @param pid of a child of this process: those are reaped as they end, so none of them stays as a zombie */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false // it has ended
  }
}
