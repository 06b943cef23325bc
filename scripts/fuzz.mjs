// npm run fuzz: sends mutated uploads and malformed requests to the built product. --seed N repeats a run, --uploads N and
// --requests N set the counts. Failing inputs are minimized and stored in fuzz/regressions, which the tests replay.
import './node-version.mjs'
import { randomInt } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { runnerImport } from 'vite'
import { buildWhenNeeded } from './build.mjs'
import { install } from './install.mjs'
import { seconds } from './run.mjs'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    uploads: { type: 'string', default: '100000' },
    requests: { type: 'string', default: '10000' },
  },
})
const [seed = NaN, uploads = NaN, requests = NaN] = [values.seed, values.uploads, values.requests].map(Number)
if (![seed, uploads, requests].every(Number.isSafeInteger)) {
  console.error('--seed, --uploads and --requests must be integers')
  process.exit(2)
}

await install({ dev: true })
await buildWhenNeeded()
const folder = fileURLToPath(new URL('../fuzz', import.meta.url))
const { module } = await runnerImport(`${folder}/fuzz.ts`, { configFile: false, root: folder })
const { fuzz } = /** @type {typeof import('../fuzz/fuzz.ts')} */ (module)
console.log(`Seed ${seed}: ${uploads} uploads, ${requests} requests`)
const start = performance.now()
const findings = await fuzz({ seed, uploads, requests, form: 'full' })
console.log('| figure | found | goal | |\n|---|---|---|---|')
for (const { what, found, goal = '', holds } of findings)
  console.log(`| ${what} | ${found} | ${goal} | ${holds ? 'ok' : 'MISSED'} |`)
const missed = findings.filter(({ holds }) => !holds).length
console.log(`Took ${seconds(start)}`)
console.log(missed === 0 ? '\nAll figures reach their goals.' : `\n${missed} figures missed their goal.`)
process.exit(missed === 0 ? 0 : 1)
