// A demonstration: a server with sample data in a temporary folder, which it replaces regularly.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import type { App } from '../app.ts'
import { type Config, readConfig } from '../config.ts'
import { loggerOptions } from '../logger.ts'
import { closeDeps, openDeps } from '../open-deps.ts'
import { type Command, namedArguments, type Task, UsageError } from '../command.ts'
import { seed } from './seed-command.ts'
import { emailOf } from './seed/seed-accounts.ts'

const defaultImages = 60
const defaultMinutes = 60

/** Settings of the operator that a demonstration uses; others would reach real data or accounts. */
const usedSettings = ['HOST', 'PORT', 'PUBLIC_URL', 'TRUST_PROXY', 'SITE_NAME', 'LOG_LEVEL', 'CONNECTIONS_PER_ADDRESS']

const accounts = { admin: 'admin@example.com', user: emailOf('Maya') }

export const demoCommand: Command<Task> = {
  usage: 'demo [--pictures N] [--minutes N]',
  help: 'starts a server with sample data, and prints links that log in as admin and as user',
  details:
    `Nothing of DATA_DIR, DATABASE_URL or a bucket is used: all data is in a temporary folder. It is replaced by new\n` +
    `sample data every ${defaultMinutes} minutes (--minutes N; 0: never), and deleted when the command ends with Ctrl-C.\n` +
    `Uses ${usedSettings.join(', ')}. Everyone who can reach the server may become its admin.`,
  options: { pictures: { type: 'string' }, minutes: { type: 'string' } },
  async run({ args, options, print }) {
    namedArguments(args)
    const images = wholeNumber('pictures', options['pictures'], defaultImages)
    const minutes = wholeNumber('minutes', options['minutes'], defaultMinutes)
    const stopping = new AbortController()
    const stop = () => stopping.abort()
    process.once('SIGINT', stop).once('SIGTERM', stop)
    print('Drawing the sample pictures …')
    const root = await mkdtemp(join(tmpdir(), 'image-host-demo-'))
    try {
      let next = await prepare(root, { images, print, signal: stopping.signal })
      while (!stopping.signal.aborted) {
        const current = next
        const app = await start(current)
        try {
          printLinks(app, print)
          const resetMs = minutes * 60_000
          await sleep(resetMs > 0 ? resetMs : 2 ** 31 - 1, undefined, { signal: stopping.signal }).catch(() => {})
          // While the server runs, which is then replaced within a second.
          if (!stopping.signal.aborted) next = await prepare(root, { images, print, signal: stopping.signal })
        } finally {
          await app.stop()
          await rm(current.DATA_DIR, { recursive: true, force: true })
        }
      }
    } catch (error) {
      if (error !== stopping.signal.reason) throw error
    } finally {
      await rm(root, { recursive: true, force: true })
    }
  },
}

/** Fills a new folder in `root`. @returns the settings of a server on it */
async function prepare(
  root: string,
  { images, print, signal }: { images: number; print: Task['print']; signal: AbortSignal },
): Promise<Config> {
  const used = Object.entries(process.env).filter(([name]) => usedSettings.includes(name))
  const folder = await mkdtemp(join(root, 'data-'))
  const config = readConfig({
    SITE_NAME: 'Image Host demo',
    LOG_LEVEL: 'warn',
    MAX_STORAGE_BYTES: String(2 * 1024 ** 3),
    ...Object.fromEntries(used),
    // Every visitor may be the admin: none sees what belongs to another.
    LOG_ADDRESSES: 'hash',
    REGISTRATION: 'closed',
    DB_VIEW_ROLE: 'admin',
    DATA_DIR: folder,
  })
  const deps = await openDeps(config, { log: pino(loggerOptions('warn'), process.stderr) })
  try {
    await seed(deps, { count: images, print: () => {}, printWait: print, signal })
  } finally {
    await closeDeps(deps)
  }
  return config
}

/** Loads the server only here: the other commands need none of it, and start in two thirds of the time. */
async function start(config: Config): Promise<App> {
  const { startApp } = await import('../app.ts')
  const { bindDemoLogin } = await import('../http/pages/demo-login.ts')
  return startApp(config, {
    log: pino(loggerOptions(config.LOG_LEVEL)),
    bind: (server, deps) => bindDemoLogin(server, deps, accounts),
  })
}

function printLinks({ url, deps, newPin }: App, print: Task['print']): void {
  const base = deps.config.PUBLIC_URL ?? url
  print(`As admin  ${base}/demo/admin${newPin === null ? '' : `   (PIN of the database browser: ${newPin})`}`)
  print(`As user   ${base}/demo/user`)
  print(`As guest  ${base}/`)
}

/** @throws {UsageError} */
function wholeNumber(name: string, given: unknown, byDefault: number): number {
  if (given === undefined) return byDefault
  if (typeof given === 'string' && /^\d{1,4}$/.test(given)) return Number(given)
  throw new UsageError(`--${name} must be a whole number from 0 to 9999`)
}
