// Documents against the code that they list or are generated from: limits, failures, endpoints, routes.
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { paths } from '../contract/plain/page-paths.ts'
import { routes } from '../contract/plain/routes.ts'
import { apiDoc } from './api-doc.ts'
import { decisionsPage } from './decisions-doc.ts'
import { order } from './import-rules.ts'
import { referencePage } from './reference-doc.ts'

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
const pagePaths: string[] = Object.values(paths)
const sectionOf = (page: string, heading: string) => page.split(`\n## ${heading}`)[1]?.split('\n## ')[0] ?? ''
/** Everything in backticks at the start of the items of its lists. */
const listedIn = (section: string) =>
  section
    .split('\n')
    .flatMap((line) => [...(/^- (`.*?`): /.exec(line)?.[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, code = '']) => code))

it('docs/behaviour.md lists the routes of the page, and no others', () => {
  const listed = listedIn(sectionOf(read('docs/behaviour.md'), 'Pages'))
  expect(listed.toSorted(inOrder)).toEqual(pagePaths.toSorted(inOrder))
})

const roomTables = Object.keys(order).filter((folder) => folder !== 'web/features')

it.each(roomTables)('docs/architecture.md says what each room of %s/ is for', (folder) => {
  const section = read('docs/architecture.md').split(`\n### ${folder}/\n`)[1]?.split('\n#')[0] ?? ''
  const heads = section.split('\n').map((line) => /^- (`.*?`): /.exec(line)?.[1] ?? '')
  const listed = heads.flatMap((head) => [...head.matchAll(/`([^`/]+?)(?:\/.*?|\.ts)?`/g)].map(([, name]) => name))
  const rooms = order[folder]?.flat() ?? []
  // Two files of web/ that need no explanation.
  expect(rooms.filter((room) => !listed.includes(room) && !['main', 'paths'].includes(room))).toEqual([])
})

it('docs/api.md lists every endpoint by method and path', () => {
  const page = read('docs/api.md')
  expect(Object.values(routes).filter((route) => !page.includes(`### ${route}\n`))).toEqual([])
})

it.each([
  ['docs/api.md', apiDoc],
  ['docs/reference.md', referencePage],
  ['docs/decisions/README.md', decisionsPage],
])('%s is up to date (npm run docs writes it)', (path, page) => {
  expect(read(path)).toBe(page())
})

const wordsOf = (paths: string[]) => paths.flatMap((path) => read(path).split(/\s+/).filter(Boolean)).length
const pagesIn = (folder: string) =>
  readdirSync(new URL(`../${folder}`, import.meta.url))
    .filter((name) => name.endsWith('.md'))
    .map((name) => (folder === '.' ? name : `${folder}/${name}`))

it('the hand-written documents have at most 25,000 words, and docs/api.md at most 10,000', () => {
  // Generated, or records: of changes, and of the requirements of a standard. docs/decisions are records, too.
  const others = ['CHANGELOG', 'docs/api', 'docs/configuration', 'docs/metrics', 'docs/reference', 'docs/asvs']
  const pages = ['.', '.github', 'docs', 'docs/recipes', 'faults']
    .flatMap(pagesIn)
    .filter((path) => !others.includes(path.replace('.md', '')))
  expect(pages.length).toBeGreaterThan(30)
  expect(wordsOf(pages)).toBeLessThanOrEqual(25_000)
  expect(wordsOf(['docs/api.md'])).toBeLessThanOrEqual(10_000)
})

it('e2e/screens opens every route of the page', () => {
  const screens = readdirSync(new URL('../e2e/screens', import.meta.url))
    .map((name) => read(`e2e/screens/${name}`))
    .join('\n')
  // The second path of the API documentation is the same screen.
  const opened = pagePaths.filter((path) => path !== paths.apiDocsPage)
  expect(opened.filter((path) => !new RegExp(`['"\`]${path}['"\`?#$]`).test(screens))).toEqual([])
})

function inOrder(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
