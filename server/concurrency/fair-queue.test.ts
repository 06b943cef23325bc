import { describe, expect, it } from 'vitest'
import { DecayingUsage } from './decaying-usage.ts'
import { FairQueue } from './fair-queue.ts'

const drain = (queue: FairQueue<string>) => Array.from({ length: queue.size }, () => queue.dequeue())

describe('FairQueue', () => {
  it('is first in, first out while no caller has usage', () => {
    const queue = new FairQueue<string>(9, new DecayingUsage())
    for (const name of ['a1', 'b1', 'a2']) queue.enqueue(name.slice(0, 1), name)
    expect(drain(queue)).toEqual(['a1', 'b1', 'a2'])
    expect(queue.dequeue()).toBeUndefined()
  })

  it('serves the caller with the least usage first, however many jobs the others have queued', () => {
    const usage = new DecayingUsage(() => 0)
    const queue = new FairQueue<string>(9, usage)
    usage.charge('flood', 4000)
    usage.charge('often', 300)
    for (const name of ['flood', 'often', 'new']) queue.enqueue(name, name)
    expect(drain(queue)).toEqual(['new', 'often', 'flood'])
  })

  it('when full, evicts the last job of the caller with the most entries, then of the one with the most usage', () => {
    const usage = new DecayingUsage(() => 0)
    const queue = new FairQueue<string>(3, usage)
    for (const name of ['a1', 'a2', 'b1']) expect(queue.enqueue(name.slice(0, 1), name)).toEqual([])
    expect(queue.enqueue('c', 'c1')).toEqual(['a2'])
    expect(queue.enqueue('a', 'a3')).toEqual(['a3'])
    usage.charge('b', 10)
    expect(queue.enqueue('d', 'd1')).toEqual(['b1'])
    expect(queue.enqueue('d', 'd2')).toEqual(['d2'])
    expect(drain(queue)).toEqual(['a1', 'c1', 'd1'])
  })

  it('is bounded by cost: many cheap items of one caller evict costly ones of another', () => {
    const queue = new FairQueue<string>(100, new DecayingUsage())
    expect(queue.enqueue('costly', 'x1', 50)).toEqual([])
    expect(queue.enqueue('costly', 'x2', 50)).toEqual([])
    expect(queue.enqueue('cheap', 'y1', 1)).toEqual(['x2'])
    for (let n = 2; n <= 50; n++) expect(queue.enqueue('cheap', `y${n}`, 1)).toEqual([])
    expect(queue.enqueue('cheap', 'y51', 1)).toEqual(['y51'])
    expect(queue.enqueue('other', 'z1', 80)).toEqual(['z1'])
    expect(queue.size).toBe(51)
  })

  it('serves an item as soon as one of the callers who wait for it is due, and once', () => {
    const usage = new DecayingUsage(() => 0)
    const queue = new FairQueue<string>(9, usage)
    usage.charge('flood', 4000)
    usage.charge('often', 300)
    for (const [caller, item] of [
      ['flood', 'f1'],
      ['flood', 'f2'],
      ['often', 'o1'],
    ] as const)
      queue.enqueue(caller, item)
    queue.join('new', 'f2')
    queue.join('new', 'f2')
    queue.join('new', 'no such item')
    expect(queue.size).toBe(3)
    expect(drain(queue)).toEqual(['f2', 'o1', 'f1'])
    expect([queue.size, queue.cost, queue.hasOthers('flood')]).toEqual([0, 0, false])
  })

  it('an item costs the caller who came first, also when it is evicted', () => {
    const queue = new FairQueue<string>(3, new DecayingUsage())
    for (const name of ['a1', 'a2']) queue.enqueue('a', name)
    queue.enqueue('b', 'b1')
    queue.join('b', 'a1')
    queue.join('b', 'a2')
    expect(queue.enqueue('c', 'c1')).toEqual(['a2'])
    expect(drain(queue)).toEqual(['a1', 'b1', 'c1'])
  })

  it('knows whether somebody else waits', () => {
    const queue = new FairQueue<string>(9, new DecayingUsage())
    expect(queue.hasOthers('a')).toBe(false)
    queue.enqueue('a', 'a1')
    expect([queue.hasOthers('a'), queue.hasOthers('b')]).toEqual([false, true])
    queue.join('b', 'a1')
    expect(queue.hasOthers('a')).toBe(true)
  })

  it('removes a queued item once', () => {
    const queue = new FairQueue<string>(3, new DecayingUsage())
    queue.enqueue('a', 'a1')
    expect(queue.remove('a1')).toBe(true)
    expect(queue.remove('a1')).toBe(false)
    expect(queue.size).toBe(0)
  })
})
