// Starts a proxy with its recipe in front of a running server.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { setTimeout as sleep } from 'node:timers/promises'
import { atExit } from '../at-exit.ts'
import { type Client, createClient } from './client.ts'
import type { Recipe, TestHost } from './recipes.ts'

const startMs = 15_000

/**
 * Starts the proxy and waits until the server, which runs already, is reached through it.
 * @returns a function that stops it
 */
export async function startProxy(recipe: Recipe, program: string, host: TestHost): Promise<() => Promise<void>> {
  const args = await recipe.prepare(host)
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH, ...recipe.env?.(host) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let errors = ''
  child.stderr.on('data', (chunk) => (errors = (errors + chunk).slice(-2000)))
  const cancel = atExit(() => child.kill('SIGKILL'))
  const closed = once(child, 'close')
  const stop = async () => {
    child.kill('SIGTERM')
    await closed
    cancel()
  }
  try {
    await untilReady(createClient({ ...host, ca: await readFile(host.certificate) }), () => child.exitCode !== null)
  } catch (error) {
    await stop()
    throw new Error(`${recipe.name} does not reach the server:\n${errors}`, { cause: error })
  }
  return stop
}

async function untilReady(call: Client, hasEnded: () => boolean): Promise<void> {
  let last: unknown
  for (const start = performance.now(); performance.now() - start < startMs && !hasEnded(); await sleep(100)) {
    try {
      const { status } = await call('/readyz')
      if (status === 200) return
      last = `status ${status}`
    } catch (error) {
      last = error
    }
  }
  throw new Error(hasEnded() ? 'it has ended' : 'no response', { cause: last })
}

/** Valid for a day, for img.example.com; its own authority. */
export async function makeCertificate(certificate: string, key: string): Promise<void> {
  const subject = ['-subj', '/CN=img.example.com', '-addext', 'subjectAltName=DNS:img.example.com']
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-noenc', '-days', '1']
  await promisify(execFile)('openssl', ['req', ...kind, ...subject, '-keyout', key, '-out', certificate])
  await chmod(key, 0o644)
}
