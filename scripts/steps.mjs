// Runs named steps one after another and tells how each went, on one line with its time.
import { run, seconds } from './run.mjs'

/**
 * @typedef {{ name: string, program?: string, args: string[], env?: NodeJS.ProcessEnv, loud?: boolean }} Step
 *   `program` is this Node when absent; `loud` shows the output as it comes, else only when the step failed.
 */

/**
 * @param {Step[]} steps
 * @returns {Promise<string[]>} the names of those that failed
 */
export async function runSteps(steps) {
  const failed = []
  for (const step of steps) {
    const start = performance.now()
    const { ok, output } = await run(step.program ?? 'node', step.args, { quiet: !step.loud, env: step.env })
    console.log(`${ok ? '  ok  ' : ' FAIL '} ${step.name.padEnd(16)} ${seconds(start).padStart(8)}`)
    if (ok) continue
    failed.push(step.name)
    if (output !== '') console.log(output.trimEnd())
  }
  return failed
}
