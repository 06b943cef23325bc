import { beforeEach, expect, test, vi } from 'vitest'
import { discardRefusedToken, refusedTokens, setToken, token } from './token.ts'

beforeEach(() => {
  vi.spyOn(console, 'info').mockReturnValue(undefined)
  setToken('mine')
})

test('a refused token is counted before it is removed', () => {
  const seen: (string | null)[] = []
  const stop = refusedTokens.subscribe(() => seen.push(token.get()))
  discardRefusedToken('mine')
  stop()
  expect(token.get()).toBeNull()
  expect(seen).toEqual(['mine'])
})

test('the refusal of an older token does not remove a newer one', () => {
  const before = refusedTokens.get()
  setToken('newer')
  discardRefusedToken('mine')
  expect(token.get()).toBe('newer')
  expect(refusedTokens.get()).toBe(before)
})
