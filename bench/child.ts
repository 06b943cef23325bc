// Child processes for the other sides of a comparison: workers that run rounds on request, and
// servers.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { SharpRound } from './bare.mjs'
import type { DiskRound } from './disk.mjs'
import type { Round } from './figures.ts'

export interface Worker<Q> {
  round(round: Q): Promise<Round>
  end(): void
}

export type Bare = Worker<SharpRound>

/** One render per core fills all cores, as sharp renders each of these images on one core. */
export const bareConcurrency = availableParallelism()

export const startBare = (): Bare => startWorker<SharpRound>('bare.mjs')
/** One libuv thread per concurrent write, so that the disk is the limit and not the thread pool. */
export const startDisk = (): Worker<DiskRound> => startWorker<DiskRound>('disk.mjs', { UV_THREADPOOL_SIZE: '8' })

/** Splits a round among bare loops in processes of their own, of one render at a time each. */
export async function splitRound(
  loops: readonly Bare[],
  { items, ...round }: Omit<SharpRound, 'concurrency'>,
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

function startWorker<Q extends object>(script: string, env: Record<string, string> = {}): Worker<Q> {
  const child = start(script, [], env)
  const ended = endOf(child, script)
  return {
    async round(round) {
      const message = once(child, 'message')
      child.send(round)
      const [found] = (await Promise.race([message, ended])) as [Round]
      return found
    },
    end: () => void child.kill(),
  }
}

export interface ChildServer {
  url: string
  pid: number
  end(): Promise<void>
}

/** Starts a server that sends its URL as its first message. @param script in bench/ */
export async function startChildServer(script: string, args: readonly string[] = []): Promise<ChildServer> {
  const child = start(script, args)
  const ended = endOf(child, script)
  const [url] = (await Promise.race([once(child, 'message'), ended])) as [string]
  const exited = once(child, 'exit')
  return {
    url,
    pid: child.pid ?? 0,
    async end() {
      child.kill()
      await exited
    },
  }
}

const start = (script: string, args: readonly string[], env: Record<string, string> = {}) =>
  fork(fileURLToPath(new URL(`./${script}`, import.meta.url)), [...args], {
    execArgv: [],
    env: { PATH: process.env.PATH, ...env },
  })

function endOf(child: ChildProcess, script: string): Promise<never> {
  const ended = once(child, 'exit').then(() => {
    throw new Error(`${script} has ended`)
  })
  ended.catch(() => {}) // reported to the caller that waits for a message
  return ended
}
