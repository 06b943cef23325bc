// Processes of a scenario or a benchmark: programs that run to their end, and servers beside the product.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { atExit } from '../e2e/at-exit.ts'
import type { Defer } from './resources.ts'
import { untilTrue } from './until.ts'

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

interface ServerProgram {
  command: string
  args: string[]
  env?: Record<string, string | undefined>
  url: string
  /** Default: any response. */
  isReady?: (response: Response) => boolean
}

const readyWithinMs = 15_000

/** Starts a server and waits until its URL responds. @returns its process id */
export async function startProgram(defer: Defer, program: ServerProgram): Promise<number> {
  const { command, args, env, url, isReady = () => true } = program
  const child = spawn(command, args, { ...(env && { env }), stdio: ['ignore', 'ignore', 'pipe'] })
  let errors = ''
  child.stderr.on('data', (chunk) => (errors = (errors + chunk).slice(-2000)))
  const closed = once(child, 'close')
  const cancelAtExit = atExit(() => child.kill('SIGKILL'))
  defer(async () => {
    // It ended by itself.
    if (child.exitCode !== null) console.error(errors)
    child.kill()
    await closed
    cancelAtExit()
  })
  const responds = () => fetch(url).then(isReady, () => false)
  const tookMs = await untilTrue(async () => child.exitCode !== null || (await responds()), readyWithinMs)
  if (child.exitCode !== null || tookMs === Infinity)
    throw new Error(`${[command, ...args].join(' ')} does not respond:\n${errors}`)
  return child.pid ?? 0
}
