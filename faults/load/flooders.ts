// Controls the flood process: started with bombs on disk, stopped with its figures.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export interface FloodOptions {
  url: string
  /** Complete forms, as files. */
  bombs: { name: string; path: string }[]
  /** One client each, from its own address. */
  callers: { localAddress: string; headers: Record<string, string> }[]
}

export interface FloodFigures {
  /** Number of responses per status. */
  answers: Record<number, number>
  /** The longest response time, from the first byte sent to the last byte received. */
  slowestMs: number
  /** Responses that a bomb must not get, and broken connections. */
  wrongs: string[]
}

const program = fileURLToPath(new URL('flooders.mjs', import.meta.url))

/** @returns a function that stops the flood and resolves when each client has its last response */
export function startFlood(options: FloodOptions): () => Promise<FloodFigures> {
  const child = fork(program, [JSON.stringify(options)], { execArgv: [], env: {} })
  const info = once(child, 'message').then(([figures]) => figures as FloodFigures)
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the flooders ended with ${code}`)
  })
  // Whichever comes first; the other is not awaited.
  ended.catch(() => {})
  return async () => {
    child.send('stop')
    const figures = await Promise.race([info, ended])
    child.disconnect()
    return figures
  }
}
