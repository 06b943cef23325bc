// Reads the production dependencies from package-lock.json.
import { readFile } from 'node:fs/promises'
import { root } from './run.mjs'

/**
 * @typedef {object} Entry
 * @property {string} version
 * @property {string} integrity algorithm and base64, as npm checks it
 * @property {string} license an SPDX expression
 * @property {boolean} [dev] needed for building and testing only
 * @property {boolean} [optional] not required, such as the binaries of another platform
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [optionalDependencies]
 * @property {Record<string, string>} [peerDependencies]
 *
 * @typedef {Entry & { path: string, name: string }} Installed
 */

/** @returns {Promise<{ product: Entry & { name: string }, packages: Installed[] }>} packages of every platform, in the order of their paths */
export async function readLockfile() {
  /** @type {{ packages: Record<string, Entry & { name: string }> }} */
  const { packages } = JSON.parse(await readFile(`${root}package-lock.json`, 'utf8'))
  const { '': product, ...rest } = packages
  if (product === undefined) throw new Error('package-lock.json does not name the product')
  return {
    product,
    packages: Object.entries(rest)
      .filter(([, { dev }]) => !dev)
      .map(([path, entry]) => ({ ...entry, path, name: nameOf(path) })),
  }
}

/** Of node_modules/a/node_modules/@b/c: '@b/c'. */
export const nameOf = (/** @type {string} */ path) =>
  path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

/**
 * The paths where Node looks for a package, from the folder of its dependent.
 * @param {string} path
 * @param {string} name
 * @returns {string[]}
 */
export function lockfilePathsFor(path, name) {
  const nested = `${path}${path === '' ? '' : '/'}node_modules/${name}`
  const above = path.lastIndexOf('/node_modules/')
  if (path === '') return [nested]
  return [nested, ...lockfilePathsFor(above < 0 ? '' : path.slice(0, above), name)]
}
