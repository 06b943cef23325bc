// Before npm pack: builds, and writes npm-shrinkwrap.json from package-lock.json, so that an installed package has the tested
// versions: npm ignores the lockfile of a package. After npm pack, --clean removes it: in a clone it would replace the lockfile.
import './node-version.mjs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { makeReady } from './ready.mjs'
import { root } from './run.mjs'

const shrinkwrap = `${root}npm-shrinkwrap.json`

if (process.argv.includes('--clean')) await rm(shrinkwrap, { force: true })
else {
  await makeReady()
  const lockfile = JSON.parse(await readFile(`${root}package-lock.json`, 'utf8'))
  const packages = Object.entries(lockfile.packages).filter(([, { dev }]) => !dev)
  await writeFile(shrinkwrap, `${JSON.stringify({ ...lockfile, packages: Object.fromEntries(packages) }, null, 2)}\n`)
}
