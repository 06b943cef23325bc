// Runs named steps in sequence and prints one line with result and duration for each.
import { run, seconds } from './run.mjs'

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {string[]} args of this Node
 */

/**
 * Prints the output of a step only when it fails.
 * @param {Step[]} steps
 * @returns {Promise<string[]>} the names of those that failed
 */
export async function runSteps(steps) {
  const failed = []
  for (const step of steps) {
    const start = performance.now()
    const { ok, output } = await run('node', step.args, { quiet: true })
    printStep(step.name, ok, start)
    if (ok) continue
    failed.push(step.name)
    if (output !== '') console.log(output.trimEnd())
  }
  return failed
}

/** @param {string} name @param {boolean} ok @param {number} start a performance.now() */
export function printStep(name, ok, start) {
  console.log(`${ok ? '  ok  ' : ' FAIL '} ${name.padEnd(16)} ${seconds(start).padStart(8)}`)
}
