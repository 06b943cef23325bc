// Runs named steps in sequence and prints one line with result and duration for each.
import { run, seconds } from './run.mjs'

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {string[]} args of this Node
 * @property {NodeJS.ProcessEnv} [env]
 * @property {boolean} [loud] streams the output; otherwise it is printed only when the step fails
 * @property {() => Promise<boolean>} [judge] must be true too, beside exit code 0
 */

/**
 * @param {Step[]} steps
 * @returns {Promise<string[]>} the names of those that failed
 */
export async function runSteps(steps) {
  const failed = []
  for (const step of steps) {
    const start = performance.now()
    const { ok: endedWell, output } = await run('node', step.args, { quiet: !step.loud, env: step.env })
    const ok = endedWell && (step.judge === undefined || (await step.judge()))
    console.log(`${ok ? '  ok  ' : ' FAIL '} ${step.name.padEnd(16)} ${seconds(start).padStart(8)}`)
    if (ok) continue
    failed.push(step.name)
    if (output !== '') console.log(output.trimEnd())
  }
  return failed
}
