import { expect, it } from 'vitest'
import { SharedMutex } from './shared-mutex.ts'

it('alternates between its waiters, and skips those with no job left', () => {
  const mutex = new SharedMutex()
  const acquiredBy: string[] = []
  const jobsLeft = { a: 2, b: 2, idle: 0 }
  const waiter = (name: keyof typeof jobsLeft) => ({
    onMutexFree() {
      if (jobsLeft[name] > 0 && mutex.tryAcquire(this)) {
        jobsLeft[name]--
        acquiredBy.push(name)
      }
    },
  })
  const [a, b, idle] = [waiter('a'), waiter('b'), waiter('idle')]
  a.onMutexFree()
  expect([mutex.tryAcquire(idle), mutex.tryAcquire(b)]).toEqual([false, false])
  for (const releasing of [a, b, a, b]) {
    mutex.release()
    releasing.onMutexFree()
  }
  expect(acquiredBy).toEqual(['a', 'b', 'a', 'b'])
  expect(mutex.tryAcquire(idle)).toBe(true)
})
