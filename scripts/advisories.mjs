// npm run advisories: checks the production dependencies for known vulnerabilities. Asks the npm registry that is configured;
// if it has no data, reads docs/advisories.json (OSV format) or the file given as argument, if it exists.
import './node-version.mjs'
import { readFile } from 'node:fs/promises'
import { readLockfile } from './lockfile.mjs'
import { npmJson } from './npm.mjs'
import { findAdvisories } from './osv.mjs'
import { root } from './run.mjs'

/** Time limits of the whole check and of one npm request, for registries that cannot be reached. */
const limitMs = 60_000
const requestMs = 20_000
/** Severities that fail the check. Lower ones are reported only. */
const grave = ['high', 'critical', 'unknown']

/**
 * @typedef {import('./osv.mjs').Finding} Finding
 * @typedef {{ source: string, findings: Finding[] } | { source: undefined, why: string }} Checked
 */

/**
 * @param {{ file: string, env?: NodeJS.ProcessEnv }} options `file` may be missing
 * @returns {Promise<Checked>}
 * @throws {Error} for a file that is there and cannot be read
 */
export async function checkAdvisories({ file, env }) {
  const served = await askRegistry(env)
  if (Array.isArray(served)) return { source: 'the registry', findings: served }
  const list = await readList(file)
  if (list === undefined) return { source: undefined, why: served }
  try {
    return { source: file, findings: findAdvisories(JSON.parse(list), (await readLockfile()).packages) }
  } catch (error) {
    throw new Error(`${file} cannot be used: ${String(error)}`, { cause: error })
  }
}

/**
 * @returns {Promise<Finding[] | string>} or the reason why there is no result, without the registry's URL, which is private to the user.
 */
async function askRegistry(/** @type {NodeJS.ProcessEnv | undefined} */ env) {
  // Offline, npm reports no findings without checking.
  const options = ['--offline=false', '--fetch-retries=0', `--fetch-timeout=${requestMs}`]
  const args = ['audit', '--omit=dev', '--json', '--package-lock-only', ...options]
  const { result, isLate } = await npmJson(args, { limitMs, env })
  if (isLate) return 'the registry did not respond in time'
  const vulnerabilities = result?.metadata && result.vulnerabilities
  if (!vulnerabilities) return `the registry serves no advisories (${result?.statusCode ?? 'no response'})`
  return Object.values(vulnerabilities).flatMap(findingsOf)
}

/** @returns {Finding[]} its own advisories; those inherited from dependencies are listed there */
function findingsOf(/** @type {any} */ { name, nodes, via }) {
  return via
    .filter((/** @type {unknown} */ one) => typeof one === 'object')
    .map((/** @type {any} */ { url, title, severity }) => ({
      id: url,
      name,
      version: nodes.join(', '),
      severity: String(severity),
      summary: title,
    }))
}

/** @returns {Promise<string | undefined>} undefined where there is no such file */
function readList(/** @type {string} */ file) {
  return readFile(file, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
}

/** @returns {boolean} whether the installed dependencies are acceptable */
export function printFindings(/** @type {Checked} */ checked) {
  if (checked.source === undefined) {
    console.log(`Nothing was checked: ${checked.why}, and there is no list of advisories in docs/advisories.json.`)
    return true
  }
  const { source, findings } = checked
  for (const { severity, name, version, id, summary } of findings)
    console.log(`${severity}: ${name} (${version}): ${summary} ${id}`)
  console.log(`${findings.length} known by ${source}.`)
  return !findings.some(({ severity }) => grave.includes(severity))
}

if (process.argv[1] === import.meta.filename) {
  try {
    process.exitCode = printFindings(await checkAdvisories({ file: process.argv[2] ?? `${root}docs/advisories.json` }))
      ? 0
      : 1
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 2
  }
}
