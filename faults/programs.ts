// The built programs of the product, and those of scenarios, run to their end.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

export interface Ended {
  /** Null: it was killed. */
  code: number | null
  signal: NodeJS.Signals | null
  /** Of both streams. */
  printed: string
}

const built = (path: string) => fileURLToPath(new URL(`../dist/${path}`, import.meta.url))

/** Runs a command of the operator. */
export const runCommand = (dataDir: string, ...args: string[]) => startCommand(dataDir, args).ended

/** Runs a program of this folder. */
export const runScript = (args: string[], env: Record<string, string>) => start(args, env).ended

/** @returns the process too, which may be killed before its end */
export function startCommand(dataDir: string, args: string[], settings: Record<string, string> = {}) {
  return start([built('command/main.js'), ...args], { DATA_DIR: dataDir, ...settings })
}

/** Runs the server where it should refuse to start. One that does start is killed, and has no exit code. */
export const runServer = (dataDir: string, settings: Record<string, string>, timeoutMs: number) =>
  start([built('server/main.js')], { DATA_DIR: dataDir, PORT: '0', ...settings }, timeoutMs).ended

function start(args: string[], settings: Record<string, string>, timeout?: number) {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env['PATH'], ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    killSignal: 'SIGKILL',
    ...(timeout !== undefined && { timeout }),
  })
  const ended = async (): Promise<Ended> => {
    const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>
    const printed = await Promise.all([text(child.stdout), text(child.stderr)])
    const [code, signal] = await closed
    return { code, signal, printed: printed.join('') }
  }
  return { child, ended: ended() }
}
