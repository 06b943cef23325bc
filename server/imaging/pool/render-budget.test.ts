import { expect, it } from 'vitest'
import { RenderBudget, RenderBudgetUsedUp } from './render-budget.ts'

const contended = true
const idle = false

/** Starts renders of `ms` until the first refusal. @returns the functions that end them */
function start(budget: RenderBudget, client: string, ms: number): ((usedMs: number) => void)[] {
  for (const started: ((usedMs: number) => void)[] = []; ;) {
    try {
      started.push(budget.reserve(client, ms, contended))
    } catch (error) {
      if (error instanceof RenderBudgetUsedUp) return started
      throw error
    }
  }
}

it('covers a page of 200 photographs that are requested at once', () => {
  const budget = new RenderBudget(25, 2, () => 0)
  expect(start(budget, 'narrow', 17).length).toBeGreaterThan(1500)
  expect(start(budget, 'wide', 88).length).toBeGreaterThan(200)
  expect(start(budget, 'progressive', 150).length).toBe(200)
})

it.each([20, 100, 1000, 4000])('gives a client its share in the long run, also by renders of %i ms', (ms) => {
  let nowMs = 0
  const budget = new RenderBudget(25, 4, () => nowMs)
  let usedMs = 0
  const end = (render: (usedMs: number) => void) => {
    render(ms)
    usedMs += ms
  }
  const minutes = 20
  for (; nowMs < minutes * 60_000; nowMs += 1000) start(budget, 'steady', ms).forEach(end)
  // A quarter of four decoders is one, after the 30 s at the beginning.
  const share = (usedMs - 30_000) / nowMs
  expect(share).toBeGreaterThan(0.99)
  expect(share).toBeLessThan(1.01)
})

it('the networks of one IPv6 site have sixteen shares together', () => {
  const budget = new RenderBudget(25, 2, () => 0)
  const started = Array.from({ length: 40 }, (_, n) => start(budget, `2001:db8:1:${n}::/64`, 1000).length)
  expect(started.reduce((sum, count) => sum + count, 0)).toBe(16 * 30)
  expect(start(budget, '2001:db8:2:1::/64', 1000).length).toBe(30)
})

it('counts a render that takes longer than expected in full', () => {
  let nowMs = 0
  const budget = new RenderBudget(25, 2, () => nowMs)
  for (const end of start(budget, 'surprise', 50)) end(75)
  nowMs += 30_000
  expect(start(budget, 'surprise', 50)).toEqual([])
  nowMs += 200
  expect(start(budget, 'surprise', 50)).toHaveLength(2)
})

it('renders that never started cost nothing and earn nothing', () => {
  const budget = new RenderBudget(25, 2, () => 0)
  const started = start(budget, 'leaves', 50)
  for (const end of started) end(0)
  expect(start(budget, 'leaves', 50)).toHaveLength(started.length)
  for (let n = 0; n < 5000; n++) budget.reserve('spent', 100, idle)(100)
  for (let n = 0; n < 5000; n++) budget.reserve('spent', 100, idle)(0)
  expect(start(budget, 'spent', 50)).toEqual([])
})

it('what a client used while it was alone keeps it waiting for one render, not for a minute', () => {
  let nowMs = 0
  const budget = new RenderBudget(25, 2, () => nowMs)
  for (let n = 0; n < 5000; n++) budget.reserve('alone', 100, idle)(100)
  nowMs += 200
  expect(start(budget, 'alone', 100)).toHaveLength(1)
})

it('says when the next render is within the budget', () => {
  let nowMs = 0
  const budget = new RenderBudget(25, 2, () => nowMs)
  for (const end of start(budget, 'greedy', 50)) end(50)
  try {
    budget.reserve('greedy', 50, contended)
  } catch (error) {
    nowMs += (error as RenderBudgetUsedUp).retryAfterMs
  }
  expect(nowMs).toBeGreaterThan(0)
  expect(start(budget, 'greedy', 50)).toHaveLength(1)
})

it('has no limit with a share of 0', () => {
  const budget = new RenderBudget(0, 2, () => 0)
  for (let n = 0; n < 5000; n++) expect(() => budget.reserve('free', 1e6, contended)(1e6)).not.toThrow()
})
