// npm run test:node -- VERSION [ARGUMENTS of npm test]: installs the lockfile with another Node, such as 24, and runs the tests
// with it. Takes Node from npm's registry. The binaries in node_modules serve every Node version: they use Node-API.
import './node-version.mjs'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { root, run, seconds } from './run.mjs'

const [version = '', ...args] = process.argv.slice(2)
if (!/^\d+(\.\d+){0,2}$/.test(version)) {
  console.error('Which version of Node? For example: npm run test:node -- 24')
  process.exit(1)
}
/** Of npm itself, which the other Node runs too. */
const npm = process.env.npm_execpath ?? ''
const platform = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
const folder = await mkdtemp(join(tmpdir(), 'image-host-node-'))
let isGreen = false
try {
  await succeed(process.execPath, [npm, 'install', '--prefix', folder, '--no-save', `${platform}@${version}`])
  const bin = join(folder, 'node_modules', platform, 'bin')
  const node = join(bin, process.platform === 'win32' ? 'node.exe' : 'node')
  const { output } = await run(node, ['--version'], { quiet: true })
  console.log(`Node ${output.trim()}`)

  const start = performance.now()
  const project = await mkdtemp(join(folder, 'project-'))
  for (const name of ['package.json', 'package-lock.json', '.npmrc']) await copyFile(root + name, join(project, name))
  await succeed(node, [npm, 'ci', '--prefix', project])
  console.log(`  ok   npm ci           ${seconds(start).padStart(8)}`)

  const env = { PATH: [bin, process.env.PATH].join(delimiter), npm_node_execpath: node }
  isGreen = (await run(node, [`${root}scripts/test.mjs`, ...args], { env })).ok
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
} finally {
  await rm(folder, { recursive: true, force: true })
}
process.exit(isGreen ? 0 : 1)

/** @param {string} program @param {string[]} args */
async function succeed(program, args) {
  const { ok, output } = await run(program, args, { quiet: true })
  if (!ok) throw new Error(`${args.slice(1).join(' ')} failed:\n${output}`)
}
