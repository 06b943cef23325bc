// Controls the process of a crowd of misbehaving clients: start, state, stop.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Defer } from '../resources.ts'
import type { Form } from '../scenario.ts'

export interface CrowdOptions {
  port: number
  /**
   * slowloris: sends a byte of a header every 5 s. slow-upload: 10 B/s of a file. half-closed: half-closes during an upload and
   * waits. never-reading: pipelines 15 requests for `path` and reads nothing. idle: requests `path` every 4 s, since the server
   * closes connections that are silent for 5 s.
   */
  kind: 'slowloris' | 'slow-upload' | 'half-closed' | 'never-reading' | 'idle'
  /** Concurrent connections. A connection that the server closes is opened again. */
  size: number
  path?: string
  /** Maximum connections opened per second. Default 1000. */
  perSecond?: number
  /** How many addresses they come from. Default 16. */
  addresses?: number
}

export interface CrowdFigures {
  open: number
  opened: number
  /** Connections on which data was received. */
  answered: number
  /** Failed connections; for an idle one also those that ended before their response. */
  refused: number
  /** The longest lifetime of a connection that has ended. */
  longestMs: number
}

export type Crowd = ReturnType<typeof openConnections>

const program = fileURLToPath(new URL('crowd.mjs', import.meta.url))

/** @param defer lets the crowd leave at the end, if it did not before */
export function openConnections(defer: Defer, options: CrowdOptions) {
  const child = fork(program, [JSON.stringify(options)], { execArgv: [], env: {} })
  const figures: CrowdFigures = { open: 0, opened: 0, answered: 0, refused: 0, longestMs: 0 }
  child.on('message', (told) => void Object.assign(figures, told))
  const ended = once(child, 'exit')
  const leave = async () => {
    if (child.connected) child.disconnect()
    await ended
  }
  defer(leave)
  return {
    figures,
    /** Resolves when `size` connections are open, or after a time limit: the figures contain the actual number. */
    async gathered(withinMs: number): Promise<void> {
      const deadline = performance.now() + withinMs
      while (figures.open < options.size && child.connected && performance.now() < deadline)
        await Promise.race([once(child, 'message'), ended])
    },
    /** Opens no further connections; existing ones stay open. */
    stay: () => void child.send('stay'),
    leave,
  }
}

/** The maximum number of connections of a process, by the limit of open files; undefined when unknown. */
function maxConnections(): number | undefined {
  try {
    const [, hard] = /^Max open files\s+\S+\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'latin1')) ?? []
    return hard === 'unlimited' ? Infinity : Number(hard)
  } catch {
    return undefined
  }
}

/** What the machine lacks for a crowd. @param open the open files each form needs in one process */
export function missingForCrowd(
  form: Form,
  open: Record<Form, number>,
  most: number | undefined = maxConnections(),
): string | undefined {
  if (most === undefined) return 'it needs /proc'
  return most < open[form] ? `it needs ${open[form]} open files, the limit is ${most}` : undefined
}
