import { expect, test } from 'vitest'
import { moveBy, movesBack, moveToSlot, orderAfter } from './album-order.ts'

const list = 'abcdefg'.split('')
const after = (move: { ids: readonly string[]; before: string | undefined } | undefined) =>
  move === undefined ? undefined : orderAfter(list, move).join('')

test.for([
  ['b', 0, 'bacdefg'],
  ['b', 1, undefined],
  ['b', 2, undefined],
  ['b', 3, 'acbdefg'],
  ['b', 7, 'acdefgb'],
  ['fb', 4, 'acdbfeg'],
  ['ab', 0, undefined],
  ['ac', 0, 'acbdefg'],
  ['ac', 1, 'acbdefg'],
] as const)('%s dropped at slot %i gives %s', ([ids, slot, expected]) => {
  expect(after(moveToSlot(list, new Set(ids), slot))).toBe(expected)
})

test.for([
  ['b', 1, 'acbdefg'],
  ['b', -1, 'bacdefg'],
  ['a', -1, undefined],
  ['g', 1, undefined],
  ['b', 100, 'acdefgb'],
  ['bc', 1, 'adbcefg'],
  ['bf', 1, 'acbfdeg'],
  ['bf', -1, 'bfacdeg'],
] as const)('%s moved by %i gives %s', ([ids, slots, expected]) => {
  expect(after(moveBy(list, new Set(ids), slots))).toBe(expected)
})

test('a place that is not loaded takes no image', () => {
  const grown = ['a', 'b', undefined, undefined]
  expect(moveToSlot(grown, new Set(['a']), 2)).toBeUndefined()
  expect(moveBy(grown, new Set(['a']), 1)).toBeUndefined()
  expect(movesBack(grown, new Set(['b']))).toBeUndefined()
  expect(movesBack(grown, new Set(['a']))).toEqual([{ ids: ['a'], before: 'b' }])
})

test.for(['b', 'ab', 'fg', 'bdf', 'adeg', 'abcdefg'])('moving %s is undone by the moves back', (ids) => {
  const moved = new Set(ids)
  for (const slot of [0, 3, 7]) {
    const move = moveToSlot(list, moved, slot)
    if (move === undefined) continue
    let order: readonly (string | undefined)[] = orderAfter(list, move)
    for (const back of movesBack(list, moved) ?? []) order = orderAfter(order, back)
    expect(order.join('')).toBe('abcdefg')
  }
})
