// Opens the ports, builds the deps, starts HTTP and jobs. Only this file names a concrete backend.
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { openDiskStore } from './blobs/disk.ts'
import { openVariantCache } from './blobs/variant-cache.ts'
import type { Config } from './config.ts'
import { migrate } from './db/migrate.ts'
import { openPostgres } from './db/postgres.ts'
import { openSqlite } from './db/sqlite.ts'
import { ensureAdmin } from './domain/accounts/admins.ts'
import { ensurePin } from './domain/database/pin.ts'
import type { Deps } from './domain/deps.ts'
import { sweepOrphans } from './domain/images/sweep.ts'
import { buildServer } from './http/server.ts'
import { openImaging } from './imaging/imaging.ts'
import { startJobs } from './jobs.ts'
import { loadJwtSecret } from './jwt-secret.ts'

export interface App {
  deps: Deps
  server: FastifyInstance
  /** Where it listens. */
  url: string
  /** The database view's PIN when it was made at this start, to be shown once. */
  newPin: string | null
  hasAdmin: boolean
  /** Lets the requests in flight finish, then closes everything. */
  stop(): Promise<void>
}

export interface AppOptions {
  log: FastifyBaseLogger
  /** The clock; tests move it. Default: the machine's. */
  now?: () => number
  /** The compiled decoder, where this file itself is not compiled. */
  decoderEntry?: URL
  /** The folder of the built page. Default: beside the compiled server. */
  webDir?: string
  /** Jobs by the clock. Default true. */
  jobs?: boolean
}

/** Everything but HTTP and jobs: what the operator's commands work on. */
export async function openDeps(config: Config, { log, now = Date.now, decoderEntry }: AppOptions): Promise<Deps> {
  const inData = (name: string) => join(config.DATA_DIR, name)
  await mkdir(config.DATA_DIR, { recursive: true, mode: 0o700 })
  const db =
    config.DATABASE_URL === undefined
      ? await openSqlite(inData('image-host.sqlite'))
      : await openPostgres(config.DATABASE_URL, (error) => log.warn({ err: error }, 'A database connection broke'))
  await migrate(db)
  return {
    config,
    db,
    blobs: await openDiskStore(inData('originals')),
    variants: await openVariantCache(inData('variants'), config.CACHE_MAX_BYTES, (error) =>
      log.warn({ err: error }, 'A variant could not be deleted'),
    ),
    imaging: openImaging({
      ...(decoderEntry ? { decoderEntry } : {}),
      log: (event) => log.info(event, 'imaging'),
    }),
    now,
    randomBytes,
    log,
    tempDir: inData('tmp'),
    jwtSecret: await loadJwtSecret(config),
  }
}

export async function closeDeps(deps: Deps): Promise<void> {
  await deps.imaging.close()
  await deps.db.destroy()
}

/** @throws when a port cannot be opened or the address is taken; nothing is left running then */
export async function startApp(config: Config, options: AppOptions): Promise<App> {
  const deps = await openDeps(config, options)
  try {
    await emptyFolder(deps.tempDir)
    const newPin = await ensurePin(deps)
    const hasAdmin = await ensureAdmin(deps)
    const webDir = options.webDir ?? fileURLToPath(new URL('../web', import.meta.url))
    const server = await buildServer(deps, options.log, webDir)
    const url = await server.listen({ host: config.HOST, port: config.PORT })
    const swept = sweepAfterCrash(deps)
    const stopJobs = options.jobs === false ? async () => {} : startJobs(deps)
    const stop = async () => {
      await server.close()
      await stopJobs()
      await swept
      await closeDeps(deps)
    }
    return { deps, server, url, newPin, hasAdmin, stop }
  } catch (error) {
    await closeDeps(deps)
    throw error
  }
}

/** What a crash left: uploads that never finished have their files in the temporary folder. */
async function emptyFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true })
}

/** One process owns an SQLite data folder, so bytes from before this start and without a row are a crash's. */
async function sweepAfterCrash(deps: Deps): Promise<void> {
  try {
    const found = await sweepOrphans(deps, deps.now())
    if (found.blobs + found.variants > 0) deps.log.info(found, 'Removed what an unfinished upload or deletion had left')
  } catch (error) {
    // The nightly sweep tries again; serving does not depend on it.
    deps.log.error({ err: error }, 'The sweep after the start failed')
  }
}
