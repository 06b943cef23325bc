import { expect, test } from 'vitest'
import { proseFiles } from './prose.ts'
import { sentenceOf, wordingFindings } from './wording.ts'

test('comments, test titles and documents use established terms', () => {
  // scripts/wording.ts and its test quote the words.
  const files = proseFiles().filter(({ path }) => !path.startsWith('scripts/wording'))
  expect(files.flatMap(wordingFindings).map(sentenceOf)).toEqual([])
})

test.each([
  ['a line comment', 'a.ts', '// Whoever calls this.', 'Whoever'],
  ['a block comment', 'a.tsx', 'const a = 1\n/** The value that\n * nobody reads. */\n', 'nobody'],
  ['a comment of a script', 'a.mjs', '// It tells the time.', 'tells'],
  ['a style sheet', 'a.css', '/* Room for the button. */ a { color: red }', 'Room'],
  ['a phrase over two line comments', 'a.ts', '// The value that is had in\n// mind.', 'in mind'],
  ['a document', 'a.md', 'The answer is sent.', 'answer'],
  ['a test title', 'a.test.ts', "it('answers with 404', () => {})", 'answers'],
  ['the title of a table of tests', 'a.test.ts', "test.each([[1]])('kept for %s days', () => {})", 'kept'],
])('a left-out word is found in %s', (_place, path, source, word) => {
  expect(wordingFindings({ path, source }).map((finding) => finding.word)).toEqual([word])
})

test.each([
  ['code', 'a.ts', "const answer = 'kept'"],
  ['code in backticks', 'a.md', 'The value of `kept` and\n\n```\nanswer\n```\n'],
  ['two comments with code between them', 'a.ts', '// in\nconst a = 1\n// mind'],
  ['the name of a status', 'a.ts', '// Responds 410 Gone, image_gone.'],
  ['a part of a longer word', 'a.ts', '// A mushroom, unforgettable.'],
])('%s is not prose', (_place, path, source) => {
  expect(wordingFindings({ path, source })).toEqual([])
})
