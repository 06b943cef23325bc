// Runs child processes and shows or collects their output.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** Processes that several calls of run() started at the same time. */
let running = 0

/**
 * Runs a program, in the repository's root unless `cwd` is given, and waits for it. Signals to this process are forwarded to it.
 * @param {string} program a path or a name on PATH; 'node' is the Node that runs this script.
 * @param {string[]} args
 * @param {object} [options]
 * @param {boolean} [options.quiet] collects the output instead of showing it
 * @param {string} [options.prefix] of each line that is shown, where several programs run at once
 * @param {NodeJS.ProcessEnv} [options.env]
 * @param {string} [options.cwd]
 * @returns {Promise<{ ok: boolean, output: string }>}
 */
export function run(program, args, { quiet = false, prefix, env = {}, cwd = root } = {}) {
  const stream = quiet || prefix !== undefined ? 'pipe' : 'inherit'
  const child = spawn(program === 'node' ? process.execPath : program, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', stream, stream],
  })
  running += 1
  let output = ''
  for (const from of [child.stdout, child.stderr]) {
    if (from === null) continue
    if (quiet) from.on('data', (chunk) => (output += chunk))
    else createInterface(from).on('line', (line) => console.log(`${prefix}${line}`))
  }

  const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])
  /** @type {NodeJS.Signals | undefined} */
  let received
  const stop = (/** @type {NodeJS.Signals} */ signal) => {
    received = signal
    child.kill(signal)
  }
  for (const signal of signals) process.once(signal, stop)

  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      running -= 1
      for (const signal of signals) process.removeListener(signal, stop)
      if (received === undefined) return resolve({ ok: code === 0, output })
      // The last one that has ended lets this process end.
      if (running === 0) process.exit(received === 'SIGINT' ? 130 : 143)
    })
  })
}

/** @param {string} bin path below node_modules, without node_modules itself */
export const tool = (bin) => `${root}node_modules/${bin}`

/** @param {number} sinceMs a performance.now() */
export const seconds = (sinceMs) => `${((performance.now() - sinceMs) / 1000).toFixed(1)} s`
