// Other sides of a comparison, each a script in a process of its own: told what to do by message, round by round.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { BareRound } from './bare.mjs'
import type { DiskRound } from './disk.mjs'
import type { Round } from './figures.ts'

export interface Worker<Q> {
  round(round: Q): Promise<Round>
  end(): void
}

export type Bare = Worker<BareRound>

/** As many at once fill all cores, as sharp renders each of these on one. */
export const bareAtOnce = availableParallelism()

export const startBare = (): Bare => startWorker<BareRound>('bare.mjs')
/** As many threads as there are writes at once: the disk is the limit, not the pool. */
export const startDisk = (): Worker<DiskRound> => startWorker<DiskRound>('disk.mjs', { UV_THREADPOOL_SIZE: '8' })

function startWorker<Q extends object>(script: string, env: Record<string, string> = {}): Worker<Q> {
  const child = start(script, [], env)
  const ended = endOf(child, script)
  return {
    async round(round) {
      const answer = once(child, 'message')
      child.send(round)
      const [found] = (await Promise.race([answer, ended])) as [Round]
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

/** A server that tells its address by its first message. @param script in bench/ */
export async function startChildServer(script: string, args: readonly string[] = []): Promise<ChildServer> {
  const child = start(script, args)
  const ended = endOf(child, script)
  const [url] = (await Promise.race([once(child, 'message'), ended])) as [string]
  const gone = once(child, 'exit')
  return {
    url,
    pid: child.pid ?? 0,
    async end() {
      child.kill()
      await gone
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
  ended.catch(() => {}) // it is told to whoever waits for a message
  return ended
}
