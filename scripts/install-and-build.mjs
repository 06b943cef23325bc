// Prepares the product: installs the dependencies and builds the current sources, when needed.
import { buildWhenNeeded, isBuilt } from './build.mjs'
import { install } from './install.mjs'

/** With an up-to-date build, development dependencies are not required (npm ci --omit=dev). */
export async function installAndBuild() {
  try {
    await install({ dev: !(await isBuilt()) })
    await buildWhenNeeded()
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
}
