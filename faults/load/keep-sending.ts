// Clients that send requests until they are stopped, or the server is killed.
import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningServer } from '../../e2e/server.ts'

/** One request of a client. */
type Send = (client: number) => Promise<unknown>

/**
 * Each client sends one request after the other.
 * @returns a function that stops the clients and awaits their last responses. @throws what a client threw
 */
export function keepSending(clients: number, send: Send): () => Promise<void> {
  let isOver = false
  const running = sendUntil(() => isOver, clients, send)
  // Awaited below: a failure must not end the process meanwhile.
  running.catch(() => {})
  return async () => {
    isOver = true
    await running
  }
}

/** Each client sends one request after the other until it is over. */
export async function sendUntil(isOver: () => boolean, clients: number, send: Send): Promise<void> {
  const client = async (_: unknown, number: number) => {
    while (!isOver()) await send(number)
  }
  await Promise.all(Array.from({ length: clients }, client))
}

/** Processes all items, `width` at a time. */
export async function inParallel<T>(
  width: number,
  items: Iterable<T>,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const queue = items[Symbol.iterator]()
  const worker = async () => {
    for (let next = queue.next(); !next.done; next = queue.next()) await work(next.value)
  }
  await Promise.all(Array.from({ length: width }, worker))
}

export interface KillAfter {
  /** The acknowledgements that the clients hold so far. */
  acknowledged: () => number
  /** The clients continue until this many more, however slow the machine. */
  acknowledgedAtLeast: number
  /** From then on. */
  killAfterMs: number
  /** Time limit for the acknowledgements. Default 60 s. */
  withinMs?: number
  /** Violations so far; the first one ends the wait. New ones are added. */
  wrongs: string[]
}

/**
 * Kills the server; not before enough is acknowledged, unless something is wrong.
 * @param stop stops the clients: from the kill on they start nothing
 */
export async function killWhileSending(server: RunningServer, stop: () => Promise<void>, end: KillAfter) {
  const { acknowledged, acknowledgedAtLeast, killAfterMs, withinMs = 60_000, wrongs } = end
  const enough = acknowledged() + acknowledgedAtLeast
  const deadline = performance.now() + withinMs
  while (acknowledged() < enough && isRunning(server.pid) && wrongs.length === 0) {
    if (performance.now() > deadline) wrongs.push(`fewer than ${acknowledgedAtLeast} promises within ${withinMs} ms`)
    await sleep(5)
  }
  if (isRunning(server.pid)) await sleep(killAfterMs)
  if (!isRunning(server.pid)) wrongs.push(`it ended by itself: ${server.log().slice(-300)}`)
  await Promise.all([server.kill(), stop()])
}

/** @param pid of a child of this process: those are reaped as they exit, so none stays a zombie */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false // it has ended
  }
}

/** One of them, at random. */
export const anyOf = <T>(all: readonly T[]): T | undefined => all[Math.floor(Math.random() * all.length)]
