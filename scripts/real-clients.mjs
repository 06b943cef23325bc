// npm run test:clients: uploads with other projects' clients, unchanged, to the built product, and prints a table. Installs the
// clients of npm into a temporary folder; needs a registry. Those of Debian run where they are installed:
// apt-get install --no-install-recommends ksnip flameshot xvfb xdotool xclip dbus
import './node-version.mjs'
import { fileURLToPath } from 'node:url'
import { buildWhenNeeded } from './build.mjs'
import { install } from './install.mjs'
import { modulesOf } from './modules.mjs'
import { seconds } from './run.mjs'

await install({ dev: true })
await buildWhenNeeded()
const modules = await modulesOf(fileURLToPath(new URL('../e2e', import.meta.url)))
const { runClients } = /** @type {typeof import('../e2e/clients/runs.ts')} */ (await modules.load('clients/runs.ts'))

const start = performance.now()
let failed = 0
console.log('| Client | API | Link | Deleted |\n|---|---|---|---|')
for await (const { client, api, outcome } of runClients()) {
  const cells =
    'failure' in outcome
      ? ['FAILED', '']
      : 'missing' in outcome
        ? [`not run: ${outcome.missing} is not installed`, '']
        : [outcome.link, outcome.deleted]
  console.log(`| ${[client, api, ...cells].join(' | ')} |`)
  if (!('failure' in outcome)) continue
  failed++
  console.error(outcome.failure)
}
await modules.close()
console.log(
  `\nTook ${seconds(start)}. ${failed === 0 ? 'Every client that ran got a working link.' : `${failed} failed.`}`,
)
process.exit(failed === 0 ? 0 : 1)
