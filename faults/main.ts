// npm run faults -- NAME …: injects faults into what the server depends on and prints the results. Without a name, all
// scenarios; with --short, the short form that `npm test -- all` runs. Fails when a figure misses its goal.
import { runNamed } from './run-named.ts'
import { printFindings, runScenario } from './run-scenario.ts'
import type { Scenario } from './scenario.ts'

export async function main(args: string[]): Promise<boolean> {
  let missed = 0
  await runNamed<Scenario>({ folder: import.meta.dirname, ending: '.fault.ts' }, args, async (scenario, form) => {
    const outcome = await runScenario(scenario, form)
    if ('missingRequirement' in outcome) console.log(`Skipped: ${outcome.missingRequirement}`)
    else missed += printFindings(outcome.findings)
  })
  console.log(missed === 0 ? '\nAll figures reach their goals.' : `\n${missed} figures missed their goal.`)
  return missed === 0
}
