// The steps of a test of a deployment: each prints a line with its duration.
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { run, seconds } from '../../scripts/run.mjs'

const readyMs = 30_000

/** @param {string} name @param {() => Promise<unknown>} work */
export async function step(name, work) {
  const since = performance.now()
  await work()
  console.log(`  ok    ${name.padEnd(18)} ${seconds(since).padStart(8)}`)
}

/** Runs a program. @param {string} program @param {string[]} args @param {string} [cwd] @returns its output */
export async function succeed(program, args, cwd) {
  const { ok, output } = await run(program, args, { quiet: true, ...(cwd !== undefined && { cwd }) })
  if (!ok) throw new Error(`${program} ${args.join(' ')} failed:\n${output}`)
  return output
}

/** @param {string} url of a server that has been started */
export async function untilReady(url) {
  for (const since = performance.now(); performance.now() - since < readyMs; await sleep(50)) {
    const response = await fetch(`${url}/readyz`).catch(() => undefined)
    if (response?.ok) return
  }
  throw new Error(`The server is not ready within ${readyMs} ms`)
}

/**
 * Puts Node, of npm's registry, and the npm of this machine into the root of another system.
 * @param {{ version: string, work: string, system: string, prefix: string }} options `work` is for what is downloaded, `prefix`
 * a folder of that system, such as /usr
 */
export async function installNode({ version, work, system, prefix }) {
  const name = `node-linux-${process.arch}`
  await succeed('npm', ['install', '--prefix', work, '--no-save', `${name}@${version}`])
  const to = join(system, prefix)
  await mkdir(join(to, 'bin'), { recursive: true })
  await cp(join(work, 'node_modules', name, 'bin/node'), join(to, 'bin/node'))
  const npm = join(dirname(process.env.npm_execpath ?? ''), '..')
  await cp(npm, join(to, 'lib/node_modules/npm'), { recursive: true, dereference: true })
  const script = `#!/bin/sh\nexec node ${prefix}/lib/node_modules/npm/bin/npm-cli.js "$@"\n`
  await writeFile(join(to, 'bin/npm'), script, { mode: 0o755 })
}
