// npm test: installs and builds when needed, then runs everything: checks, Vitest, browser journeys.
// `npm test -- check unit` runs only those; any other word narrows the unit tests and journeys to files with it in their path.
import './node-version.mjs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildWhenNeeded } from './build.mjs'
import { checks } from './check.mjs'
import { install } from './install.mjs'
import { seconds, tool } from './run.mjs'
import { runSteps } from './steps.mjs'

const kinds = ['check', 'unit', 'e2e']
const words = process.argv.slice(2)
const paths = words.filter((word) => !kinds.includes(word))
const asked = words.filter((word) => kinds.includes(word))
const wants = (/** @type {string} */ kind) =>
  asked.length > 0 ? asked.includes(kind) : kind !== 'check' || paths.length === 0

const start = performance.now()
const reports = await mkdtemp(join(tmpdir(), 'image-host-test-'))
const count = { passed: 0, failed: 0 }
/** @type {string[]} */
const unsteady = []
try {
  await install({ dev: true })
  await buildWhenNeeded()
  if (wants('check')) await runChecks()
  if (wants('unit')) await runUnitTests()
  if (wants('e2e')) await runJourneys()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  count.failed += 1
} finally {
  await rm(reports, { recursive: true, force: true })
}
console.log(`\nTook ${seconds(start)}`)
if (unsteady.length > 0)
  console.log(`\n${unsteady.length} FLAKY, passed at the second try:\n  ${unsteady.join('\n  ')}\n`)
if (count.passed === 0) count.failed ||= 1
console.log(`${count.passed} passed, ${count.failed} failed`)
process.exit(count.failed === 0 ? 0 : 1)

async function runChecks() {
  const failed = await runSteps(checks)
  count.failed += failed.length
  count.passed += checks.length - failed.length
}

async function runUnitTests() {
  const report = join(reports, 'vitest.json')
  const failed = await runSteps([
    {
      name: 'unit tests',
      loud: true,
      args: [
        tool('vitest/vitest.mjs'),
        'run',
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${report}`,
        ...noneIsFine('--passWithNoTests'),
        ...paths,
      ],
      // A test may bring software that ends the process by itself, with 0. The report is written before that.
      judge: async () => (await read(report)).success === true,
    },
  ])
  const { numPassedTests = 0, numFailedTests = 0 } = await read(report)
  add(numPassedTests, numFailedTests, failed.length > 0)
}

async function runJourneys() {
  const report = join(reports, 'playwright.json')
  const args = [
    tool('@playwright/test/cli.js'),
    'test',
    '--reporter=list,json',
    ...noneIsFine('--pass-with-no-tests'),
    ...paths,
  ]
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: report }
  const failed = await runSteps([{ name: 'journeys', loud: true, args, env }])
  const { stats, suites = [] } = await read(report)
  const { expected = 0, flaky = 0, unexpected = 0 } = stats ?? {}
  add(expected + flaky, unexpected, failed.length > 0)
  // One that passed at its second try does not fail the run: mostly the machine was busy. By its name it can be followed up.
  unsteady.push(...suites.flatMap((/** @type {any} */ suite) => flakyIn(suite)))
}

/** @returns {string[]} */
function flakyIn(/** @type {any} */ { specs = [], suites = [] }) {
  const own = specs
    .filter((/** @type {any} */ { tests }) => tests.some((/** @type {any} */ { status }) => status === 'flaky'))
    .map((/** @type {any} */ { file, line, title }) => `${file}:${line} ${title}`)
  return [...own, ...suites.flatMap(flakyIn)]
}

/** A word may pick journeys alone or unit tests alone. Without one, no test at all is a failure: so a broken setup ends too. */
function noneIsFine(/** @type {string} */ option) {
  return paths.length > 0 ? [option] : []
}

/** A runner that ended badly without a failed test (a crash, a file that does not load) counts as one failure. */
function add(/** @type {number} */ passed, /** @type {number} */ failed, /** @type {boolean} */ endedBadly) {
  count.passed += passed
  count.failed += endedBadly ? Math.max(failed, 1) : failed
}

/** @returns {Promise<any>} a runner's JSON report, empty when it did not come to write one */
async function read(/** @type {string} */ path) {
  return JSON.parse(await readFile(path, 'utf8').catch(() => '{}'))
}
