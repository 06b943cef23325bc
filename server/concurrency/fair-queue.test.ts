import { describe, expect, it } from 'vitest'
import { DecayingUsage } from './decaying-usage.ts'
import { FairQueue } from './fair-queue.ts'

const drain = (queue: FairQueue<string>) => Array.from({ length: queue.size }, () => queue.dequeue())

function open({ maxCostMs = 1000, maxLength = 1000 } = {}) {
  let nowMs = 0
  const usage = new DecayingUsage(() => 0)
  const queue = new FairQueue<string>({ maxCostMs, maxLength }, usage, () => nowMs)
  return { queue, usage, pass: (ms: number) => (nowMs += ms) }
}

describe('FairQueue', () => {
  it('is first in, first out among callers who used nothing', () => {
    const { queue } = open()
    for (const name of ['a1', 'b1', 'c1']) queue.enqueue(name.slice(0, 1), name, 10)
    expect(drain(queue)).toEqual(['a1', 'b1', 'c1'])
    expect(queue.dequeue()).toBeUndefined()
  })

  it('serves light callers before those who used much', () => {
    const { queue, usage } = open()
    usage.charge('flood', 4000)
    usage.charge('often', 300)
    for (const name of ['flood', 'often', 'new']) queue.enqueue(name, name, 10)
    expect(drain(queue)).toEqual(['new', 'often', 'flood'])
  })

  it('serves a light caller before most of what a heavy one has queued at once', () => {
    const { queue, pass } = open()
    for (let n = 0; n < 9; n++) queue.enqueue('page', `p${n}`, 10)
    pass(50)
    queue.enqueue('new', 'n', 10)
    expect(drain(queue).slice(0, 4)).toEqual(['p0', 'p1', 'n', 'p2'])
  })

  it('delays a heavy caller by five seconds at most, however many new callers come', () => {
    const { queue, usage, pass } = open({ maxCostMs: 1e6 })
    usage.charge('page', 1e6)
    queue.enqueue('page', 'image', 10)
    for (let n = 0; n < 100; n++) {
      pass(100)
      queue.enqueue(`new ${n}`, String(n), 10)
    }
    // One of those that came in the same moment as the image is due.
    expect(drain(queue).indexOf('image')).toBe(49)
  })

  it('evicts what is due last: the jobs of a flood, not the page of a reader', () => {
    const { queue } = open({ maxCostMs: 100 })
    for (let n = 0; n < 10; n++) expect(queue.enqueue('flood', `f${n}`, 10)).toEqual([])
    expect(queue.enqueue('reader', 'r0', 10)).toEqual(['f9'])
    expect(queue.enqueue('reader', 'r1', 10)).toEqual(['f8'])
    expect(queue.enqueue('flood', 'f10', 10)).toEqual(['f10'])
    expect(queue.enqueue('reader', 'r2', 15)).toEqual(['f7', 'f6'])
    expect([queue.size, queue.costMs]).toEqual([9, 95])
  })

  it('evicts a newcomer when new callers alone fill it: those who wait longer come first', () => {
    const { queue, pass } = open({ maxLength: 3 })
    for (const name of ['a', 'b', 'c']) {
      queue.enqueue(name, name, 1)
      pass(1)
    }
    expect(queue.enqueue('d', 'd', 1)).toEqual(['d'])
  })

  it('lets a page of a hundred images pass a flood that has waited longer, and evicts none of it', () => {
    const { queue, pass } = open({ maxCostMs: 60_000, maxLength: 5000 })
    for (let n = 0; n < 2000; n++) queue.enqueue('flood', `f${n}`, 30)
    pass(2000)
    const evicted = Array.from({ length: 100 }, (_, n) => queue.enqueue('reader', `r${n}`, 30)).flat()
    expect(evicted).toEqual(Array.from({ length: 100 }, (_, n) => `f${1999 - n}`))
    expect(drain(queue).lastIndexOf('r99')).toBeLessThan(300)
  })

  it('counts the networks of an IPv6 site together: a page passes them, however many they are', () => {
    const { queue } = open({ maxCostMs: 60_000, maxLength: 5000 })
    for (let n = 0; n < 2000; n++) queue.enqueue(`2001:db8:1:${n.toString(16)}::/64`, `f${n}`, 30)
    const evicted = Array.from({ length: 100 }, (_, n) => queue.enqueue('reader', `r${n}`, 30)).flat()
    expect(evicted.filter((item) => item.startsWith('r'))).toEqual([])
    queue.enqueue('2001:db8:2:1::/64', 'another site', 30)
    expect(drain(queue).indexOf('another site')).toBeLessThan(5)
  })

  it('an item that several callers wait for is due when the first of them is, is served once, and counts for each', () => {
    const { queue, usage } = open()
    usage.charge('flood', 4000)
    usage.charge('often', 300)
    queue.enqueue('flood', 'f1', 10)
    queue.enqueue('flood', 'f2', 10)
    queue.enqueue('often', 'o1', 10)
    queue.join('new', 'f2')
    queue.join('new', 'f2')
    queue.join('new', 'no such item')
    queue.enqueue('new', 'n1', 10)
    expect(queue.size).toBe(4)
    expect(drain(queue)).toEqual(['f2', 'n1', 'o1', 'f1'])
    expect([queue.size, queue.costMs, queue.hasOtherCallers()]).toEqual([0, 0, false])
  })

  it('joining is no way past others: what a caller joins delays it like its own jobs', () => {
    const { queue, usage, pass } = open({ maxCostMs: 1e6 })
    usage.charge('first', 1e6)
    for (let n = 0; n < 100; n++) queue.enqueue('first', `x${n}`, 50)
    for (let n = 0; n < 100; n++) queue.join('accomplice', `x${n}`)
    pass(1000)
    queue.enqueue('reader', 'r', 50)
    expect(drain(queue).indexOf('r')).toBeLessThan(7)
  })

  it('an item that a reader joined is not evicted with the flood that asked for it first', () => {
    const { queue } = open({ maxCostMs: 100 })
    for (let n = 0; n < 10; n++) queue.enqueue('flood', `f${n}`, 10)
    queue.join('reader', 'f9')
    expect(queue.enqueue('other', 'o', 10)).toEqual(['f8'])
  })

  it('knows whether others wait', () => {
    const { queue } = open()
    expect(queue.hasOtherCallers('a')).toBe(false)
    queue.enqueue('a', 'a1', 1)
    expect([queue.hasOtherCallers('a'), queue.hasOtherCallers('b')]).toEqual([false, true])
    queue.join('b', 'a1')
    expect([queue.hasOtherCallers('a'), queue.hasOtherCallers('a', 'b')]).toEqual([true, false])
  })

  it('removes a queued item once', () => {
    const { queue } = open()
    queue.enqueue('a', 'a1', 1)
    expect([queue.remove('a1'), queue.remove('a1'), queue.size]).toEqual([true, false, 0])
  })
})
