// What must be there before the product can run: the dependencies and a build of the sources as they are now.
import { buildWhenNeeded, isBuilt } from './build.mjs'
import { install } from './install.mjs'

/** Installs and builds when needed. With a build at hand, what only building needs may stay away (npm ci --omit=dev). */
export async function makeReady() {
  try {
    await install({ dev: !(await isBuilt()) })
    await buildWhenNeeded()
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
}
