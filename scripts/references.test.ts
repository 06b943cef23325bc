import { expect, test } from 'vitest'
import { proseFiles, repositoryPaths } from './prose.ts'
import { deadReferences } from './references.ts'

test('every reference in comments and documents resolves', () => {
  expect(deadReferences(proseFiles(), repositoryPaths())).toEqual([])
})

const page = 'docs/behaviour.md'
const paths = ['docs/', page, 'docs/decisions/0021-fair-lanes.md', 'server/http/', 'server/http/bind.ts']
const deadIn = (path: string, source: string) => deadReferences([{ path, source }], paths)

test.each([
  ['a file', '// See server/http/binds.ts.', 'server/http/binds.ts'],
  ['a folder', '// Everything in server/https/.', 'server/https/'],
  ['a file without its folder', '// Done in binds.ts.', 'binds.ts'],
  ['a file in backticks', '// Done in `binds.ts`.', 'binds.ts'],
  ['a decision record', '// Why: docs/decisions/0099.', 'docs/decisions/0099'],
])('a dead reference to %s is found', (_target, source, text) => {
  expect(deadIn('server/http/bind.ts', `const a = 1\n${source}`)).toContain(
    `server/http/bind.ts:2 "${text}" does not exist`,
  )
})

test('a dead link of a document is found', () => {
  expect(deadIn('README.md', 'See [there](nowhere.html).')).toEqual(['README.md:1 "nowhere.html" does not exist'])
})

test.each([
  '// server/http/bind.ts, `bind.ts`, server/http/ and server/{http}/*.ts',
  '// docs/decisions/0021 and docs/decisions/0021-fair-lanes.md',
  "const a = 'server/http/binds.ts'",
])('%s resolves', (source) => {
  expect(deadIn('server/http/bind.ts', source)).toEqual([])
})
