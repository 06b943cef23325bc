import { expect, test } from 'vitest'
import { filterCollections } from './collection-list.tsx'

const names = ['users', 'Makes', 'models', '<b>']

test.each([
  ['', names],
  ['  ', names],
  ['M', ['Makes', 'models']],
  [' kes ', ['Makes']],
  ['.*', []],
  ['<', ['<b>']],
])('%j', (typed, found) => {
  expect(filterCollections(names, typed)).toEqual(found)
})
