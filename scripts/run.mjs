// Runs child processes and shows or collects their output.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Runs a program, in the repository's root unless `cwd` is given, and waits for it. Signals to this process are forwarded to it.
 * @param {string} program a path or a name on PATH; 'node' is the Node that runs this script.
 * @param {string[]} args
 * @param {{ quiet?: boolean, env?: NodeJS.ProcessEnv, cwd?: string }} [options] `quiet` collects the output instead of showing it.
 * @returns {Promise<{ ok: boolean, output: string }>}
 */
export function run(program, args, { quiet = false, env = {}, cwd = root } = {}) {
  const child = spawn(program === 'node' ? process.execPath : program, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', quiet ? 'pipe' : 'inherit', quiet ? 'pipe' : 'inherit'],
  })
  let output = ''
  child.stdout?.on('data', (chunk) => (output += chunk))
  child.stderr?.on('data', (chunk) => (output += chunk))

  const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])
  const stop = (/** @type {NodeJS.Signals} */ signal) => {
    child.once('close', () => process.exit(signal === 'SIGINT' ? 130 : 143))
    child.kill(signal)
  }
  for (const signal of signals) process.once(signal, stop)

  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      for (const signal of signals) process.removeListener(signal, stop)
      resolve({ ok: code === 0, output })
    })
  })
}

/** @param {string} bin path below node_modules, without node_modules itself */
export const tool = (bin) => `${root}node_modules/${bin}`

/** @param {number} sinceMs a performance.now() */
export const seconds = (sinceMs) => `${((performance.now() - sinceMs) / 1000).toFixed(1)} s`
