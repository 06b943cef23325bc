// Before npm pack: builds, and writes npm-shrinkwrap.json from package-lock.json, so that an installed package has the tested
// versions: npm ignores the lockfile of a package. After npm pack, --clean removes it: in a clone it would replace the lockfile.
import './node-version.mjs'
import { rm, writeFile } from 'node:fs/promises'
import { installAndBuild } from './install-and-build.mjs'
import { root } from './run.mjs'
import { productionLockfile } from './sbom.mjs'

const shrinkwrap = `${root}npm-shrinkwrap.json`

if (process.argv.includes('--clean')) await rm(shrinkwrap, { force: true })
else {
  await installAndBuild()
  await writeFile(shrinkwrap, `${JSON.stringify(await productionLockfile(), null, 2)}\n`)
}
