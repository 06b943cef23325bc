// Reads settings from .env beside package.json, if it exists. Environment variables take precedence.
import { root } from './run.mjs'

/** @param {string} [path] */
export function readEnvFile(path = `${root}.env`) {
  try {
    process.loadEnvFile(path)
    // For the check of names (server/unknown-settings.ts).
    process.env.IMAGE_HOST_ENV_FILE = path
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT') throw error
  }
}
