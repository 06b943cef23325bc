// npm run bench -- NAME …: measures the built product and prints tables. Without a name, all benchmarks of bench/; with --short,
// a smoke run of seconds each. The full form fails when a goal is missed.
import './node-version.mjs'
import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { buildWhenNeeded } from './build.mjs'
import { install } from './install.mjs'
import { modulesOf } from './modules.mjs'
import { seconds } from './run.mjs'

const folder = fileURLToPath(new URL('../bench', import.meta.url))
const names = (await readdir(folder)).filter((file) => file.endsWith('.bench.ts')).map((file) => file.slice(0, -9))
const words = process.argv.slice(2)
const form = words.includes('--short') ? 'short' : 'full'
const asked = words.filter((word) => word !== '--short')
const unknown = asked.filter((name) => !names.includes(name))
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}. Benchmarks: ${names.join(', ')}`)
  process.exit(2)
}

// On Ctrl+C and `kill`, servers and folders of a benchmark are removed with this process (e2e/at-exit.ts).
process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(143))
await install({ dev: true })
await buildWhenNeeded()
const modules = await modulesOf(folder)
const runs = await modules.load('runs.ts')
const { runBenchmark, machine } = /** @type {typeof import('../bench/runs.ts')} */ (runs)
console.log(machine())
let missedGoals = 0
let notJudgedGoals = 0
let brokenParts = 0
for (const name of asked.length > 0 ? asked : names) {
  const module = await modules.load(`${name}.bench.ts`)
  const { benchmark } = /** @type {{ benchmark: import('../bench/benchmark.ts').Benchmark }} */ (module)
  console.log(`\n## ${name}: ${benchmark.title} (${form})`)
  const start = performance.now()
  const { text, isBroken, missed, notJudged } = await runBenchmark(benchmark, form)
  console.log(`${text}\n\nTook ${seconds(start)}`)
  // The short form is a smoke test: it has too few samples to judge.
  missedGoals += form === 'full' ? missed : 0
  notJudgedGoals += notJudged
  brokenParts += Number(isBroken)
}
await modules.close()
if (missedGoals > 0) console.log(`\nGoals missed: ${missedGoals}`)
if (notJudgedGoals > 0)
  console.log(`\nGoals not judged, because something is missing on this machine: ${notJudgedGoals}`)
if (brokenParts > 0) console.log(`\nParts that failed: ${brokenParts}`)
process.exit(missedGoals + brokenParts === 0 ? 0 : 1)
