// Only a failure from the contract counts as a correct refusal.
import { expect, test } from 'vitest'
import { malformed } from './failure-response.ts'

test.each([
  [503, '{"error":"x","code":"busy"}', true],
  [500, '{"error":"x","code":"busy"}', false],
  [503, '{"error":1,"code":"busy"}', false],
  [503, '{"error":"","code":"busy"}', false],
  [503, '{"error":"x","code":"toString"}', false],
  [503, 'null', false],
  [503, '<h1>Bad Gateway</h1>', false],
])('%s %s: valid is %s', (status, body, isValid) => {
  expect(malformed({ status, body: Buffer.from(body) }) === undefined).toBe(isValid)
})
