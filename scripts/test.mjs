// npm test: installs and builds when needed, then runs everything: checks, Vitest, browser journeys.
// `npm test -- check unit` runs only those, `npm test -- quick` the checks, the fast unit tests and two journeys. Any
// other word narrows the unit tests and journeys to files with it in their path.
import './node-version.mjs'
import { mkdtemp, readFile, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildWhenNeeded } from './build.mjs'
import { checks } from './check.mjs'
import { install } from './install.mjs'
import { seconds, tool } from './run.mjs'
import { runSteps } from './steps.mjs'

const kinds = ['check', 'unit', 'e2e']
const words = process.argv.slice(2)
const isQuick = words.includes('quick')
const paths = words.filter((word) => word !== 'quick' && !kinds.includes(word))
const selectedKinds = words.filter((word) => kinds.includes(word))
const isSelected = (/** @type {string} */ kind) =>
  selectedKinds.length > 0 ? selectedKinds.includes(kind) : kind !== 'check' || paths.length === 0
/** The journeys of `quick`: a guest's visit by keyboard alone, and the landing page. */
const quickJourneys = ['keyboard.spec', 'landing.spec']

const start = performance.now()
const tmpdirInMemory = await findTmpdirInMemory()
if (tmpdirInMemory !== undefined) process.env.TMPDIR = tmpdirInMemory
const reports = await mkdtemp(join(tmpdir(), 'image-host-test-'))
const count = { passed: 0, failed: 0 }
/** @type {string[]} */
const flaky = []
try {
  await install({ dev: true })
  await buildWhenNeeded()
  if (isSelected('check')) await runChecks()
  if (isSelected('unit')) await runUnitTests()
  if (isSelected('e2e')) await runJourneys()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  count.failed += 1
} finally {
  await rm(reports, { recursive: true, force: true })
}
console.log(`\nTook ${seconds(start)}`)
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
        ...allowNoTests('--passWithNoTests'),
        ...paths,
      ],
      env: isQuick ? { QUICK_TESTS: '1' } : {},
      // A test may load software that exits the process with 0. The report is written before that.
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
    ...allowNoTests('--pass-with-no-tests'),
    ...(isQuick && paths.length === 0 ? quickJourneys : paths),
  ]
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: report }
  const failed = await runSteps([{ name: 'journeys', loud: true, args, env }])
  const { stats, suites = [] } = await read(report)
  const { expected = 0, flaky: retried = 0, unexpected = 0 } = stats ?? {}
  add(expected + retried, unexpected, failed.length > 0)
  flaky.push(...suites.flatMap(flakyIn))
}

/** @returns {string[]} the tests that passed at the second attempt */
function flakyIn(/** @type {any} */ { specs = [], suites = [] }) {
  const own = specs
    .filter((/** @type {any} */ { tests }) => tests.some((/** @type {any} */ { status }) => status === 'flaky'))
    .map((/** @type {any} */ { file, line, title }) => `${file}:${line} ${title}`)
  return [...own, ...suites.flatMap(flakyIn)]
}

/** A path may match journeys only or unit tests only. Without a path an empty run is a failure, as of a broken setup. */
function allowNoTests(/** @type {string} */ option) {
  return paths.length > 0 ? [option] : []
}

/** A runner that fails without a failed test (a crash, a file that does not load) counts as one failure. */
function add(/** @type {number} */ passed, /** @type {number} */ failed, /** @type {boolean} */ hasRunnerFailed) {
  count.passed += passed
  count.failed += hasRunnerFailed ? Math.max(failed, 1) : failed
}

/** @returns {Promise<any>} a runner's JSON report, or an empty object when it wrote none */
async function read(/** @type {string} */ path) {
  return JSON.parse(await readFile(path, 'utf8').catch(() => '{}'))
}
