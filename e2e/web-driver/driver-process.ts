// Starts the programs that drive a browser, each with an empty home of its own.
import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process'
import { accessSync, constants, rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { atExit } from '../at-exit.ts'

/** On a busy machine; a program that cannot start ends by itself. */
const readyWithinMs = 60_000

/** @throws Error that says what to install: a missing browser is no reason to pass */
export function requireProgram(names: readonly string[], debianPackages: string): string {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const path = folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isExecutable)
  if (path !== undefined) return path
  throw new Error(`There is no ${names.join(' or ')} in PATH. Debian: apt-get install ${debianPackages}`)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

export interface DriverProcesses {
  /** The home of the programs. */
  home: string
  start(path: string, args: string[], settings?: Record<string, string>): ChildProcess
  /** Ends the programs, the last one first, and removes their home. */
  end(): Promise<void>
}

export async function driverProcesses(): Promise<DriverProcesses> {
  const home = await mkdtemp(join(tmpdir(), 'image-host-browser-'))
  const running: { child: ChildProcess; ended: Promise<unknown> }[] = []
  const removal = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }
  const cancelAtExit = atExit(() => {
    for (const { child } of running) child.kill('SIGKILL')
    rmSync(home, removal)
  })
  return {
    home,
    start(path, args, settings = {}) {
      const env = { PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8', ...settings }
      // The fourth stream is Xvfb's for its number. Nobody reads what the programs print.
      const stdio: StdioOptions = ['ignore', 'ignore', 'ignore', 'pipe']
      const child = spawn(path, args, { env, stdio })
      running.push({ child, ended: once(child, 'exit') })
      return child
    },
    async end() {
      for (const { child, ended } of running.toReversed()) {
        child.kill()
        await ended
      }
      await rm(home, removal)
      cancelAtExit()
    },
  }
}

/** Waits for what a program that has just started prints, writes or serves. */
export async function untilReady<Found>(child: ChildProcess, find: () => Promise<Found | undefined>): Promise<Found> {
  for (const deadline = Date.now() + readyWithinMs; Date.now() < deadline; await sleep(50)) {
    if (child.exitCode !== null) throw new Error(`${child.spawnfile} ended with ${child.exitCode}`)
    const found = await find().catch(() => undefined)
    if (found !== undefined) return found
  }
  throw new Error(`${child.spawnfile} is not ready after ${readyWithinMs / 1000} s`)
}
