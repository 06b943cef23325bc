// Processes of bare-work.mjs, which run what the product is compared with.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Defer } from '../faults/resources.ts'
import type { BareRound } from './bare-work.mjs'
import type { Round } from './statistics.ts'

export interface Bare {
  round(round: BareRound): Promise<Round>
}

/** One render per core fills all cores, as sharp renders each of these images on one core. */
export const bareConcurrency = availableParallelism()

/** @param threads of libuv; one per concurrent write makes the disk the limit, and not the thread pool */
export function startBare(defer: Defer, threads?: number): Bare {
  const child = fork(fileURLToPath(new URL('bare-work.mjs', import.meta.url)), {
    execArgv: [],
    env: { PATH: process.env.PATH, ...(threads !== undefined && { UV_THREADPOOL_SIZE: String(threads) }) },
  })
  defer(() => child.kill())
  const ended = once(child, 'exit').then(() => {
    throw new Error('bare-work.mjs has ended')
  })
  ended.catch(() => {}) // reported to the caller that waits for a message
  return {
    async round(round) {
      const message = once(child, 'message')
      child.send(round)
      const [found] = (await Promise.race([message, ended])) as [Round]
      return found
    },
  }
}

/** Splits a round among processes that do one item at a time each. */
export async function splitRound(
  loops: readonly Bare[],
  { items, ...round }: Omit<BareRound, 'concurrency'>,
): Promise<Round> {
  const rounds = await Promise.all(
    loops.map((loop, at) =>
      loop.round({ ...round, items: items.filter((_, n) => n % loops.length === at), concurrency: 1 }),
    ),
  )
  const sum = (value: (round: Round) => number) => rounds.reduce((total, one) => total + value(one), 0)
  return {
    items: items.length,
    tookMs: Math.max(...rounds.map(({ tookMs }) => tookMs)),
    cpuMs: sum(({ cpuMs = 0 }) => cpuMs),
    times: rounds.flatMap(({ times = [] }) => times),
  }
}
