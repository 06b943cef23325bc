// Builds dist/: the server and the command as JavaScript, the page as static files, and the bill of materials. `npm run build` always builds,
// npm start and npm test when the sources have changed.
import './node-version.mjs'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { copyFile, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { install } from './install.mjs'
import { withLock } from './lock.mjs'
import { root, run, seconds, tool } from './run.mjs'
import { writeSbom } from './sbom.mjs'

const stamp = `${root}dist/.stamp`

const sources = [
  'client',
  'command',
  'contract',
  'server',
  'web',
  'scripts/build.mjs',
  'scripts/bundle.mjs',
  'scripts/sbom.mjs',
  'scripts/api-catalogue.ts',
  'scripts/early-script.ts',
  'scripts/embed-templates.ts',
  'scripts/page-chunks.ts',
  'scripts/precompress.ts',
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
  'vite.config.ts',
]

export async function buildWhenNeeded() {
  if (!(await isBuilt()))
    await withLock(async () => {
      if (!(await isBuilt())) await build()
    })
  await writeCommit()
}

/** For versions between two releases. Not part of the fingerprint: a commit alone needs no build. */
async function writeCommit() {
  const path = `${root}dist/commit`
  // Sources that were unpacked below another repository have no commit.
  const { ok, output } = existsSync(`${root}.git`)
    ? await run('git', ['rev-parse', '--short=8', 'HEAD'], { quiet: true }).catch(() => ({ ok: false, output: '' }))
    : { ok: false, output: '' }
  const commit = ok ? output.trim() : ''
  if (commit === (await readFile(path, 'utf8').catch(() => ''))) return
  if (commit === '') await rm(path)
  else await writeFile(path, commit)
}

/** Whether dist/ is a complete build of the current sources. */
export async function isBuilt() {
  const [made, now] = await Promise.all([readFile(stamp, 'utf8').catch(() => ''), fingerprint()])
  return made === now
}

/** The stamp is removed first and written last, so that an incomplete dist/ never has one. */
async function build() {
  const start = performance.now()
  console.log('Building ...')
  const made = await fingerprint()
  // Vite empties dist/web by itself; the bundler leaves files of earlier names.
  for (const old of ['.stamp', 'server', 'contract', 'client', 'command'])
    await rm(`${root}dist/${old}`, { recursive: true, force: true })
  const steps = await Promise.all([
    run('node', [`${root}scripts/bundle.mjs`], { quiet: true }),
    // The type declarations of image-host/client.
    run('node', [tool('typescript/bin/tsc'), '-p', 'client'], { quiet: true }),
    run('node', [tool('vite/bin/vite.js'), 'build'], { quiet: true }),
  ])
  for (const step of steps) if (!step.ok) throw new Error(`The build failed.\n${step.output}`)
  await copyFile(`${root}server/domain/accounts/common-passwords.txt`, `${root}dist/common-passwords.txt`)
  await writeSbom()
  await writeFile(`${stamp}.new`, made)
  await rename(`${stamp}.new`, stamp)
  console.log(`Built in ${seconds(start)}`)
}

/**
 * Hash of every file that the build reads. By content, because clones and checkouts change modification times. One file at
 * a time: there are more files than the 1,024 that a container's build may open.
 */
async function fingerprint() {
  const files = (await Promise.all(sources.map(filesUnder))).flat().sort()
  const hash = createHash('sha256')
  for (const file of files) {
    const content = await readFile(root + file)
    hash.update(`${file}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

/** @returns {Promise<string[]>} */
async function filesUnder(/** @type {string} */ path) {
  const entries = await readdir(root + path, { withFileTypes: true, recursive: true }).catch((error) => {
    if (error.code === 'ENOTDIR') return undefined
    if (error.code === 'ENOENT') return []
    throw error
  })
  if (entries === undefined) return [path]
  return entries
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(root.length))
}

if (process.argv[1] === import.meta.filename) {
  try {
    await install({ dev: true })
    await withLock(build)
    await writeCommit()
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
}
