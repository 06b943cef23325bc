import { expect, it } from 'vitest'
import { RenderBudget, RenderBudgetUsedUp } from './render-budget.ts'

const contended = () => true
const idle = () => false

/** How many renders a client can start before the first refusal, each of which takes `ms`. */
function rendersOf(budget: RenderBudget, client: string, ms: number): number {
  for (let count = 0; ; count++) {
    try {
      budget.take(client, contended)
    } catch (error) {
      if (error instanceof RenderBudgetUsedUp) return count
      throw error
    }
    budget.settle(client, ms)
  }
}

it('covers a page of 200 photographs at once, also of the costliest ordinary kind', () => {
  const budget = new RenderBudget(25, 2, () => 0)
  expect(rendersOf(budget, 'page', 17)).toBeGreaterThan(1500)
  expect(rendersOf(budget, 'wide page', 148)).toBeGreaterThanOrEqual(200)
  expect(rendersOf(budget, 'another client', 148)).toBeGreaterThanOrEqual(200)
})

it('gives a client its share of all decoders in the long run', () => {
  let nowMs = 0
  const budget = new RenderBudget(25, 4, () => nowMs)
  rendersOf(budget, 'steady', 100)
  let renders = 0
  for (; nowMs < 60_000; nowMs += 100) renders += rendersOf(budget, 'steady', 100)
  // A quarter of four decoders is one: ten renders of 100 ms a second.
  expect(renders).toBeGreaterThan(590)
  expect(renders).toBeLessThan(620)
})

it('says when the next render is within the budget', () => {
  let nowMs = 0
  const budget = new RenderBudget(25, 2, () => nowMs)
  for (let n = 0; n < 600; n++) budget.take('greedy', contended)
  expect(() => budget.take('greedy', contended)).toThrow(RenderBudgetUsedUp)
  try {
    budget.take('greedy', contended)
  } catch (error) {
    nowMs += (error as RenderBudgetUsedUp).retryAfterMs
  }
  expect(() => budget.take('greedy', contended)).not.toThrow()
})

it('is not enforced while nobody else waits, and is without debt afterwards', () => {
  let nowMs = 0
  const budget = new RenderBudget(25, 2, () => nowMs)
  for (let n = 0; n < 5000; n++) {
    budget.take('alone', idle)
    budget.settle('alone', 500)
  }
  expect(() => budget.take('alone', contended)).toThrow(RenderBudgetUsedUp)
  nowMs += 200
  expect(() => budget.take('alone', contended)).not.toThrow()
})

it('has no limit with a share of 0', () => {
  const budget = new RenderBudget(0, 2, () => 0)
  for (let n = 0; n < 5000; n++) budget.take('free', contended)
  budget.settle('free', 1e9)
  expect(() => budget.take('free', contended)).not.toThrow()
})
