// Starts and stops the app: data folder lock, ports, recovery from a crash, HTTP and jobs.
import { mkdir, statfs } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { type Config, settings } from './config.ts'
import { ensureAdmin } from './domain/accounts/operator-accounts.ts'
import { auditSettings } from './domain/audit/settings-changes.ts'
import { ensurePin } from './domain/database-view/database-pin.ts'
import { failInterruptedBackups } from './domain/backups/stalled-backups.ts'
import type { Deps } from './domain/shared/deps.ts'
import { isDiskFull, reservedBytes } from './domain/shared/disk-space.ts'
import { sweepOrphans } from './domain/images/deletion/sweep.ts'
import { installed } from './installation.ts'
import { listen } from './http/node-server.ts'
import { buildServer } from './http/build-server.ts'
import { type PageFiles, readPageFiles } from './http/pages/page-assets.ts'
import { DecoderUnavailable } from './imaging/pool/decoder-unavailable.ts'
import { startJobs } from './jobs.ts'
import { removeLeftovers } from './leftovers.ts'
import { closeDeps, type DepsOptions, openDeps } from './open-deps.ts'
import { takeDataDir } from './take-data-dir.ts'

export interface App {
  deps: Deps
  server: FastifyInstance
  /** The URL it listens on. */
  url: string
  /** The database browser's PIN when this start created it, to be shown once. */
  newPin: string | null
  hasAdmin: boolean
  /** Resolves when the startup sweep, which runs beside requests, has ended. Never rejects. */
  orphansSwept: Promise<void>
  /**
   * Waits for requests in flight, then closes everything. /readyz fails from the start on.
   * @param drained until it resolves, new requests are served as well
   */
  stop(drained?: Promise<unknown>): Promise<void>
}

export interface AppOptions extends DepsOptions {
  log: FastifyBaseLogger
  /** The files of the built page. Default: those beside the compiled server. */
  page?: PageFiles
  /** Whether scheduled jobs run. Default true. */
  jobs?: boolean
  /** Whether a decoder renders a sample, which starts the process for renders. Default true. */
  warm?: boolean
  /** Cancels the start while it waits for DATA_DIR: its reason is thrown, and nothing has been changed. */
  signal?: AbortSignal
  /** Adds routes. */
  bind?: (server: FastifyInstance, deps: Deps) => void
  /** Decorates the dependencies before they are used, for the fault harness. */
  wrap?: (deps: Deps) => Promise<Deps>
}

/** @throws when DATA_DIR or the address is in use or a library is too old; nothing runs then */
export async function startApp(config: Config, options: AppOptions): Promise<App> {
  // Locked before any cleanup: leftovers of a crash could be the files of a running server.
  const unlock = await takeDataDir(config, {
    port: config.PORT,
    onWait: (text) => options.log.info({}, text),
    signal: options.signal,
  })
  try {
    const app = await startLocked(config, options)
    return { ...app, stop: (drained) => app.stop(drained).finally(unlock) }
  } catch (error) {
    unlock()
    throw error
  }
}

async function startLocked(config: Config, options: AppOptions): Promise<App> {
  const interruptedBackups = await removeLeftovers(config, (options.now ?? Date.now)())
  let deps = await openDeps(config, { ...options, ownsDataDir: true })
  let server: FastifyInstance | undefined
  try {
    if (options.wrap) deps = await options.wrap(deps)
    await mkdir(deps.tempDir, { recursive: true })
    await warnWhenFull(deps)
    await deps.uploadRecords.load()
    await unlessFull(deps, failInterruptedBackups(deps, interruptedBackups))
    const hasAdmin = (await unlessFull(deps, ensureAdmin(deps))) ?? false
    await unlessFull(deps, auditSettings(deps, Object.keys(settings)))
    const page = options.page ?? (await readPageFiles(fileURLToPath(installed('dist/web'))))
    if (deps.warnings.has('open_database_view'))
      deps.log.warn({}, 'DB_VIEW_ROLE=any: anyone may register, and with the PIN read and delete collections')
    server = await buildServer(deps, options.log, page)
    options.bind?.(server, deps)
    const startedAt = deps.now()
    const url = await listen(server, config)
    if (options.warm !== false) {
      await tryDecoder(deps)
      void warnWithoutFont(deps)
    }
    // Created last, because the PIN is shown only by this start, which must not fail afterwards.
    const newPin = (await unlessFull(deps, ensurePin(deps))) ?? null
    deps.readiness.isReady = true
    return { deps, server, url, newPin, hasAdmin, ...run(deps, server, { ...options, startedAt }) }
  } catch (error) {
    await server?.close()
    await closeDeps(deps)
    throw error
  }
}

/** A full disk is no reason not to serve images: what a start could not write, the next one does. */
async function unlessFull<T>({ log }: Deps, writing: Promise<T>): Promise<T | undefined> {
  try {
    return await writing
  } catch (error) {
    if (!isDiskFull(error)) throw error
    log.warn({ err: error }, 'The disk is full: a step of the start was left out until the next one')
    return undefined
  }
}

async function warnWhenFull({ config: { DATA_DIR }, log }: Deps): Promise<void> {
  const disk = await statfs(DATA_DIR)
  const [freeBytes, neededBytes] = [disk.bavail * disk.bsize, reservedBytes(disk)]
  if (freeBytes < neededBytes)
    log.warn(
      { path: DATA_DIR, freeBytes, neededBytes },
      'The disk of DATA_DIR is full: images are served, uploads refused',
    )
}

/** Beside the first requests: a machine with many fonts takes a moment to find them. */
async function warnWithoutFont({ imaging, log }: Deps): Promise<void> {
  try {
    if (await imaging.drawsLetters()) return
    log.warn(
      {},
      'This server has no font: it draws lines instead of watermarks, and links with a new one are refused. Install a font, ' +
        'such as fonts-dejavu-core, and restart',
    )
  } catch (error) {
    // A link with a watermark finds it out.
    log.info({ err: error }, 'Whether there is a font could not be tried')
  }
}

/**
 * While requests are served already: the process takes 0.3 s to start.
 * @throws {DecoderUnavailable} it would refuse every upload
 */
async function tryDecoder({ imaging, log }: Deps): Promise<void> {
  try {
    await imaging.selfTest()
  } catch (error) {
    if (error instanceof DecoderUnavailable) throw error
    // A full disk, or a machine without memory: images that are stored are served.
    log.error({ err: error }, 'The decoder could not be tried')
  }
}

/** For requests in flight. With the drain and the rest of a stop it is less than service managers allow (main.ts). */
const stopGraceMs = 8000

/** Starts the work beside the requests. */
function run(
  deps: Deps,
  server: FastifyInstance,
  { jobs, startedAt }: AppOptions & { startedAt: number },
): Pick<App, 'orphansSwept' | 'stop'> {
  void deps.variants.loadEntries()
  const orphansSwept = sweepAfterCrash(deps, startedAt)
  const stopJobs = jobs === false ? async () => {} : startJobs(deps)
  const stop = async (drained?: Promise<unknown>) => {
    deps.readiness.isReady = false
    await drained
    const deadline = setTimeout(() => {
      server.server.closeAllConnections()
      // Its job waits for the response of a mail server up to 30 s.
      deps.mail?.close()
    }, stopGraceMs)
    await server.close()
    // A job may wait for background work, such as a backup, so both are stopped concurrently.
    await Promise.all([stopJobs(), deps.background.stop()]).finally(() => clearTimeout(deadline))
    await orphansSwept
    await closeDeps(deps)
  }
  return { orphansSwept, stop }
}

/**
 * One process owns an SQLite data folder, so bytes older than this start and without a row are
 * leftovers of a crash. When servers share a database or a bucket, such bytes may belong to another
 * server's running upload, by another clock: there the nightly sweep waits an hour.
 * @param startedAt before the first request
 */
async function sweepAfterCrash(deps: Deps, startedAt: number): Promise<void> {
  if (deps.config.DATABASE_URL !== undefined || deps.config.S3_BUCKET !== undefined) return
  try {
    const found = await sweepOrphans(deps, startedAt)
    if (found.blobs + found.variants > 0) deps.log.info(found, 'Removed files of interrupted uploads and deletions')
  } catch (error) {
    // The nightly sweep retries; serving does not depend on it.
    deps.log.error({ err: error }, 'The startup sweep failed')
  }
}
