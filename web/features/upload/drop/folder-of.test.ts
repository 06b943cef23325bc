import { expect, test } from 'vitest'
import { inOrder } from './folder-of.ts'

test.each([
  ['numbers by their value', ['a/1.jpg', 'a/2.jpg', 'a/10.jpg']],
  ['a folder before one with a longer name', ['Day/a.jpg', 'Day/b.jpg', 'Day 2/a.jpg']],
  ['folder by folder, also when only an accent differs', ['e/1.jpg', 'e/2.jpg', 'é/1.jpg', 'é/2.jpg']],
])('a chosen folder is sorted: %s', (_, paths) => {
  expect(inOrder(paths.toReversed(), (path) => path)).toEqual(paths)
})
