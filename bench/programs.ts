// Programs of this folder that the product is compared with, each on a port of its own.
import { fileURLToPath } from 'node:url'
import { startProgram } from '../faults/programs.ts'
import type { Defer } from '../faults/resources.ts'
import { freePort } from '../server/testing/free-port.ts'

/** @param script in bench/; its first argument is the port */
export async function startScript(defer: Defer, script: string, ...args: string[]) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const path = fileURLToPath(new URL(script, import.meta.url))
  return { url, pid: await startProgram(defer, { command: process.execPath, args: [path, `${port}`, ...args], url }) }
}
