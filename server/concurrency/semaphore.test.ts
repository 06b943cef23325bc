import { describe, expect, it } from 'vitest'
import { createKeyedSemaphores, createSemaphore } from './semaphore.ts'

const rejectWith = () => new Error('busy')

describe('createSemaphore', () => {
  it('gives as many permits as it has, queues in order, and rejects what exceeds the queue', async () => {
    const acquire = createSemaphore({ permits: 2, maxQueued: 2, rejectWith })
    const acquired: number[] = []
    const permits = Array.from({ length: 5 }, async (_, n) => {
      const permit = await acquire()
      acquired.push(n)
      return permit
    })
    await expect(permits[4]).rejects.toThrow('busy')
    expect(acquired).toEqual([0, 1])
    ;(await permits[1])?.[Symbol.dispose]()
    await permits[2]
    expect(acquired).toEqual([0, 1, 2])
    ;(await permits[0])?.[Symbol.dispose]()
    await permits[3]
    expect(acquired).toEqual([0, 1, 2, 3])
  })

  it('rejects who waits longer than maxWaitMs, and frees the place in the queue', async () => {
    const acquire = createSemaphore({ permits: 1, maxQueued: 1, maxWaitMs: 5, rejectWith })
    {
      using _first = await acquire()
      await expect(acquire()).rejects.toThrow('busy')
      await expect(acquire()).rejects.toThrow('busy')
    }
    using _second = await acquire()
  })

  it('has the permit again when its holder fails', async () => {
    const acquire = createSemaphore({ permits: 1, maxQueued: 1, rejectWith })
    const failing = async () => {
      using _permit = await acquire()
      throw new Error('no')
    }
    const [failed, next] = await Promise.allSettled([failing(), acquire()])
    expect([failed.status, next.status]).toEqual(['rejected', 'fulfilled'])
  })
})

describe('createKeyedSemaphores', () => {
  it('limits each key separately', async () => {
    const acquire = createKeyedSemaphores({ permits: 1, maxQueued: 0, rejectWith })
    {
      using _first = await acquire('a')
      await expect(acquire('a')).rejects.toThrow('busy')
      using _other = await acquire('b')
    }
    using _again = await acquire('a')
  })
})
