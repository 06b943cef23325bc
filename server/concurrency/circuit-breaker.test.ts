import { beforeEach, expect, it } from 'vitest'
import { StoreUnavailable } from '../blobs/blob-store.ts'
import { type Attempt, openBreaker } from './circuit-breaker.ts'

let now: number
let begin: () => Attempt
beforeEach(() => {
  now = 0
  begin = openBreaker(() => now)
})
const fail = (times: number) => {
  for (let n = 0; n < times; n++) begin().failed()
}

it('opens after five failures in a row, and says for how long', () => {
  fail(4)
  begin().succeeded()
  fail(4)
  begin().failed()
  expect(begin).toThrow(StoreUnavailable)
  now = 900
  expect(begin).toThrow(expect.objectContaining({ retryAfterS: 2 }))
})

it('lets one through after a while: its failure closes the door again, its success opens it for all', () => {
  fail(5)
  now = 2000
  const trial = begin()
  expect(begin).toThrow(expect.objectContaining({ retryAfterS: 1 }))
  trial.failed()
  now = 3999
  expect(begin).toThrow(StoreUnavailable)
  now = 4000
  begin().succeeded()
  fail(4)
  begin()
})

it('lets the others in as soon as the one is answered, and out again when its answer breaks off', () => {
  fail(5)
  now = 2000
  const trial = begin()
  trial.answered()
  begin().abandoned()
  trial.failed()
  expect(begin).toThrow(StoreUnavailable)
})

it('lets the next one through when the first has left', () => {
  fail(5)
  now = 2000
  begin().abandoned()
  begin()
  expect(begin).toThrow(StoreUnavailable)
})

it('counts an attempt once, whatever is told about it', () => {
  const attempt = begin()
  for (let n = 0; n < 5; n++) attempt.failed()
  attempt.succeeded()
  fail(3)
  begin().failed()
  expect(begin).toThrow(StoreUnavailable)
})
