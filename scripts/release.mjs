// npm run release -- VERSION: on a clean main, writes the version, runs all tests and the test of the package, commits, tags, and
// leaves in release/ what is published: the package, its notes, its bill of materials, and their checksums. The head is then
// called NEXT-dev.
import './node-version.mjs'
import { createHash } from 'node:crypto'
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { lastRelease, notesOf, released, sectionProblems, versionAfter, versionProblem } from './changelog.mjs'
import { root, run } from './run.mjs'

const [version = ''] = process.argv.slice(2)
const folder = `${root}release/`
const versioned = ['package.json', 'package-lock.json', 'CHANGELOG.md', 'deploy/kubernetes.yaml']
let isWritten = false
try {
  const changelog = await readFile(`${root}CHANGELOG.md`, 'utf8')
  const notes = notesOf(changelog)
  const { version: current } = JSON.parse(await readFile(`${root}package.json`, 'utf8'))
  await assertReady(lastRelease(changelog), notes)

  isWritten = true
  await setVersion(current, version)
  await writeFile(`${root}CHANGELOG.md`, released(changelog, version, new Date().toISOString().slice(0, 10)))
  await succeed('npm', ['test', '--', 'all'])
  await succeed('npm', ['run', 'test:package'])

  await rm(folder, { recursive: true, force: true })
  await mkdir(folder)
  await succeed('npm', ['pack', '--pack-destination', folder])
  await copyFile(`${root}dist/sbom.json`, `${folder}image-host-${version}.sbom.json`)
  await writeFile(`${folder}image-host-${version}.notes.md`, `${notes}\n`)
  await writeChecksums([`image-host-${version}.tgz`, `image-host-${version}.sbom.json`])

  await succeed('git', ['commit', '--all', '--message', `release: ${version}`])
  await succeed('git', [
    'tag',
    '--annotate',
    `v${version}`,
    '--file',
    `${folder}image-host-${version}.notes.md`,
    '--cleanup=verbatim',
  ])
  await setVersion(version, versionAfter(version))
  await succeed('git', ['commit', '--all', '--message', `release: begin ${versionAfter(version)}`])
  console.log(`\nv${version} is tagged, release/ has the files. Publish: git push --follow-tags origin main`)
} catch (error) {
  // Nothing is committed before everything has succeeded.
  if (isWritten) await run('git', ['checkout', '--', ...versioned], { quiet: true })
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}

/** @param {string} from @param {string} to */
async function setVersion(from, to) {
  await succeed('npm', ['version', to, '--no-git-tag-version'])
  const path = `${root}deploy/kubernetes.yaml`
  const text = await readFile(path, 'utf8')
  if (!text.includes(`image-host:${from}`)) throw new Error(`${path} does not contain image-host:${from}.`)
  await writeFile(path, text.replace(`image-host:${from}`, `image-host:${to}`))
}

/** @param {string} current of the last release @param {string} notes */
async function assertReady(current, notes) {
  const problem = [versionProblem(current, version, notes), ...sectionProblems(notes)].find(Boolean)
  if (problem) throw new Error(problem)
  if ((await gitOutput('branch', '--show-current')) !== 'main') throw new Error('Releases are made on main.')
  if ((await gitOutput('status', '--porcelain')) !== '') throw new Error('There are changes that are not committed.')
  if ((await gitOutput('tag', '--list', `v${version}`)) !== '') throw new Error(`v${version} exists already.`)
}

/** @param {string[]} args */
async function gitOutput(...args) {
  return (await run('git', args, { quiet: true })).output.trim()
}

/** In the format of sha256sum --check. @param {string[]} names */
async function writeChecksums(names) {
  const lines = names.map(async (name) => {
    const digest = createHash('sha256')
      .update(await readFile(folder + name))
      .digest('hex')
    return `${digest}  ${name}\n`
  })
  await writeFile(`${folder}SHA256SUMS`, (await Promise.all(lines)).join(''))
}

/** @param {string} program @param {string[]} args */
async function succeed(program, args) {
  const { ok } = await run(program, args)
  if (!ok) throw new Error(`${program} ${args.join(' ')} failed.`)
}
