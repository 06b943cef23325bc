import { expect, it } from 'vitest'
import { SharedPermits } from './shared-permits.ts'

it('alternates between its waiters, and skips those with no job left', () => {
  const permits = new SharedPermits(1)
  const acquiredBy: string[] = []
  const jobsLeft = { a: 2, b: 2, idle: 0 }
  const waiter = (name: keyof typeof jobsLeft) => ({
    startQueued() {
      if (jobsLeft[name] > 0 && permits.tryAcquire(this)) {
        jobsLeft[name]--
        acquiredBy.push(name)
      }
    },
  })
  const [a, b, idle] = [waiter('a'), waiter('b'), waiter('idle')]
  a.startQueued()
  expect([permits.tryAcquire(idle), permits.tryAcquire(b)]).toEqual([false, false])
  for (const releasing of [a, b, a, b]) {
    permits.release()
    releasing.startQueued()
  }
  expect(acquiredBy).toEqual(['a', 'b', 'a', 'b'])
  expect(permits.tryAcquire(idle)).toBe(true)
})

it('gives as many permits as there are, and the next one to the first waiter', () => {
  const permits = new SharedPermits(2)
  const holder = { startQueued: () => {} }
  const woken: string[] = []
  const waiter = (name: string) => ({
    startQueued() {
      if (permits.tryAcquire(this)) woken.push(name)
    },
  })
  expect([permits.tryAcquire(holder), permits.tryAcquire(holder)]).toEqual([true, true])
  for (const name of ['first', 'second']) expect(permits.tryAcquire(waiter(name))).toBe(false)
  permits.release()
  expect(woken).toEqual(['first'])
  permits.release()
  expect(woken).toEqual(['first', 'second'])
})
