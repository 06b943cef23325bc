// Starts the bare loop of bare.mjs and gives it rounds.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Round } from './figures.ts'

type BareRound = import('./bare.mjs').BareRound

export interface Bare {
  round(round: BareRound): Promise<Round>
  end(): void
}

/** Two at once fill two cores, as sharp renders each on one. */
export const bareAtOnce = 2

export function startBare(): Bare {
  const child = fork(fileURLToPath(new URL('./bare.mjs', import.meta.url)), [], { execArgv: [] })
  const ended = once(child, 'exit').then(() => {
    throw new Error('The bare loop has ended')
  })
  ended.catch(() => {}) // it is told to whoever waits for a round
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
