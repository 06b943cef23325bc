import { expect, test } from 'vitest'
import { matching } from './matching.ts'

const names = ['users', 'Makes', 'models', '<b>']

test.each([
  ['', names],
  ['  ', names],
  ['M', ['Makes', 'models']],
  [' kes ', ['Makes']],
  ['.*', []],
  ['<', ['<b>']],
])('%j', (typed, found) => {
  expect(matching(names, typed)).toEqual(found)
})
