// npm test: installs and builds when needed, then runs the checks, the unit tests and the browser journeys.
// `npm test -- all` adds what scripts/test-selection.ts leaves out of a short run; `npm test -- quick` runs the checks, the
// fast unit tests and two journeys. `npm test -- check unit` runs only those kinds. Any other word narrows the unit tests and
// journeys to files with it in their path, and runs these in full.
import './node-version.mjs'
import { mkdtemp, readFile, rm, statfs } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildWhenNeeded } from './build.mjs'
import { checks } from './check.mjs'
import { budgetOf } from './cpu-budget.mjs'
import { install } from './install.mjs'
import { run, seconds, tool } from './run.mjs'
import { printStep, runSteps } from './steps.mjs'

const kinds = ['check', 'unit', 'e2e']
const scopes = ['quick', 'all']
const words = process.argv.slice(2)
const paths = words.filter((word) => !scopes.includes(word) && !kinds.includes(word))
const scope = scopes.find((word) => words.includes(word)) ?? (paths.length > 0 ? 'all' : 'short')
const selectedKinds = words.filter((word) => kinds.includes(word))
const isSelected = (/** @type {string} */ kind) =>
  selectedKinds.length > 0 ? selectedKinds.includes(kind) : kind !== 'check' || paths.length === 0
/** The journeys of `quick`: a guest's visit by keyboard alone, and the landing page. */
const quickJourneys = ['keyboard.spec', 'landing.spec']

const start = performance.now()
const tmpdirInMemory = await findTmpdirInMemory()
if (tmpdirInMemory !== undefined) process.env.TMPDIR = tmpdirInMemory
process.env.TEST_SCOPE = scope
const reports = await mkdtemp(join(tmpdir(), 'image-host-test-'))
const count = { passed: 0, failed: 0 }
/** @type {string[]} */
const flaky = []
/** @type {import('./test-report.ts').TestReport['files']} */
const files = []
try {
  await install({ dev: true })
  await runSelected()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  count.failed += 1
} finally {
  await rm(reports, { recursive: true, force: true })
}
printSlowest()
console.log(`\nTook ${seconds(start)}`)
if (scope === 'short') console.log('A short run: `npm test -- all` also runs what scripts/test-selection.ts lists.')
if (flaky.length > 0) console.log(`\n${flaky.length} FLAKY, passed at the second attempt:\n  ${flaky.join('\n  ')}\n`)
if (count.passed === 0) count.failed ||= 1
console.log(`${count.passed} passed, ${count.failed} failed`)
process.exit(count.failed === 0 ? 0 : 1)

/**
 * Every test has files and databases of its own. In memory they cost no fsync and less CPU time: tests on PostgreSQL took
 * 27 s of CPU instead of 36. The whole run needs less than 1 GB at a time.
 */
async function findTmpdirInMemory() {
  const shm = '/dev/shm'
  const found = await statfs(shm).catch(() => undefined)
  return found !== undefined && found.bavail * found.bsize >= 4 * 2 ** 30 ? shm : undefined
}

/**
 * Keeps two cores busy: what runs the product starts as soon as it is built, beside the checks, which run one after the other.
 * A worker waits for other processes half of the time, which is why there are more of them than cores.
 */
async function runSelected() {
  const checked = isSelected('check') ? runChecks() : undefined
  await buildWhenNeeded()
  await Promise.all([
    checked,
    isSelected('unit') ? runUnitTests() : undefined,
    isSelected('e2e') ? runJourneys() : undefined,
  ])
}

async function runChecks() {
  const failed = await runSteps(checks)
  count.failed += failed.length
  count.passed += checks.length - failed.length
}

function runUnitTests() {
  const reporters = ['--reporter=default', '--reporter=./scripts/unit-report.ts']
  const args = ['run', ...reporters, ...allowNoTests('--passWithNoTests'), ...paths]
  return runRunner('unit tests', [tool('vitest/vitest.mjs'), ...args])
}

/** With half as many workers as the unit tests beside them have: those take longer all the same. */
function runJourneys() {
  const names = scope === 'quick' && paths.length === 0 ? quickJourneys : paths
  const workers = isSelected('unit') ? [`--workers=${Math.max(2, Math.floor(availableParallelism() / 2))}`] : []
  const args = [
    'test',
    '--reporter=list,./scripts/journey-report.ts',
    ...workers,
    ...allowNoTests('--pass-with-no-tests'),
  ]
  return runRunner('journeys', [tool('@playwright/test/cli.js'), ...args, ...names])
}

/** @param {string} name @param {string[]} args */
async function runRunner(name, args) {
  const began = performance.now()
  const path = join(reports, `${name}.json`)
  const { ok } = await run('node', args, { prefix: `${name}: `, env: { TEST_REPORT: path } })
  // A test may load software that exits the process with 0: then there is no report.
  const text = await readFile(path, 'utf8').catch(() => undefined)
  /** @type {import('./test-report.ts').TestReport} */
  const report = text === undefined ? { passed: 0, failed: 0, flaky: [], files: [] } : JSON.parse(text)
  const hasSucceeded = ok && text !== undefined && report.failed === 0
  printStep(name, hasSucceeded, began)
  count.passed += report.passed
  // A runner that fails without a failed test (a crash, a file that does not load) counts as one failure.
  count.failed += hasSucceeded ? 0 : Math.max(report.failed, 1)
  flaky.push(...report.flaky)
  files.push(...report.files)
}

/** A path may match journeys only or unit tests only. Without a path an empty run is a failure, as of a broken setup. */
function allowNoTests(/** @type {string} */ option) {
  return paths.length > 0 ? [option] : []
}

/** Prints the twenty files that took the most CPU time. One above its budget is a failure. */
function printSlowest() {
  const slowest = files.filter((file) => file.cpuSeconds > 0).toSorted((a, b) => b.cpuSeconds - a.cpuSeconds)
  if (slowest.length === 0) return
  const all = slowest.reduce((sum, file) => sum + file.cpuSeconds, 0)
  console.log(`\nCPU seconds of the slowest files, of ${Math.round(all)} of all ${slowest.length}`)
  for (const file of slowest.slice(0, 20)) console.log(`${file.cpuSeconds.toFixed(1).padStart(7)}  ${file.path}`)
  for (const { path, cpuSeconds: used } of slowest) {
    if (used <= budgetOf(path)) continue
    console.log(` FAIL  ${path} took ${used.toFixed(1)} s of CPU, more than its budget: ${budgetOf(path)} s`)
    count.failed += 1
  }
}
