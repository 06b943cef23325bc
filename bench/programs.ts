// Programs of this folder that the product is compared with, each on a port of its own.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { atExit } from '../e2e/at-exit.ts'
import { freePort } from '../server/testing/free-port.ts'
import type { Defer } from '../faults/resources.ts'

export interface Program {
  url: string
  pid: number
}

const readyTimeoutMs = 10_000

/**
 * Starts a program and waits until its port responds, with any status.
 * @param script in bench/; its first argument is the port
 */
export async function startProgram(defer: Defer, script: string, ...args: string[]): Promise<Program> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const path = fileURLToPath(new URL(script, import.meta.url))
  const child = spawn(process.execPath, [path, `${port}`, ...args], { stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = once(child, 'close')
  const cancelAtExit = atExit(() => child.kill())
  defer(async () => {
    child.kill()
    await ended
    cancelAtExit()
  })
  const responds = () =>
    fetch(url).then(
      () => true,
      () => false,
    )
  for (const deadline = Date.now() + readyTimeoutMs; !(await responds()); await sleep(50))
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`${script} does not respond`)
  return { url, pid: child.pid ?? 0 }
}
