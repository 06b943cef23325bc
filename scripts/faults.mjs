// npm run faults -- NAME …: injects faults into what the server depends on and prints the results. Without a name, all scenarios
// of faults/; with --short, the short form that `npm test` runs. Fails when a figure misses its goal.
import './node-version.mjs'
import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { buildWhenNeeded } from './build.mjs'
import { install } from './install.mjs'
import { modulesOf } from './modules.mjs'
import { seconds } from './run.mjs'

const folder = fileURLToPath(new URL('../faults', import.meta.url))
const names = (await readdir(folder)).filter((file) => file.endsWith('.fault.ts')).map((file) => file.slice(0, -9))
const words = process.argv.slice(2)
const form = words.includes('--short') ? 'short' : 'full'
const asked = words.filter((word) => word !== '--short')
const unknown = asked.filter((name) => !names.includes(name))
if (unknown.length > 0) {
  console.error(`There is no scenario ${unknown.join(', ')}. Scenarios: ${names.join(', ')}`)
  process.exit(2)
}

await install({ dev: true })
await buildWhenNeeded()
const modules = await modulesOf(folder)
const runs = await modules.load('runs.ts')
const { runScenario } = /** @type {typeof import('../faults/runs.ts')} */ (runs)
let missed = 0
for (const name of asked.length > 0 ? asked : names) {
  const module = await modules.load(`${name}.fault.ts`)
  const { scenario } = /** @type {{ scenario: import('../faults/scenario.ts').Scenario }} */ (module)
  console.log(`\n## ${scenario.id} ${name}: ${scenario.title} (${form})`)
  const start = performance.now()
  const outcome = await runScenario(scenario, form)
  if ('missingRequirement' in outcome) {
    console.log(`Skipped: ${outcome.missingRequirement}`)
    continue
  }
  const { findings } = outcome
  console.log('| figure | found | goal | |\n|---|---|---|---|')
  for (const { what, found, goal = '', holds } of findings)
    console.log(`| ${what} | ${found} | ${goal} | ${holds ? 'ok' : 'MISSED'} |`)
  missed += findings.filter(({ holds }) => !holds).length
  console.log(`Took ${seconds(start)}`)
}
await modules.close()
console.log(missed === 0 ? '\nAll figures reach their goals.' : `\n${missed} figures missed their goal.`)
process.exit(missed === 0 ? 0 : 1)
