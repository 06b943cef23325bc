import { expect, it } from 'vitest'
import { TokenBuckets } from './token-buckets.ts'

function open() {
  let nowMs = 0
  const buckets = new TokenBuckets({ capacity: 1000, perMs: 0.5, now: () => nowMs })
  return { buckets, pass: (ms: number) => (nowMs += ms) }
}

it('a budget can be spent at once, fills up again steadily, and never exceeds its capacity', () => {
  const { buckets, pass } = open()
  expect(buckets.left('a')).toBe(1000)
  buckets.spend('a', 900)
  expect([buckets.left('a'), buckets.left('b')]).toEqual([100, 1000])
  pass(400)
  expect(buckets.left('a')).toBe(300)
  expect(buckets.waitMs('a', 350)).toBe(100)
  expect(buckets.waitMs('a', 300)).toBe(0)
  pass(1_000_000)
  expect(buckets.left('a')).toBe(1000)
})

it('can be overdrawn by as much as it holds, which is paid back first', () => {
  const { buckets, pass } = open()
  buckets.spend('a', 5000)
  expect(buckets.left('a')).toBe(-1000)
  pass(2000)
  expect(buckets.left('a')).toBe(0)
})

it('loses no more than its budget to what may not overdraw it', () => {
  const { buckets } = open()
  buckets.spend('a', 5000, false)
  expect(buckets.left('a')).toBe(0)
  buckets.spend('a', 100)
  buckets.spend('a', 100, false)
  expect(buckets.left('a')).toBe(-100)
})
