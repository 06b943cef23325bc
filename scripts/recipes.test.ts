// Steps of docs/recipes/ that neither the compiler nor the tests of their subject would miss.
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { webhookEventNames } from '../contract/plain/webhook-events.ts'
import { allTables } from '../server/domain/backups/table-list.ts'
import { userPages } from '../web/app/pages.ts'
import { codeFormats } from '../web/features/embed/code-formats.ts'
import { about } from '../web/texts/prose.ts'
import { pages as preloadedPages } from './early-script.ts'

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
const sectionOf = (page: string, heading: string) => page.split(`\n## ${heading}`)[1]?.split('\n## ')[0] ?? ''

it('docs/architecture.md says what every table holds', () => {
  const model = sectionOf(read('docs/architecture.md'), 'Data model')
  expect(allTables.filter((name) => !model.includes(`\`${name}\``))).toEqual([])
})

it('docs/clients.md names every host whose API the server speaks', () => {
  const listed = sectionOf(read('docs/clients.md'), 'Compatible APIs').toLowerCase()
  const shared = ['api.ts', 'routes.ts', 'schemas.ts']
  const hosts = readdirSync(new URL('../contract/compat', import.meta.url))
    .filter((file) => !shared.includes(file))
    .map((file) => file.replace('.ts', ''))
  expect(hosts.length).toBeGreaterThan(3)
  expect(hosts.filter((host) => !listed.includes(host))).toEqual([])
})

it.each(webhookEventNames)('the event %s is sent by the server, and described in docs/integrate.md', (event) => {
  const sources = readdirSync(new URL('../server/domain', import.meta.url), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((path) => read(`server/domain/${path}`))
  expect(sources.some((source) => source.includes(`'${event}'`))).toBe(true)
  expect(read('docs/integrate.md')).toContain(`| \`${event}\` |`)
})

it('the page of every signed-in route is preloaded with the document', () => {
  const preloaded = Object.keys(preloadedPages)
  expect(userPages.map(([path]) => path).filter((path) => !preloaded.includes(path))).toEqual([])
  const loaded = read('web/app/pages.ts')
  const unknown = Object.values(preloadedPages).filter((file) => !loaded.includes(`'../${file.replace('web/', '')}'`))
  expect(unknown).toEqual([])
})

it('texts that count the embed formats count them right', () => {
  const words = [
    'zero',
    'one',
    'two',
    'three',
    'four',
    'five',
    'six',
    'seven',
    'eight',
    'nine',
    'ten',
    'eleven',
    'twelve',
  ]
  const word = words[codeFormats.length] ?? String(codeFormats.length)
  expect(JSON.stringify(about)).toContain(`Embed code for ${word} languages`)
  expect(read('web/texts/dashboard-messages.ts')).toContain(`documents in ${word} formats`)
})
