import { expect, test } from 'vitest'
import { runsOf } from './folder-albums.ts'

test.each<[string, string, string, [string, string?][]]>([
  ['at the end', 'abc', 'a', [['bc']]],
  ['in front of the next one that is there', 'abcdef', 'be', [['a', 'b'], ['cd', 'e'], ['f']]],
  ['nowhere, when all are there', 'abc', 'abc', []],
])('images of a folder are added %s', (_, images, inIt, runs) => {
  const expected = runs.map(([ids, before]) => ({ ids: ids.split(''), before }))
  expect(runsOf(images.split(''), new Set(inIt))).toEqual(expected)
})
