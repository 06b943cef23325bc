// Starts the product, says where it is, and stops it cleanly.
import { pino } from 'pino'
import { startApp } from './app.ts'
import { ConfigError, readConfig } from './config.ts'
import { DatabaseDamaged } from './db/damaged.ts'
import { DatabaseTooNew } from './db/migrate.ts'
import { DataDirInUse } from './db/owner-lock.ts'
import { loggerOptions } from './logger.ts'

try {
  const config = readConfig(process.env)
  const log = pino(loggerOptions(config.LOG_LEVEL))
  const app = await startApp(config, { log })
  process.stdout.write(greeting(config, app))

  let isStopping = false
  const stop = (signal: NodeJS.Signals) => {
    // A second signal means now.
    if (isStopping) process.exit(1)
    isStopping = true
    log.info({ signal }, 'Stopping: requests in flight finish first')
    app.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'The stop was not clean')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
} catch (error) {
  process.stderr.write(`\nImage Host did not start.\n${explain(error)}\n`)
  process.exit(1)
}

function greeting(
  config: ReturnType<typeof readConfig>,
  { url, newPin, hasAdmin }: { url: string; newPin: string | null; hasAdmin: boolean },
): string {
  const pin = newPin === null ? '' : `  Database PIN   ${newPin}   (shown only now: write it down)\n`
  const admin = hasAdmin
    ? ''
    : '  No admin yet   register on the page, then run: npm run cli -- promote you@example.com\n' +
      '                 (or set ADMIN_EMAIL and ADMIN_PASSWORD before the start)\n'
  return `\n  ${config.SITE_NAME} is at  ${config.PUBLIC_URL ?? url}\n  Data           ${config.DATA_DIR}\n${pin}${admin}\n`
}

function explain(error: unknown): string {
  if (error instanceof ConfigError) return `These settings are wrong:\n${error.message}`
  if (error instanceof DatabaseTooNew) return `${error.message}.`
  if (error instanceof DataDirInUse || error instanceof DatabaseDamaged) return `${error.message}.`
  const { code, message, stack } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') return `${message}. Set PORT to a free port.`
  return stack ?? String(error)
}
