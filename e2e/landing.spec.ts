// The size of the landing page: in the files of the build, and in what a browser loads.
import { readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { expect, test } from './test.ts'

/**
 * Transfer sizes at gzip -9. The budget is for all scripts of the page; they had 85.6 kB when it was set. The prerendered
 * document had 6.1 kB.
 */
const budgets = { html: 6500, js: 95_000, css: 16_000, woff2: 30_000 }
type Kind = keyof typeof budgets

const web = fileURLToPath(new URL('../dist/web', import.meta.url))
const kindOf = (path: string) => (Object.keys(budgets) as Kind[]).find((kind) => path.endsWith(`.${kind}`))
const gzipped = (path: string) => gzipSync(readFileSync(web + path), { level: 9 }).length
/** Fonts are already compressed. */
const weightOf = (path: string) => (kindOf(path) === 'woff2' ? readFileSync(web + path).length : gzipped(path))

for (const file of ['/landing.html', '/index.html']) {
  test(`${file} and everything that it loads at once stay within the budget`, () => {
    const loaded = closureOf(file)
    expect([...loaded].filter((path) => kindOf(path) === 'js').length, 'scripts found').toBeGreaterThan(0)
    expect(overBudget(loaded.add(file))).toEqual([])
  })
}

test('a browser loads no more than the budget on /', async ({ page }) => {
  const loaded = new Set<string>()
  page.on('request', (request) => loaded.add(new URL(request.url()).pathname))
  await page.goto('/', { waitUntil: 'networkidle' })
  const files = new Set([...loaded].filter((path) => kindOf(path) !== undefined))
  expect(files.size).toBeGreaterThan(0)
  expect(overBudget(files)).toEqual([])
})

test('the landing page is visible before any script runs', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(process.env.E2E_URL ?? '')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Choose image' })).toBeVisible()
  await context.close()
})

function overBudget(files: Set<string>): string[] {
  return (Object.keys(budgets) as Kind[]).flatMap((kind) => {
    const parts = [...files].filter((path) => kindOf(path) === kind).map((path) => ({ path, bytes: weightOf(path) }))
    const sum = parts.reduce((total, { bytes }) => total + bytes, 0)
    console.log(`${kind}: ${sum} of ${budgets[kind]} bytes`)
    return sum <= budgets[kind] ? [] : [`${kind}: ${sum} bytes, over ${budgets[kind]}: ${JSON.stringify(parts)}`]
  })
}

/** Returns the scripts, styles and fonts named by an HTML file, and the static imports of the scripts; no lazy ones. */
function closureOf(html: string): Set<string> {
  const assets = readdirSync(`${web}/assets`).map((name) => `/assets/${name}`)
  const found = new Set<string>()
  const add = (path: string) => {
    if (!assets.includes(path) || found.has(path)) return
    found.add(path)
    const source = path.endsWith('.js') ? readFileSync(web + path, 'utf8') : ''
    for (const [, name] of source.matchAll(/(?:from|import)\s*["']\.\/([^"']+)["']/g)) add(`/assets/${name}`)
  }
  const source = readFileSync(web + html, 'utf8')
  for (const [, path] of source.matchAll(/(?:src|href)="([^"]+)"/g)) if (path !== undefined) add(path)
  return found
}
