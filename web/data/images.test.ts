import { expect, test } from 'vitest'
import { nextCursor } from './images.ts'

test.each([
  [null, undefined],
  ['', undefined],
  ['<https://i.example/api/images?limit=50&cursor=a%20b>; rel="next"', 'a b'],
  ['</api/images?cursor=abc>; rel=next', 'abc'],
  ['</api/images>; rel="first", </api/images?cursor=2>; rel="next"', '2'],
  ['</api/images?cursor=1>; rel="prev"', undefined],
  ['</api/images>; rel="next"', undefined],
])('nextCursor(%j) is %j', (link, expected) => {
  expect(nextCursor(link)).toBe(expected)
})
