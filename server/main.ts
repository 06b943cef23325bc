// Starts the product, prints its address, and stops it cleanly.
import { writeSync } from 'node:fs'
import type { FastifyBaseLogger } from 'fastify'
import { startApp } from './app.ts'
import { commandPrefix } from './command-prefix.ts'
import { type Config, readConfig } from './config.ts'
import { limitHeapGrowth } from './heap-growth.ts'
import { openLog } from './logger.ts'
import { ownLostErrors } from './lost-errors.ts'
import { describeStartFailure } from './start-failure.ts'
import { outdatedNode } from './versions.ts'

// Created files are readable by their owner only, even in a folder with wider permissions.
process.umask(0o077)
limitHeapGrowth()

let config: Config | undefined
try {
  config = readConfig(process.env)
  const log = openLog(config.LOG_LEVEL)
  const outdated = outdatedNode()
  if (outdated !== undefined) log.warn(`${outdated}: install Node.js 24 or 22`)
  ownLostErrors(log)
  const starting = startApp(config, { log })

  let isStopping = false
  const stop = (signal: NodeJS.Signals) => {
    // A second signal exits immediately.
    if (isStopping) process.exit(1)
    isStopping = true
    log.info({ signal }, 'Stopping after the requests in flight have finished')
    // Waits for the start to complete: it serves requests before its promise resolves.
    const stopping = starting.then((app) => app.stop())
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
  print(greeting(config, await starting), log)
} catch (error) {
  process.stderr.write(`\nImage Host did not start.\n${describeStartFailure(error, config)}\n`)
  process.exit(1)
}

/** Not through the stream of the process: its error, of a full disk, would end the server. */
function print(text: string, log: FastifyBaseLogger): void {
  try {
    writeSync(process.stdout.fd, text)
  } catch (error) {
    log.warn({ err: error }, 'The address of the server could not be printed')
  }
}

function greeting(
  config: Config,
  { url, newPin, hasAdmin }: { url: string; newPin: string | null; hasAdmin: boolean },
): string {
  const pin = newPin === null ? '' : `  Database PIN   ${newPin}   (shown only once: write it down)\n`
  const admin = hasAdmin
    ? ''
    : `  No admin yet   register on the page, then run: ${commandPrefix}promote you@example.com\n` +
      '                 (or set ADMIN_EMAIL and ADMIN_PASSWORD before the start)\n'
  return `\n  ${config.SITE_NAME} is at  ${config.PUBLIC_URL ?? url}\n  Data           ${config.DATA_DIR}\n${pin}${admin}\n`
}
