import { expect, test } from 'vitest'
import { parseImageQuery } from '../../../../contract/plain/image-query.ts'
import { search } from '../../../texts/tags/search-messages.ts'
import { chipsOf, complete, suggestionsFor, termAt } from './suggestions.ts'

test.each([
  ['', { start: 0, hyphen: '', typed: '' }],
  ['boat ta', { start: 5, hyphen: '', typed: 'ta' }],
  ['boat ', { start: 5, hyphen: '', typed: '' }],
  ['-tag:tr', { start: 0, hyphen: '-', typed: 'tag:tr' }],
  ['x tag:"north s', { start: 2, hyphen: '', typed: 'tag:"north s' }],
  ['"north sea" t', { start: 12, hyphen: '', typed: 't' }],
])('the term that is typed at the end of %j', (query, term) => {
  expect(termAt(query, query.length)).toEqual(term)
})

test.each([
  ['', ['tag:', 'album:', 'type:', 'is:', 'expires:', 'before:', 'after:', 'size:', 'views:', 'viewed:']],
  ['boat e', ['expires:']],
  ['-t', ['tag:', 'type:']],
  ['size:>', ['size:>1mb', 'size:>5mb']],
  ['type:w', ['type:webp']],
  ['is:', ['is:private', 'is:public']],
])('%j is completed by %j', async (query, labels) => {
  expect((await suggestionsFor(query, query.length)).map(({ label }) => label)).toEqual(labels)
})

test.each([
  ['boat ta', 7, 'tag:', 'boat tag:', 9],
  ['boat tag:tr', 11, 'tag:travel', 'boat tag:travel ', 16],
  ['-tag:tr boat', 7, 'tag:travel', '-tag:travel boat', 12],
  ['tag:"north s', 12, 'tag:"north sea"', 'tag:"north sea" ', 16],
])('%j with the caret at %d becomes a term', (query, caret, text, expected, at) => {
  expect(complete(query, caret, { id: '', label: '', text })).toEqual({ query: expected, caret: at })
})

test('each term but words is a chip, which leaves the others when it is removed', () => {
  expect(chipsOf('red boat tag:"north sea"  -type:png x')).toEqual([
    { label: 'tag:"north sea"', rest: 'red boat -type:png x' },
    { label: '-type:png', rest: 'red boat tag:"north sea" x' },
  ])
  expect(chipsOf('red boat')).toEqual([])
})

test.each(Object.keys(search.values))('the suggested value %s is a query', (term) => {
  expect(parseImageQuery(term).problem).toBeUndefined()
})
