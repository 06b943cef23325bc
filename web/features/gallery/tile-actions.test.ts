import { expect, test } from 'vitest'
import { fitting } from './tile-actions.tsx'

const actions = ['view', 'copy', 'share', 'embed', 'analyze', 'extend', 'qr', 'delete'].map((id) => ({ id }))

test.each([
  [9, ['copy', 'share']],
  [3, ['copy', 'share']],
  [2, []],
  [1, []],
  [0, []],
])('in the space of %d buttons an image has copy, share and the menu, or the menu alone', (maxButtons, ids) => {
  const result = fitting(actions, maxButtons)
  expect(result.shown.map(({ id }) => id)).toEqual(ids)
  expect(result.hasMore).toBe(true)
})

test('without actions there is no menu', () => {
  expect(fitting([], 0)).toEqual({ shown: [], hasMore: false })
})
