// Runs one scenario from its requirements to its verdict, and prints findings.
import { runOnce } from './run-named.ts'
import { type Finding, type Form, none, type Scenario } from './scenario.ts'

/** The findings of a scenario, or what it lacks. One that throws has missed a figure. */
export async function runScenario(
  scenario: Scenario,
  form: Form,
): Promise<{ missingRequirement: string } | { findings: Finding[] }> {
  const outcome = await runOnce(scenario, form)
  if ('missingRequirement' in outcome) return outcome
  if ('error' in outcome) return { findings: [none('runs that threw', [String(outcome.error)])] }
  return { findings: outcome.results.filter(({ isOnlyFull }) => form === 'full' || !isOnlyFull) }
}

/** Prints them as a table. @returns how many miss their goal */
export function printFindings(findings: readonly Finding[]): number {
  console.log('| figure | found | goal | |\n|---|---|---|---|')
  for (const { what, found, goal = '', holds } of findings)
    console.log(`| ${what} | ${found} | ${goal} | ${holds ? 'ok' : 'MISSED'} |`)
  return findings.filter(({ holds }) => !holds).length
}
