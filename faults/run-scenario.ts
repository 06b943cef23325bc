// Runs one scenario from its requirements to its verdict, and prints findings.
import { withDeferred } from './resources.ts'
import { type Finding, type Form, none, type Scenario } from './scenario.ts'

export type Outcome = { missingRequirement: string } | { findings: Finding[] }

/** The findings of a scenario. One that throws has missed a figure: the others still run. */
export async function runScenario(scenario: Scenario, form: Form): Promise<Outcome> {
  try {
    const missingRequirement = await scenario.missing?.(form)
    return missingRequirement === undefined
      ? { findings: await withDeferred((defer) => scenario.run(form, defer)) }
      : { missingRequirement }
  } catch (error) {
    console.error(error)
    return { findings: [none('runs that threw', [String(error)])] }
  }
}

/** Prints them as a table. @returns how many miss their goal */
export function printFindings(findings: readonly Finding[]): number {
  console.log('| figure | found | goal | |\n|---|---|---|---|')
  for (const { what, found, goal = '', holds } of findings)
    console.log(`| ${what} | ${found} | ${goal} | ${holds ? 'ok' : 'MISSED'} |`)
  return findings.filter(({ holds }) => !holds).length
}
