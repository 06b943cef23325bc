// A flood as a protocol sees it: started with bombs on disk, and ended with what came of it.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export interface FloodOptions {
  url: string
  /** Whole forms, as files. */
  bombs: { name: string; path: string }[]
  /** One client each, from an address of its own. */
  callers: { localAddress: string; headers: Record<string, string> }[]
}

export interface FloodFigures {
  /** How often each status came. */
  answers: Record<number, number>
  /** The longest that an answer took, from the first byte sent to the last one read. */
  slowestMs: number
  /** Answers that are none to a bomb, and connections that were cut. */
  wrongs: string[]
}

const program = fileURLToPath(new URL('flooders.mjs', import.meta.url))

/** @returns what ends it, and resolves when each client has its last answer */
export function startFlood(options: FloodOptions): () => Promise<FloodFigures> {
  const child = fork(program, [JSON.stringify(options)], { execArgv: [], env: {} })
  const told = once(child, 'message').then(([figures]) => figures as FloodFigures)
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the flooders ended with ${code}`)
  })
  // One of the two comes; the other is not waited for.
  ended.catch(() => {})
  return async () => {
    child.send('stop')
    const figures = await Promise.race([told, ended])
    child.disconnect()
    return figures
  }
}
