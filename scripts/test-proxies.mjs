// npm run test:proxies: starts each proxy that is installed with its file of deploy/proxy in front of the built product, and
// checks it. `npm run test:proxies -- nginx` runs one. Debian: apt-get install --no-install-recommends apache2 caddy nginx-light
import './node-version.mjs'
import { fileURLToPath } from 'node:url'
import { buildWhenNeeded } from './build.mjs'
import { install } from './install.mjs'
import { modulesOf } from './modules.mjs'
import { seconds } from './run.mjs'

await install({ dev: true })
await buildWhenNeeded()
const modules = await modulesOf(fileURLToPath(new URL('../e2e', import.meta.url)))
const { runProxies } = /** @type {typeof import('../e2e/proxies/runs.ts')} */ (await modules.load('proxies/runs.ts'))

const start = performance.now()
const count = { passed: 0, failed: 0 }
for await (const { proxy, check, failure, isSkipped } of runProxies(process.argv[2])) {
  console.log(`${isSkipped ? ' skip ' : failure === undefined ? '  ok  ' : ' FAIL '} ${proxy.padEnd(8)} ${check}`)
  if (isSkipped) continue
  if (failure !== undefined) console.log(`         ${failure}`)
  count[failure === undefined ? 'passed' : 'failed']++
}
await modules.close()
console.log(`\nTook ${seconds(start)}\n${count.passed} passed, ${count.failed} failed`)
process.exit(count.failed === 0 && count.passed > 0 ? 0 : 1)
