import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { proseFiles, repositoryPaths } from './prose.ts'
import { apiFields, fileNames, namesIn, readGlossary, wrongNames } from './terms.ts'

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
const glossary = read('docs/glossary.md')
const terms = readGlossary(glossary)
const names = [...namesIn(proseFiles(), read('.env.example')), ...apiFields()]

it('every row of the glossary has a term, words that it replaces and a spelling', () => {
  expect(terms.length).toBe(glossary.split('\n').filter((line) => line.startsWith('| ')).length - 1)
  expect(terms.filter(({ avoided, allowed }) => avoided.length === 0 || allowed.length === 0)).toEqual([])
})

it('exported names, headings, settings, metrics, help, API fields and labels keep to the glossary', () => {
  expect(wrongNames(terms, names)).toEqual([])
})

it('file names keep to the glossary', () => {
  expect(wrongNames(terms, fileNames(repositoryPaths()))).toEqual([])
})

it.each([
  ['an exported name', 'server/http/bind.ts', 'bind'],
  ['a name of the library', 'client/index.ts', 'connect'],
  ['a heading', 'docs/security.md', 'Trust boundaries'],
  ['a setting', '.env.example', 'PORT'],
  ['a metric', 'docs/metrics.md', 'image_host_images'],
  ['the help of a command', 'server/cli/account-commands.ts', 'creates an account'],
  ['an API field', 'contract/', 'file_name'],
  ['a label', 'web/texts/messages.ts', 'Skip to content'],
])('%s is looked at', (_kind, path, text) => {
  expect(names.some((name) => name.path === path && name.text.includes(text))).toBe(true)
})

describe('a planted name', () => {
  const files = (source: string, path = 'server/http/planted.ts') => namesIn([{ path, source }], '')
  const sentencesOf = (found: typeof names) => wrongNames(terms, found).map((text) => text.split(',')[0])

  it.each([
    ['const', 'export const hotPictures = 1', 'hotPictures'],
    ['function', 'export function refuseNoLogin() {}', 'refuseNoLogin'],
    ['type', 'export interface SignInForm { name: string }', 'SignInForm'],
    ['renamed export', 'const a = 1\nexport { a as bossId }', 'bossId'],
  ])('that is an exported %s is found', (_kind, source, name) => {
    expect(sentencesOf(files(source))).toEqual([expect.stringContaining(`server/http/planted.ts: "${name}" has`)])
  })

  it.each([
    ['help', 'server/cli/planted-command.ts', "export const a = { help: 'lists the pictures' }"],
    ['a label', 'web/texts/planted.ts', "export const a = { title: 'Sign in' }"],
    ['a heading', 'docs/planted.md', '# The database browser\n'],
    ['a scenario', 'faults/planted.fault.ts', 'export const protocol = 1'],
  ])('in %s is found', (_kind, path, source) => expect(sentencesOf(files(source, path))).toHaveLength(1))

  it('of a file, a setting or a metric is found', () => {
    expect(sentencesOf(fileNames(['server/domain/moderation/near-matches.ts']))).toHaveLength(1)
    expect(sentencesOf(namesIn([], '# PICTURE_DIR=\n'))).toHaveLength(1)
    expect(sentencesOf(files('| `image_host_pictures` | gauge | x |', 'docs/metrics.md'))).toHaveLength(1)
  })

  it.each([
    ['a sentence', 'web/texts/planted.ts', "export const a = 'Sign in to see every picture that you have uploaded.'"],
    ['a comment', 'server/http/planted.ts', '// A picture of the boss.\nexport const a = 1'],
    ['a local name', 'server/http/planted.ts', 'const picture = 1\nexport const a = picture'],
    ['another folder', 'server/http/planted.ts', 'export const protocol = 1'],
    ['an older spelling', '.env.example', ''],
  ])('in %s is not looked at', (_kind, path, source) => {
    expect(sentencesOf([...files(source, path), ...namesIn([], 'LOG_PICTURES=\n')])).toEqual([])
  })
})
