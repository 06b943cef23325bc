// Starts the product, says where it is, and stops it cleanly.
import { setTimeout as sleep } from 'node:timers/promises'
import { type App, startApp } from './app.ts'
import { commandPrefix } from './command-prefix.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { DatabaseTooNew, MigrationFailed } from './db/migrate.ts'
import { UpgradeRefused } from './domain/backups/upgrade-database.ts'
import { limitHeapGrowth } from './heap-growth.ts'
import { openLog } from './logger.ts'
import { ownLostErrors } from './lost-errors.ts'
import { findUnknownSettings } from './unknown-settings.ts'
import { describeStartFailure } from './start-failure.ts'
import { outdatedNode } from './versions.ts'

// Created files are readable by their owner only, even in a folder with wider permissions.
process.umask(0o077)
limitHeapGrowth()

/** By a signal that nothing can hold up: an exit waits for system calls that never return. */
const endNow = () => {
  process.kill(process.pid, 'SIGKILL')
  process.abort() // the first process of a container survives its own SIGKILL
}
/** Until the last line of the log is written. */
const logMs = 200

/** Requests in flight have 8 s (app.ts), decoders and connections the rest. Service managers kill after 20 s. */
const stopWithinMs = 14_000

/** EX_CONFIG of sysexits.h: a service manager need not try again. */
const needsOperator = 78
const operatorErrors = [ConfigError, DatabaseTooNew, MigrationFailed, UpgradeRefused]

/** A start that still waits for DATA_DIR must not upgrade the database after a signal. */
const cancelling = new AbortController()

let config: Config | undefined
try {
  config = readConfig(process.env)
  const log = openLog(config.LOG_LEVEL)
  const outdated = outdatedNode()
  if (outdated !== undefined) log.warn(`${outdated}: install Node.js 24 or 22`)
  ownLostErrors(log)
  const drainMs = config.DRAIN_SECONDS * 1000
  for (const { name, text } of findUnknownSettings(process.env)) log.warn({ setting: name }, text)
  const starting = startApp(config, { log, signal: cancelling.signal })

  let isStarted = false
  let isStopping = false
  const stop = (signal: NodeJS.Signals) => {
    // A second signal ends it at once.
    if (isStopping) return endNow()
    isStopping = true
    // Load balancers send requests until they have asked /readyz again. Nobody at a terminal waits for that.
    const drainedMs = isStarted && signal === 'SIGTERM' ? drainMs : 0
    log.info({ signal, drainedMs }, 'Stopping after the requests in flight have finished')
    setTimeout(() => {
      log.error({}, 'The server did not stop in time, and was ended')
      setTimeout(endNow, logMs)
    }, drainedMs + stopWithinMs).unref()
    cancelling.abort()
    // A start that has DATA_DIR completes first: it serves requests before its promise resolves.
    const stopping = starting.then((app) => app.stop(sleep(drainedMs)))
    stopping.then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'Stopping failed')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  const app = await starting
  isStarted = true
  if (process.stderr.isTTY) process.stderr.write(greeting(config, app))
  else logGreeting(config, app)
} catch (error) {
  if (error === cancelling.signal.reason) process.exit(0)
  process.stderr.write(`\nImage Host did not start.\n${describeStartFailure(error, config)}\n${misspelt(config)}`)
  process.exit(operatorErrors.some((kind) => error instanceof kind) ? needsOperator : 1)
}

/** A misspelt name may be why another setting is missing. With valid settings, the log has said so. */
function misspelt(config: Config | undefined): string {
  return config === undefined
    ? findUnknownSettings(process.env)
        .map(({ text }) => `${text}\n`)
        .join('')
    : ''
}

/** For a person at a terminal. Only there is the PIN: a log is kept. */
function greeting(config: Config, { url, newPin, hasAdmin }: App): string {
  const pin = newPin === null ? '' : `  Database PIN   ${newPin}   (shown only once: write it down)\n`
  const admin = hasAdmin
    ? ''
    : `  No admin yet   register on the page, then run: ${commandPrefix}promote you@example.com\n` +
      '                 (or set ADMIN_EMAIL and ADMIN_PASSWORD before the start)\n'
  return `\n  ${config.SITE_NAME} is at  ${config.PUBLIC_URL ?? url}\n  Data           ${config.DATA_DIR}\n${pin}${admin}\n`
}

function logGreeting({ SITE_NAME, PUBLIC_URL, DATA_DIR }: Config, { deps: { log }, url, newPin, hasAdmin }: App): void {
  log.info({ dataDir: DATA_DIR }, `${SITE_NAME} is at ${PUBLIC_URL ?? url}`)
  if (newPin !== null) log.info({}, `For a PIN of the database browser, run: ${commandPrefix}reset-pin`)
  if (!hasAdmin) log.info({}, `No admin yet: register on the page, then run: ${commandPrefix}promote you@example.com`)
}
