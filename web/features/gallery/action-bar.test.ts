import { expect, test } from 'vitest'
import { fitting } from './action-bar.tsx'

const actions = ['view', 'copy', 'share', 'embed', 'analyze', 'extend', 'qr', 'delete'].map((id) => ({ id }))

test.each([
  [7, ['copy', 'share', 'embed', 'analyze', 'extend', 'qr', 'delete'], false],
  [6, ['copy', 'share', 'embed', 'analyze', 'delete'], true],
  [3, ['copy', 'delete'], true],
  [1, [], true],
  [0, [], true],
])('%d buttons show the most important actions', (maxButtons, ids, hasMore) => {
  const result = fitting(actions, maxButtons)
  expect(result.shown.map(({ id }) => id)).toEqual(ids)
  expect(result.hasMore).toBe(hasMore)
})

test('without actions there is no menu', () => {
  expect(fitting([], 0)).toEqual({ shown: [], hasMore: false })
})
