// npm as a child process, for what it answers as JSON, within a time.
import { execFile } from 'node:child_process'
import { root } from './run.mjs'

const maxOutputBytes = 64 * 1024 * 1024

/**
 * That it failed is no error here: some of its commands answer and fail.
 * @param {string[]} args
 * @param {{ limitMs: number, env?: NodeJS.ProcessEnv | undefined }} options
 * @returns {Promise<{ answer: any, errors: string, isLate: boolean }>} its answer, undefined where it was no JSON, and its complaints
 */
export function npmJson(args, { limitMs, env = {} }) {
  // Within `npm run` this is the npm that runs, on every system; else the one on PATH.
  const { npm_execpath: script } = process.env
  const [program, first] = script?.endsWith('.js') ? [process.execPath, [script]] : ['npm', []]
  return new Promise((resolve) => {
    const options = { cwd: root, env: { ...process.env, ...env }, timeout: limitMs, maxBuffer: maxOutputBytes }
    const child = execFile(program, [...first, ...args], options, (error, output, errors) => {
      resolve({ answer: read(output), errors: errors === '' ? (error?.message ?? '') : errors, isLate: child.killed })
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
