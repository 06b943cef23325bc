// npm run faults -- NAME …: injects faults into what the server depends on and prints the results. Without a name, all
// scenarios; with --short, the short form that `npm test -- all` runs. Fails when a figure misses its goal.
import { formOf, loadNamed } from './named-modules.ts'
import { printFindings, runScenario } from './run-scenario.ts'
import type { Scenario } from './scenario.ts'

export async function main(args: string[]): Promise<boolean> {
  const form = formOf(args)
  let missed = 0
  for (const { name, module } of await loadNamed<{ scenario: Scenario }>(import.meta.dirname, '.fault.ts', args)) {
    const { scenario } = await module()
    console.log(`\n## ${scenario.id} ${name}: ${scenario.title} (${form})`)
    const start = performance.now()
    const outcome = await runScenario(scenario, form)
    if ('missingRequirement' in outcome) {
      console.log(`Skipped: ${outcome.missingRequirement}`)
      continue
    }
    missed += printFindings(outcome.findings)
    console.log(`Took ${((performance.now() - start) / 1000).toFixed(1)} s`)
  }
  console.log(missed === 0 ? '\nAll figures reach their goals.' : `\n${missed} figures missed their goal.`)
  return missed === 0
}
