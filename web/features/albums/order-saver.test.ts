import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createOrderSaver } from './order-saver.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const list = ['a', 'b', 'c', 'd']

function saver() {
  const saved: string[] = []
  const open: (() => void)[] = []
  const order = createOrderSaver(async ({ ids, before }, from) => {
    saved.push(`${ids.join('')}<${before} of ${from.join('')}`)
    await new Promise<void>((resolve) => open.push(resolve))
  })
  return { saved, order, finish: async () => (open.shift()?.(), await vi.advanceTimersByTimeAsync(0)) }
}

test('presses of a key in a row are one request, from where the image was at first', async () => {
  const { saved, order } = saver()
  order.add({ ids: ['a'], before: 'c' }, list, false)
  order.add({ ids: ['a'], before: 'd' }, ['b', 'a', 'c', 'd'], false)
  expect(saved).toEqual([])
  await vi.advanceTimersByTimeAsync(500)
  expect(saved).toEqual(['a<d of abcd'])
})

test('moves of other images are saved in their order, each after the one before', async () => {
  const { saved, order, finish } = saver()
  order.add({ ids: ['a'], before: 'c' }, list, false)
  order.add({ ids: ['b'], before: undefined }, list, true)
  await vi.advanceTimersByTimeAsync(0)
  expect(saved).toEqual(['a<c of abcd'])
  await finish()
  expect(saved).toEqual(['a<c of abcd', 'b<undefined of abcd'])
})

test('what waits is saved when the page is left', async () => {
  const { saved, order } = saver()
  order.add({ ids: ['a'], before: 'c' }, list, false)
  order.flush()
  await vi.advanceTimersByTimeAsync(0)
  expect(saved).toHaveLength(1)
})
