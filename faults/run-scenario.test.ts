// A scenario that throws counts as a missed figure and does not end the run.
import { afterEach, expect, test, vi } from 'vitest'
import type { Scenario } from './scenario.ts'
import { runScenario } from './run-scenario.ts'

const scenario: Scenario = { id: 'F0', title: 'nothing', run: async () => [] }
const fails = () => Promise.reject(new Error('disk full'))
const missed = [{ what: 'runs that threw', found: '1: Error: disk full', goal: '0', holds: false }]

afterEach(() => void vi.restoreAllMocks())

test.each([
  ['its run', { ...scenario, run: fails }],
  ['its check of the machine', { ...scenario, missing: fails }],
])('a scenario that throws in %s misses a figure, and the error is printed', async (_, broken) => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  expect(await runScenario(broken, 'short')).toEqual({ findings: missed })
  expect(printed).toHaveBeenCalledOnce()
})

test('the missing requirement may depend on the form', async () => {
  const large: Scenario = { ...scenario, missing: async (form) => (form === 'full' ? 'it needs more' : undefined) }
  expect(await runScenario(large, 'full')).toEqual({ missingRequirement: 'it needs more' })
  expect(await runScenario(large, 'short')).toEqual({ findings: [] })
})
