import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ImageQuery, parseImageQuery, problemText, queryOperators } from './image-query.ts'
import { dayMs, hourMs, limits } from './limits.ts'
import { normalizeTag, tagTerm } from './tag-names.ts'

/** What a query says, without the places of its terms. */
const meaningOf = (query: string) =>
  parseImageQuery(query).terms.map(({ start: _start, end: _end, isExcluded, ...condition }) =>
    isExcluded ? { not: condition } : condition,
  )
const problemOf = (query: string) => {
  const { problem } = parseImageQuery(query)
  return problem && problemText(problem)
}
const text = (value: string) => ({ kind: 'text', text: value })

test.each([
  'photo',
  'red cat',
  ' two  spaces ',
  'Ä-7',
  '50% \\_',
  '5" screen',
  '"not closed',
  'a\tb\n',
  '12:30',
  'https://example.com/a.png',
  'typ:png',
  '-',
  '--x',
  'my private photo',
])('%j is one text, with its spaces', (query) => {
  expect(meaningOf(query)).toEqual([text(query)])
})

test.each([
  ['', []],
  ['  ', []],
  ['""', []],
  ['"red cat" dog', [text('red cat'), text('dog')]],
  ['red  cat tag:a dog', [text('red  cat'), { kind: 'tag', tag: 'a' }, text('dog')]],
  ['-draft', [{ not: text('draft') }]],
  ['photo -"red cat"', [text('photo'), { not: text('red cat') }]],
  ['"-draft"', [text('-draft')]],
  ['tag:Travel/Italy', [{ kind: 'tag', tag: 'travel/italy' }]],
  ['TAG:x', [{ kind: 'tag', tag: 'x' }]],
  ['-tag:x', [{ not: { kind: 'tag', tag: 'x' } }]],
  ['tag:"summer  2025 / beach" y', [{ kind: 'tag', tag: 'summer 2025/beach' }, text('y')]],
  ['tag:"being typed', [{ kind: 'tag', tag: 'being typed' }]],
  ['tag:none', [{ kind: 'tag', tag: null }]],
  ['tag:"none"', [{ kind: 'tag', tag: 'none' }]],
  ['album:"Italy  2026" y', [{ kind: 'album', album: 'Italy 2026' }, text('y')]],
  ['-album:Italy', [{ not: { kind: 'album', album: 'Italy' } }]],
  ['album:none', [{ kind: 'album', album: null }]],
  ['album:"none"', [{ kind: 'album', album: 'none' }]],
  ['private', [{ kind: 'visibility', visibility: 'private' }]],
  ['-private', [{ not: { kind: 'visibility', visibility: 'private' } }]],
  ['"private"', [text('private')]],
  ['is:Public', [{ kind: 'visibility', visibility: 'public' }]],
  ['type:png', [{ kind: 'type', formats: ['png'] }]],
  ['type:JPG,gif', [{ kind: 'type', formats: ['jpeg', 'gif'] }]],
  ['expires:<7d', [{ kind: 'expires', comparison: '<', ms: 7 * dayMs }]],
  ['expires:>=2w', [{ kind: 'expires', comparison: '>=', ms: 14 * dayMs }]],
  ['before:2026-01-31', [{ kind: 'uploaded', side: 'before', at: { utcMs: Date.UTC(2026, 0, 31) } }]],
  ['after:2026-02', [{ kind: 'uploaded', side: 'from', at: { utcMs: Date.UTC(2026, 1) } }]],
  ['after:2026', [{ kind: 'uploaded', side: 'from', at: { utcMs: Date.UTC(2026) } }]],
  ['after:12h', [{ kind: 'uploaded', side: 'from', at: { agoMs: 12 * hourMs } }]],
  ['size:>2mb', [{ kind: 'size', comparison: '>', bytes: 2 * 1024 ** 2 }]],
  ['size:<=1.5KB', [{ kind: 'size', comparison: '<=', bytes: 1536 }]],
  ['views:>100', [{ kind: 'views', comparison: '>', views: 100 }]],
] as const)('%j', (query, meaning) => {
  expect(problemOf(query)).toBeUndefined()
  expect(meaningOf(query)).toEqual(meaning)
})

test.each([
  ['tag:', "'tag:' at character 1: expected a tag, such as tag:holiday, or tag:none"],
  ['album:', '\'album:\' at character 1: expected the title of an album, such as album:"Italy 2026", or album:none'],
  ['cat tag://', "'tag://' at character 5: expected a tag, such as tag:holiday, or tag:none"],
  [
    'x type:exe',
    "'type:exe' at character 3: expected one of png, jpeg, webp, gif, svg, or several with commas between them",
  ],
  [
    'expires:7d',
    "'expires:7d' at character 1: expected a time such as <7d or >4w, in h, d, w, m or y, or expires:never",
  ],
  [
    'before:2026-02-30',
    "'before:2026-02-30' at character 1: expected a date such as 2026-01-31, 2026-01 or 2026, or a time ago such as 30d",
  ],
  ['-size:2mb', "'-size:2mb' at character 1: expected a size such as >2mb or <500kb"],
  ['views:>many', "'views:>many' at character 1: expected a number such as >100 or <5"],
  ['is:mine', "'is:mine' at character 1: expected is:private or is:public"],
  ['x'.repeat(101), `'${'x'.repeat(101)}' at character 1: expected at most 100 characters of text`],
  ['tag:a '.repeat(21), "'tag:a' at character 121: expected at most 20 terms"],
])('%j is refused by its term and place', (query, problem) => {
  expect(problemOf(query)).toBe(problem)
})

test('the other terms of a query with a problem can be shown', () => {
  expect(meaningOf('cat type:exe tag:a')).toEqual([text('cat'), { kind: 'tag', tag: 'a' }])
})

test.each(Object.entries(queryOperators))('the example of %s is a query', (name, { example }) => {
  expect(example.startsWith(`${name}:`)).toBe(true)
  expect(problemOf(example)).toBeUndefined()
})

const pieces = fc.constantFrom(
  ...Object.keys(queryOperators).map((name) => `${name}:`),
  ...[
    '-',
    '"',
    ' ',
    '<',
    '>=',
    '7d',
    '2mb',
    '2026-01-01',
    'none',
    'private',
    'png',
    'a/b',
    ',',
    '%',
    '\\',
    '\0',
    '\ud800',
  ],
)
const anyQuery = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(fc.oneof(pieces, fc.string({ unit: 'grapheme', maxLength: 5 })), { maxLength: 40 })
    .map((all) => all.join('')),
)

function expectSound(query: string, { terms, problem }: ImageQuery): void {
  expect(terms.length).toBeLessThanOrEqual(limits.list.maxTerms)
  let last = 0
  for (const { start, end } of terms) {
    expect(start).toBeGreaterThanOrEqual(last)
    expect(end).toBeGreaterThan(start)
    expect(end).toBeLessThanOrEqual(query.length)
    last = end
  }
  if (problem) expect(query.slice(problem.start, problem.end)).toBe(problem.term)
}

test('any text is read, in the order of its terms and within its bounds', () => {
  fc.assert(
    fc.property(anyQuery, (query) => expectSound(query, parseImageQuery(query))),
    { numRuns: 3000 },
  )
})

test('a term alone means what it means among others', () => {
  const check = (query: string) => {
    const { terms, problem } = parseImageQuery(query)
    fc.pre(problem === undefined)
    // Beside other words, `private` is one of them.
    const { length } = terms.filter(({ kind }) => kind !== 'text')
    const alone = terms.flatMap(({ kind, start, end }) => (kind === 'text' ? [] : meaningOf(query.slice(start, end))))
    expect(alone).toHaveLength(length)
    for (const meaning of alone) expect(meaningOf(query)).toContainEqual(meaning)
  }
  fc.assert(fc.property(anyQuery, check), { numRuns: 1000 })
})

test('words without operators and quotes are always one text', () => {
  const word = fc.stringMatching(/^[\p{L}\d._%][\p{L}\d._%-]{0,8}$/u).filter((letters) => letters !== 'private')
  const spaced = fc.array(fc.tuple(word, fc.constantFrom(' ', '  ', '\t')), { minLength: 1, maxLength: 6 })
  const queries = spaced.map((all) => all.flat().join(''))
  const check = (query: string) => {
    expect(meaningOf(query)).toEqual([text(query)])
  }
  fc.assert(fc.property(queries, check))
})

test.each([
  ['Holidays', 'holidays'],
  ['  Travel / North  Italy/ ', 'travel/north italy'],
  ['a//b', 'a/b'],
  ['Cafe\u0301', 'café'],
  ['a\u200bb', 'ab'],
  ['Smith, "John"', 'smith john'],
  ['/', undefined],
  ['x'.repeat(101), undefined],
  ['a/b/c/d/e/f/g/h/i', undefined],
])('the tag %j is stored as %j', (sent, stored) => {
  expect(normalizeTag(sent)).toBe(stored)
})

test('a stored tag stays the same, and its term finds it', () => {
  const check = (sent: string) => {
    const tag = normalizeTag(sent)
    fc.pre(tag !== undefined)
    expect(normalizeTag(tag)).toBe(tag)
    expect(meaningOf(tagTerm(tag))).toEqual([{ kind: 'tag', tag }])
    expect(meaningOf(`x -${tagTerm(tag)} y`)[1]).toEqual({ not: { kind: 'tag', tag } })
  }
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 120 }), check), { numRuns: 3000 })
})
