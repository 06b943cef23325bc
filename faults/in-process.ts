// The product in this process, without its scheduled jobs: for clocks and backends of a scenario's own.
import { pino } from 'pino'
import { type App, startApp } from '../server/app.ts'
import { readConfig } from '../server/config.ts'
import { readPageFiles } from '../server/http/pages/page-assets.ts'

type Options = Parameters<typeof startApp>[1]

/** Without limits, as e2e/server.ts starts servers. */
const noLimits = { RATE_LIMIT: '0', RENDER_LIMIT: '0', GUEST_UPLOADS_PER_HOUR: '0', USER_UPLOADS_PER_HOUR: '0' }

export async function startInProcess(settings: Record<string, string>, options: Partial<Options>): Promise<App> {
  return startApp(readConfig({ PORT: '0', ...noLimits, ...settings }), {
    log: pino({ level: 'silent' }),
    decoderEntry: new URL('../dist/server/imaging/decoder/main.js', import.meta.url),
    page: await readPageFiles(new URL('../dist/web', import.meta.url).pathname),
    jobs: false,
    ...options,
  })
}
