// Installs the dependencies, when what lies in node_modules is not what package-lock.json asks for.
import { readFile } from 'node:fs/promises'
import { withLock } from './lock.mjs'
import { root, run } from './run.mjs'

/**
 * @typedef {{ version?: string, dev?: boolean, optional?: boolean, devOptional?: boolean }} Entry
 * @typedef {Record<string, Entry>} Entries by path, such as node_modules/zod
 */

/** @param {{ dev: boolean }} want with what only building and testing need, or without */
export async function install(want) {
  if (await isInstalled(want)) return
  await withLock(async () => {
    if (await isInstalled(want)) return
    console.log('Installing dependencies ...')
    // Whoever sets NODE_ENV=production for the server still needs the compiler to build it.
    const { ok } = await run(npm(), ['ci', '--no-audit', '--no-fund', ...(want.dev ? ['--include=dev'] : [])])
    if (!ok) throw new Error('npm ci failed: see its message above.')
  })
}

const npm = () => (process.platform === 'win32' ? 'npm.cmd' : 'npm')

/** npm itself notes what it installed, at the end of each run; so nobody who ran npm by hand is made to install again. */
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
