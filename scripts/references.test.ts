import { expect, test } from 'vitest'
import { proseFiles, repositoryPaths } from './prose.ts'
import { deadReferences, sentenceOf } from './references.ts'

test('every reference in comments and documents resolves', () => {
  const dead = deadReferences(proseFiles(), repositoryPaths())
  expect(dead.map(sentenceOf)).toEqual([])
})

const page = { path: 'docs/specification.md', source: '# Specification\n## 5 Image delivery\n## Limits\n' }
const paths = ['docs/', page.path, 'docs/decisions/0021-fair-lanes.md', 'server/http/', 'server/http/bind.ts']
const deadIn = (path: string, source: string) => deadReferences([page, { path, source }], paths).map(({ text }) => text)

test.each([
  ['a file', '// See server/http/binds.ts.', 'server/http/binds.ts'],
  ['a folder', '// Everything in server/https/.', 'server/https/'],
  ['a file without its folder', '// Done in binds.ts.', 'binds.ts'],
  ['a file in backticks', '// Done in `binds.ts`.', 'binds.ts'],
  ['a decision record', '// Why: docs/decisions/0099.', 'docs/decisions/0099'],
  ['a section of a page, by number', '// docs/specification.md section 6', 'docs/specification.md section 6'],
  ['a section of a page, by heading', '// docs/specification.md, "Numbers"', 'docs/specification.md, "Numbers"'],
  ['a section of nothing', '// The order follows section 4.', 'section 4'],
  ['a numbered decision', '// As in decisions 1 to 3.', 'decisions 1'],
  ['a document outside of the repository', '// See ui.md for the look.', 'ui.md'],
  ['rules outside of the repository', '// One of the security rules.', 'security rules'],
])('a dead reference to %s is found', (_target, source, text) => {
  expect(deadIn('server/http/bind.ts', source)).toContain(text)
})

test('a dead link of a document is found', () => {
  expect(deadIn('README.md', 'See [there](docs/nowhere.md).')).toContain('docs/nowhere.md')
})

test.each([
  '// server/http/bind.ts, `bind.ts`, server/http/ and server/{http}/*.ts',
  '// docs/decisions/0021 and docs/decisions/0021-fair-lanes.md',
  '// docs/specification.md section 5; docs/specification.md, "Limits"',
  '// RFC 9110 section 14.2, and ITU-T T.81 section B.1',
  '// The PNG specification allows it.',
])('%s resolves', (source) => {
  expect(deadIn('server/http/bind.ts', source)).toEqual([])
})
