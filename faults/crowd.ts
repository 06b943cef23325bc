// A crowd of bad clients as a protocol sees it: started, watched, told to stay as they are, sent away.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Form } from './protocol.ts'

export interface CrowdOptions {
  port: number
  /**
   * slowloris: a header of which a byte comes every 5 s. slow-upload: 10 B/s of a file. half-closed: ends amid an upload, and
   * waits. never-reading: asks for `path` 60 times ahead and takes nothing of it. idle: asks for `path` every 4 s, since the server closes what is silent for 5.
   */
  kind: 'slowloris' | 'slow-upload' | 'half-closed' | 'never-reading' | 'idle'
  /** Connections at once. What the server closes is opened again. */
  size: number
  path?: string
  /** Openings in a second, at most. Default 1000. */
  perSecond?: number
}

export interface CrowdFigures {
  open: number
  opened: number
  /** Connections on which anything came back. */
  answered: number
  /** Could not be opened; of an idle one also: ended before its answer. */
  refused: number
  /** The longest that a connection was open which has ended since. */
  longestMs: number
}

export interface Crowd {
  figures: CrowdFigures
  /** Resolves when `size` are open, or when it has waited long enough: how many there are stands in the figures. */
  gathered(withinMs: number): Promise<void>
  /** No connection is opened from now on; those that are open go on. */
  stay(): void
  leave(): Promise<void>
}

const program = fileURLToPath(new URL('crowd.mjs', import.meta.url))

export function gatherCrowd(options: CrowdOptions): Crowd {
  const child = fork(program, [JSON.stringify(options)], { execArgv: [], env: {} })
  const figures: CrowdFigures = { open: 0, opened: 0, answered: 0, refused: 0, longestMs: 0 }
  child.on('message', (told) => void Object.assign(figures, told))
  const ended = once(child, 'exit')
  return {
    figures,
    async gathered(withinMs) {
      const deadline = performance.now() + withinMs
      while (figures.open < options.size && child.connected && performance.now() < deadline)
        await Promise.race([once(child, 'message'), ended])
    },
    stay: () => void child.send('stay'),
    async leave() {
      if (child.connected) child.disconnect()
      await ended
    },
  }
}

/** Connections that a process may have, by what the machine lets it; undefined where that is not told. */
function mostConnections(): number | undefined {
  try {
    const [, hard] = /^Max open files\s+\S+\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'latin1')) ?? []
    return hard === 'unlimited' ? Infinity : Number(hard)
  } catch {
    return undefined
  }
}

/** What the machine lacks for a crowd. @param open how many files each form has open at once, in one process */
export function missingForCrowd(
  form: Form,
  open: Record<Form, number>,
  most: number | undefined = mostConnections(),
): string | undefined {
  if (most === undefined) return 'it needs /proc'
  return most < open[form] ? `it needs ${open[form]} open files, the limit is ${most}` : undefined
}
