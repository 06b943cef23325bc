// Installs the dependencies when node_modules does not match package-lock.json.
import { readFile } from 'node:fs/promises'
import { withLock } from './lock.mjs'
import { root, run } from './run.mjs'

/**
 * @typedef {{ version?: string, dev?: boolean, optional?: boolean, devOptional?: boolean }} Entry
 * @typedef {Record<string, Entry>} Entries by path, such as node_modules/zod
 */

/** @param {{ dev: boolean }} want whether to include the development dependencies */
export async function install(want) {
  if (await isInstalled(want)) return
  await withLock(async () => {
    if (await isInstalled(want)) return
    console.log('Installing dependencies ...')
    // With NODE_ENV=production set for the server, the build still needs the compiler.
    const { ok } = await run(npm(), ['ci', '--no-audit', '--no-fund', ...(want.dev ? ['--include=dev'] : [])])
    if (!ok) throw new Error('npm ci failed: see its message above.')
  })
}

export const npm = () => (process.platform === 'win32' ? 'npm.cmd' : 'npm')

/** npm writes what it installed to node_modules/.package-lock.json, so a manual npm install counts too. */
async function isInstalled(/** @type {{ dev: boolean }} */ want) {
  const [wanted, present] = await Promise.all([
    entriesOf(`${root}package-lock.json`),
    entriesOf(`${root}node_modules/.package-lock.json`),
  ])
  return Object.entries(wanted ?? {}).every(
    ([path, entry]) =>
      path === '' ||
      entry.optional || // the binaries of other platforms
      entry.devOptional ||
      (entry.dev && !want.dev) ||
      present?.[path]?.version === entry.version,
  )
}

/** @returns {Promise<Entries | undefined>} */
async function entriesOf(/** @type {string} */ path) {
  const text = await readFile(path, 'utf8').catch(() => '')
  return text === '' ? undefined : JSON.parse(text).packages
}
