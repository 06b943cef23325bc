import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { inTurn, partsOf } from './change-images.ts'

const page = new EventTarget()
beforeEach(() => {
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
})
afterEach(() => vi.unstubAllGlobals())

/** Whether the browser would ask. */
const asks = () => !page.dispatchEvent(new Event('beforeunload', { cancelable: true }))

it('asks before the page is left while several parts are done, and not after the last or a failure', () => {
  const asked = []
  for (const part of inTurn(partsOf([1, 2, 3], 2))) asked.push([part, asks()])
  expect(asked).toEqual([
    [[1, 2], true],
    [[3], true],
  ])
  expect(asks()).toBe(false)
  const fail = () => {
    for (const part of inTurn(partsOf([1, 2], 1))) throw new Error(`part ${part[0]}`)
  }
  expect(fail).toThrow('part 1')
  expect(asks()).toBe(false)
})

it('does not ask where one request does all', () => {
  const parts = inTurn(partsOf([1, 2], 2))
  expect(parts.next().value).toEqual([1, 2])
  expect(asks()).toBe(false)
})
