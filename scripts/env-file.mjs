// Settings from a file: .env beside package.json, when there is one. What the environment says wins.
import { root } from './run.mjs'

/** @param {string} [path] */
export function readEnvFile(path = `${root}.env`) {
  try {
    process.loadEnvFile(path)
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT') throw error
  }
}
