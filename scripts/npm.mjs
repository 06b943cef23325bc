// Runs npm commands that print JSON, with a time limit.
import { execFile } from 'node:child_process'
import { root } from './run.mjs'

const maxOutputBytes = 64 * 1024 * 1024

/**
 * A non-zero exit code is not an error: some commands print their result and fail.
 * @param {string[]} args
 * @param {{ limitMs: number, env?: NodeJS.ProcessEnv | undefined }} options
 * @returns {Promise<{ result: any, errors: string, isLate: boolean }>} the parsed output (undefined if it is not JSON) and the error output
 */
export function npmJson(args, { limitMs, env = {} }) {
  // Within `npm run` this is the running npm, on every platform; otherwise the one on PATH.
  const { npm_execpath: script } = process.env
  const [program, first] = script?.endsWith('.js') ? [process.execPath, [script]] : ['npm', []]
  return new Promise((resolve) => {
    const options = { cwd: root, env: { ...process.env, ...env }, timeout: limitMs, maxBuffer: maxOutputBytes }
    const child = execFile(program, [...first, ...args], options, (error, output, errors) => {
      resolve({ result: read(output), errors: errors === '' ? (error?.message ?? '') : errors, isLate: child.killed })
    })
  })
}

function read(/** @type {string} */ text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
