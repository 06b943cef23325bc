import { expect, it } from 'vitest'
import { OneAtATime } from './shared-mutex.ts'

it('goes by turns of those who wait, and past those who have nothing to do any more', () => {
  const room = new OneAtATime()
  const entered: string[] = []
  const left = { a: 2, b: 2, idle: 0 }
  const sharer = (name: keyof typeof left) => ({
    next() {
      if (left[name] > 0 && room.enter(this)) {
        left[name]--
        entered.push(name)
      }
    },
  })
  const [a, b, idle] = [sharer('a'), sharer('b'), sharer('idle')]
  a.next()
  expect([room.enter(idle), room.enter(b)]).toEqual([false, false])
  for (const leaving of [a, b, a, b]) {
    room.leave()
    leaving.next()
  }
  expect(entered).toEqual(['a', 'b', 'a', 'b'])
  expect(room.enter(idle)).toBe(true)
})
