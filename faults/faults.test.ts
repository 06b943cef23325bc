// Runs the scenarios in their short form; the full form is `npm run faults`.
import { readdir } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { scope, shortFaults } from '../scripts/test-selection.ts'
import { runScenario } from './run-scenario.ts'
import type { Scenario } from './scenario.ts'

const files = (await readdir(import.meta.dirname))
  .filter((file) => file.endsWith('.fault.ts'))
  .filter((file) => scope === 'all' || shortFaults.includes(file.replace('.fault.ts', '')))
const scenarios = await Promise.all(
  files.map(
    async (file) =>
      ((await import(/* @vite-ignore */ new URL(file, import.meta.url).href)) as { scenario: Scenario }).scenario,
  ),
)

describe.each(scenarios)('$id: $title', (scenario) => {
  test('meets its goals in the short form', { timeout: 120_000 }, async ({ skip }) => {
    const outcome = await runScenario(scenario, 'short')
    if ('missingRequirement' in outcome) skip(outcome.missingRequirement)
    else expect(outcome.findings.filter(({ holds }) => !holds)).toEqual([])
  })
})
