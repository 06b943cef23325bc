import { beforeEach, expect, it } from 'vitest'
import { type Attempt, CircuitOpen, createCircuitBreaker } from './circuit-breaker.ts'

let now: number
let begin: () => Attempt
beforeEach(() => {
  now = 0
  begin = createCircuitBreaker(() => now)
})
const fail = (times: number) => {
  for (let n = 0; n < times; n++) begin().failed()
}

it('opens after five consecutive failures, and reports how long it stays open', () => {
  fail(4)
  begin().succeeded()
  fail(4)
  begin().failed()
  expect(begin).toThrow(CircuitOpen)
  now = 900
  expect(begin).toThrow(expect.objectContaining({ retryAfterS: 2 }))
})

it('lets one trial through after a while: its failure opens the circuit again, its success closes it', () => {
  fail(5)
  now = 2000
  const trial = begin()
  expect(begin).toThrow(expect.objectContaining({ retryAfterS: 1 }))
  trial.failed()
  now = 3999
  expect(begin).toThrow(CircuitOpen)
  now = 4000
  begin().succeeded()
  fail(4)
  begin()
})

it('lets other calls through once the trial has a response, and opens again when that response breaks off', () => {
  fail(5)
  now = 2000
  const trial = begin()
  trial.responded()
  begin().abandoned()
  trial.failed()
  expect(begin).toThrow(CircuitOpen)
})

it('lets the next trial through when the first is abandoned', () => {
  fail(5)
  now = 2000
  begin().abandoned()
  begin()
  expect(begin).toThrow(CircuitOpen)
})

it('counts an attempt once, whatever is reported later', () => {
  const attempt = begin()
  for (let n = 0; n < 5; n++) attempt.failed()
  attempt.succeeded()
  fail(3)
  begin().failed()
  expect(begin).toThrow(CircuitOpen)
})
