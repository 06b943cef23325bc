// npm run test:package: packs the product, installs the package as users do, globally and into an empty folder, with npm and with
// pnpm, and uses it each time: starts the server, uploads an image, fetches a thumbnail, runs doctor. Prints what it took.
// Needs a registry.
import '../../scripts/node-version.mjs'
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { root } from '../../scripts/run.mjs'
import { step, succeed, untilReady } from './steps.mjs'

const folder = await mkdtemp(join(tmpdir(), 'image-host-package-'))
const home = join(folder, 'home')
/** Nothing of this machine but Node and the programs of the system. */
const environment = { HOME: home, PATH: [dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter), PORT: '3199' }
const url = `http://127.0.0.1:${environment.PORT}`
/** @type {import('node:child_process').ChildProcess | undefined} */
let server

try {
  await mkdir(home)
  await step('npm pack', () => succeed('npm', ['pack', '--pack-destination', folder]))
  const [archive = ''] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'))
  console.log(`        ${archive}: ${await megabytes(join(folder, archive))}`)
  for (const [way, program, args] of ways(join(folder, archive))) {
    await mkdir(join(folder, way))
    await step(`${way}: install`, () => succeed(program, args, join(folder, way)))
    // Of pnpm's links each would count.
    if (way !== 'pnpm') console.log(`        ${await megabytes(join(folder, way))}`)
    await use(way)
  }
  console.log(`        data: ${(await readdir(join(home, '.local/share/image-host'))).sort().join(', ')}`)
} finally {
  server?.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
}

/** By the folder in which it happens. @param {string} archive @returns {[string, string, string[]][]} */
function ways(archive) {
  return [
    ['global', 'npm', ['install', '-g', '--prefix', '.', archive]],
    ['project', 'npm', ['install', '--no-audit', '--no-fund', archive]],
    ['pnpm', 'npx', ['--yes', 'pnpm@10', '--dir', '.', 'add', archive]],
  ]
}

/** @param {string} way */
async function use(way) {
  const program = join(folder, way, way === 'global' ? 'bin/image-host' : 'node_modules/.bin/image-host')
  /** @param {string[]} args */
  const imageHost = (...args) => outputOf(program, args)
  await step(`${way}: start`, async () => {
    server = spawn(program, { env: environment, cwd: folder, stdio: 'ignore' })
    await untilReady(url)
  })
  await step(`${way}: upload`, async () => {
    const link = await imageHost('upload', '--again', `${root}web/public/icons/icon-512.png`)
    if (!link.startsWith(`${url}/uploads/icon-512-`)) throw new Error(`unexpected: ${link}`)
    const id = link.trim().slice(-'.png'.length - 22, -'.png'.length)
    const { status } = await fetch(`${url}/api/thumbnail/${id}/400`)
    if (status !== 200) throw new Error(`the thumbnail responds with ${status}`)
  })
  await step(`${way}: doctor`, () => imageHost('doctor'))
  await step(`${way}: stop`, async () => {
    const ended = new Promise((resolve) => server?.once('exit', resolve))
    server?.kill('SIGTERM')
    if ((await ended) !== 0) throw new Error('the server did not stop cleanly')
  })
}

/** Runs the installed command. @param {string} program @param {string[]} args @returns {Promise<string>} */
async function outputOf(program, args) {
  const env = { ...environment, IMAGE_HOST_URL: url }
  const child = spawn(program, args, { env, cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise((resolve) => child.once('close', resolve))
  const output = await text(child.stdout)
  if ((await ended) !== 0) throw new Error(`image-host ${args.join(' ')} failed:\n${output}`)
  return output
}

/** @param {string} path of a file, or of a folder with everything in it */
async function megabytes(path) {
  const found = await stat(path)
  const names = found.isDirectory() ? await readdir(path, { recursive: true }) : ['']
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(path, name))).size))
  return `${(sizes.reduce((sum, size) => sum + size, 0) / 1e6).toFixed(1)} MB`
}
