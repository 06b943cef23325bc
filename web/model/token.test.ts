import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { discardRefusedToken, endRemovedSession, refusedTokens, setToken, token } from './token.ts'

beforeEach(() => {
  vi.spyOn(console, 'info').mockReturnValue(undefined)
  setToken('mine')
})
afterEach(() => vi.unstubAllGlobals())

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

test('a session ends when its token was removed from the storage', () => {
  const stored = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
  setToken('stored')
  const before = refusedTokens.get()
  expect(endRemovedSession()).toBe(false)
  stored.clear()
  expect(endRemovedSession()).toBe(true)
  expect(token.get()).toBeNull()
  expect(refusedTokens.get()).toBe(before + 1)
})

test('a session that could not be stored continues', () => {
  expect(endRemovedSession()).toBe(false)
  expect(token.get()).toBe('mine')
})
