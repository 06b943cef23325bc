import { expect, test } from 'vitest'
import { alternate, alternateRounds } from './alternate-rounds.ts'

test('works alternate in reverse order every second round, and warm-up rounds are not counted', async () => {
  const calls: string[] = []
  const work = (name: string) => async () => calls.push(name)
  expect(await alternateRounds([work('a'), work('b')], 2, 0)).toEqual([
    [1, 4],
    [2, 3],
  ])
  expect(calls.join('')).toBe('abba')
  expect((await alternate([work('c')], 3, 2))[0]).toHaveLength(3)
  expect(calls.join('')).toBe('abbaccccc')
})
