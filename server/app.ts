// The server from its start to its stop: takes the data folder, opens the ports, tidies up after a crash, starts HTTP and jobs.
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { nullWhenMissing } from './blobs/durable.ts'
import type { Config } from './config.ts'
import { lockDataDir } from './db/data-dir-lock.ts'
import { ensureAdmin } from './domain/accounts/admins.ts'
import { ensurePin } from './domain/database/database-pin.ts'
import { failInterruptedBackups } from './domain/database/backup-run.ts'
import { backupWorkPrefix } from './domain/database/write-archive.ts'
import type { Deps } from './domain/deps.ts'
import { sweepOrphans } from './domain/images/sweep.ts'
import { listen } from './http/http-server.ts'
import { buildServer } from './http/server.ts'
import { startJobs } from './jobs.ts'
import { closeDeps, type DepsOptions, openDeps } from './open-deps.ts'

const backupMayTakeMs = 24 * 60 * 60 * 1000

export interface App {
  deps: Deps
  server: FastifyInstance
  /** Where it listens. */
  url: string
  /** The database view's PIN when it was made at this start, to be shown once. */
  newPin: string | null
  hasAdmin: boolean
  /** Resolves when what a crash left has been removed, beside the first requests. Never rejects. */
  tidied: Promise<void>
  /** Lets the requests in flight finish, then closes everything. */
  stop(): Promise<void>
}

export interface AppOptions extends DepsOptions {
  log: FastifyBaseLogger
  /** The folder of the built page. Default: beside the compiled server. */
  webDir?: string
  /** Jobs by the clock. Default true. */
  jobs?: boolean
  /** Decoder processes ahead of the first picture: half a second of a processor for whoever never sees one. Default true. */
  warm?: boolean
  /** Puts something between the house and its ports, before anything uses them: for the fault harness. */
  wrap?: (deps: Deps) => Promise<Deps>
}

/** @throws when DATA_DIR is another's, a library is too old, a port cannot be opened or the address is taken; nothing is left running then */
export async function startApp(config: Config, options: AppOptions): Promise<App> {
  // Before anything is tidied up: what looks like a crash's may be the work of a server that runs.
  const unlockDataDir = await lockDataDir(config.DATA_DIR)
  try {
    return await startLocked(config, options, unlockDataDir)
  } catch (error) {
    unlockDataDir()
    throw error
  }
}

async function startLocked(config: Config, options: AppOptions, unlockDataDir: () => void): Promise<App> {
  let deps = await openDeps(config, options)
  let server: FastifyInstance | undefined
  try {
    if (options.wrap) deps = await options.wrap(deps)
    await emptyTempDir(deps)
    await failInterruptedBackups(deps)
    const hasAdmin = await ensureAdmin(deps)
    const webDir = options.webDir ?? fileURLToPath(new URL('../web', import.meta.url))
    server = await buildServer(deps, options.log, webDir)
    if (options.warm !== false) deps.imaging.warm()
    const startedAt = deps.now()
    const url = await listen(server, config)
    // Made last: a PIN is shown once, by the start that made it, and that start must not fail any more.
    const newPin = await ensurePin(deps)
    return { deps, server, url, newPin, hasAdmin, ...run(deps, server, { ...options, startedAt }, unlockDataDir) }
  } catch (error) {
    await server?.close()
    await closeDeps(deps)
    throw error
  }
}

/** Less than the ten seconds after which service managers kill. */
const stopGraceMs = 8000

/** Requests in flight finish; whoever is silent or stalls after that long is cut off. */
async function closeWithin(server: FastifyInstance, graceMs: number): Promise<void> {
  const deadline = setTimeout(() => server.server.closeAllConnections(), graceMs)
  try {
    await server.close()
  } finally {
    clearTimeout(deadline)
  }
}

/** Starts what goes on beside the requests. */
function run(
  deps: Deps,
  server: FastifyInstance,
  { jobs, startedAt }: AppOptions & { startedAt: number },
  unlockDataDir: () => void,
): Pick<App, 'tidied' | 'stop'> {
  void deps.variants.learn()
  const tidied = sweepAfterCrash(deps, startedAt)
  const stopJobs = jobs === false ? async () => {} : startJobs(deps)
  const stop = async () => {
    try {
      await closeWithin(server, stopGraceMs)
      // A job may wait for work in the background, such as a backup: both are told at once.
      await Promise.all([stopJobs(), deps.background.stop()])
      await tidied
      await closeDeps(deps)
    } finally {
      unlockDataDir()
    }
  }
  return { tidied, stop }
}

/**
 * What a crash left: uploads that never finished have their files in the temporary folder. The work of a backup stays for a
 * day: a command may be taking it right now.
 */
async function emptyTempDir({ tempDir, now }: Deps): Promise<void> {
  await mkdir(tempDir, { recursive: true })
  for (const name of await readdir(tempDir)) {
    const path = join(tempDir, name)
    const found = name.startsWith(backupWorkPrefix) ? await stat(path).catch(nullWhenMissing) : null
    if (found && found.mtimeMs > now() - backupMayTakeMs) continue
    await rm(path, { recursive: true, force: true })
  }
}

/**
 * One process owns an SQLite data folder, so bytes from before this start and without a row are a crash's. Where servers share
 * a database or a bucket, such bytes may be another's upload under way, by a clock that is not ours: there the nightly sweep
 * waits an hour.
 * @param startedAt before the first request: an upload may be under way by now
 */
async function sweepAfterCrash(deps: Deps, startedAt: number): Promise<void> {
  if (deps.config.DATABASE_URL !== undefined || deps.config.S3_BUCKET !== undefined) return
  try {
    const found = await sweepOrphans(deps, startedAt)
    if (found.blobs + found.variants > 0) deps.log.info(found, 'Removed what an unfinished upload or deletion had left')
  } catch (error) {
    // The nightly sweep tries again; serving does not depend on it.
    deps.log.error({ err: error }, 'The sweep after the start failed')
  }
}
