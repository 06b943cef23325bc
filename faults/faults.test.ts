// Runs every scenario in its short form; the full form is `npm run faults`.
import { readdir } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import type { Scenario } from './scenario.ts'

const files = (await readdir(import.meta.dirname)).filter((file) => file.endsWith('.fault.ts'))
const scenarios = await Promise.all(
  files.map(
    async (file) =>
      ((await import(/* @vite-ignore */ new URL(file, import.meta.url).href)) as { scenario: Scenario }).scenario,
  ),
)

describe.each(scenarios)('$id: $title', (scenario) => {
  test('meets its goals in the short form', { timeout: 120_000 }, async ({ skip }) => {
    const missingRequirement = await scenario.missing?.('short')
    if (missingRequirement !== undefined) skip(missingRequirement)
    const missed = (await scenario.run('short')).filter(({ holds }) => !holds)
    expect(missed).toEqual([])
  })
})
