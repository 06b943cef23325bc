// Documents against the code that they list: failures, endpoints, routes, commands.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { failures } from '../contract/failures.ts'
import { paths } from '../contract/page-paths.ts'
import { routes } from '../contract/routes.ts'
import { apiDoc } from './api-doc.ts'

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
const specification = read('docs/specification.md')
const pagePaths: string[] = Object.values(paths)
const sectionOf = (page: string, heading: string) => page.split(`\n## ${heading}`)[1]?.split('\n## ')[0] ?? ''
/** Everything in backticks in the first cells of a table. */
const firstCells = (section: string) =>
  section
    .split('\n')
    .flatMap((line) =>
      [...(/^\| (`.*?) \|/.exec(line)?.[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, code = '']) =>
        code.replaceAll('\\|', '|'),
      ),
    )

describe('docs/specification.md', () => {
  it.each(Object.entries(failures))('lists the failure %s', (code, { status, text }) => {
    expect(sectionOf(specification, '7. ')).toContain(`| ${status} | \`${code}\` | ${text} |`)
  })

  it('lists every endpoint under image delivery or HTTP API', () => {
    const listed = sectionOf(specification, '5. ') + sectionOf(specification, '6. ')
    const endpointPaths = Object.values(routes).map((route) => route.split(' ')[1] ?? '')
    expect(endpointPaths.filter((path) => !listed.includes(path))).toEqual([])
  })

  it('lists the routes of the page, and no others', () => {
    const listed = firstCells(sectionOf(specification, '2. '))
    expect(listed.toSorted(inOrder)).toEqual(pagePaths.toSorted(inOrder))
  })
})

it('docs/api.md is up to date (npm run api-doc writes it)', () => {
  expect(read('docs/api.md')).toBe(apiDoc())
})

it('e2e/routes.ts opens every route of the page', () => {
  const screens = read('e2e/routes.ts')
  // The second path of the API documentation is the same screen.
  const opened = pagePaths.filter((path) => path !== paths.apiDocsPage)
  expect(opened.filter((path) => !new RegExp(`['"\`]${path}['"\`?#$]`).test(screens))).toEqual([])
})

it.each([
  ['docs/operate.md', 'server/cli'],
  ['docs/command.md', 'command'],
])('%s lists every command of %s, and no others', (page, folder) => {
  const usages = readdirSync(new URL(`../${folder}`, import.meta.url))
    .filter((name) => name.endsWith('-command.ts') || name.endsWith('-commands.ts'))
    .flatMap((name) =>
      [...read(`${folder}/${name}`).matchAll(/\busage: ['"`](.+)['"`],/g)].map(([, usage = '']) => usage),
    )
  expect(usages.length).toBeGreaterThan(5)
  expect(firstCells(sectionOf(read(page), 'Commands')).toSorted(inOrder)).toEqual(usages.toSorted(inOrder))
})

function inOrder(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
