// Measures further screens like `page`, in a database of 1,000,000 users, images and documents.
import { jpeg } from '../e2e/e2e-images.ts'
import { keepToken } from '../e2e/log-in.ts'
import { admin, adminSettings, logIn, requestJson, store } from '../faults/client.ts'
import { copyImage } from './copied-images.ts'
import { type Database, withDatabase } from './databases.ts'
import { fillDatabase } from './documents-fill.ts'
import { readMetrics } from './page-observer.ts'
import type { Form, Benchmark, Table } from './benchmark.ts'
import { rowsOf, type ScreenMetrics, type ThrottledPage, visitRounds } from './throttled-browser.ts'
import { withServer } from '../faults/resources.ts'

const shape = { short: { many: 1_000, rounds: 1 }, full: { many: 1_000_000, rounds: 5 } } as const
const pin = '1234'
const dayMs = 86_400_000
/** Images of the visitor, all about to expire. They are the newest ones. */
const expiring = 200

interface Screen {
  name: string
  path: string
  /** The database view, which replaces the documentation. */
  isUnlocked?: true
  /** Waits for the content that the visitor came for. */
  waitFor: (page: ThrottledPage['page']) => Promise<unknown>
  /** Clicks and presses keys. */
  use: (page: ThrottledPage['page']) => Promise<unknown>
}

const screens: Screen[] = [
  {
    name: 'API documentation',
    path: '/api-docs#endpoints',
    waitFor: (page) => page.getByRole('tabpanel').first().waitFor(),
    async use(page) {
      await page.getByRole('searchbox', { name: 'Search endpoints' }).pressSequentially('upload')
      await page.getByRole('tab', { name: 'Examples' }).click()
      await page.getByRole('tab', { name: 'Authentication' }).click()
    },
  },
  {
    name: 'database view',
    path: '/api-docs?db=many',
    isUnlocked: true,
    waitFor: (page) => page.getByRole('rowheader').first().waitFor(),
    async use(page) {
      const ofPage2 = page.waitForResponse(/skip=/)
      await page.getByRole('button', { name: 'Next page' }).click()
      await ofPage2
      await page.getByRole('checkbox', { name: 'Select all on this page' }).click()
      await page
        .getByRole('checkbox', { name: /^Select many/ })
        .first()
        .click()
    },
  },
  {
    name: 'admin: statistics',
    path: '/admin',
    waitFor: (page) => page.getByRole('heading', { name: 'Storage by owner' }).waitFor(),
    use: (page) => page.getByRole('tab', { name: 'Cleanup' }).click(),
  },
  {
    name: 'admin: users',
    path: '/admin?tab=users',
    waitFor: (page) => page.getByRole('rowheader').first().waitFor(),
    async use(page) {
      await page.getByRole('button', { name: /^Edit/ }).first().click()
      await page.getByRole('dialog', { name: 'Edit user' }).waitFor()
      await page.keyboard.press('Escape')
    },
  },
  {
    name: 'admin: images',
    path: '/admin?tab=images',
    waitFor: (page) => page.getByRole('checkbox').first().waitFor(),
    async use(page) {
      await page.getByRole('checkbox').nth(1).click()
      await page
        .getByRole('button', { name: /^View / })
        .first()
        .click()
      await page.getByRole('dialog').getByRole('img').first().waitFor()
      await page.keyboard.press('Escape')
    },
  },
  {
    name: `notifications, ${expiring} expiring images`,
    path: '/notifications',
    waitFor: (page) =>
      page
        .getByRole('button', { name: /^Extend picture/ })
        .first()
        .waitFor(),
    use: (page) =>
      page
        .getByRole('button', { name: /^Extend picture/ })
        .nth(1)
        .click(),
  },
]

export const benchmark: Benchmark = {
  title: 'further screens in Chromium, 4G (9 Mbit/s, 170 ms), processor 4 times slower, each opened by its address',
  run: (form) => withDatabase('sqlite', (folder, database) => measure(form, folder, database)),
}

async function measure(form: Form, dataDir: string, { kind, run: sql }: Database): Promise<Table[]> {
  const { many, rounds } = shape[form]
  const env = { ...adminSettings, DB_VIEW_PIN: pin }
  const first = await withServer({ dataDir, env }, async ({ url }) =>
    store(url, await jpeg(1500, 1000), { token: await logIn(url, admin) }),
  )
  await copyImage(dataDir, first.id, expiring - 1)
  await sql(`update images set expires_at = ${Date.now() + 3 * dayMs}`)
  for (const statement of fillDatabase(kind, many)) await sql(statement)
  return withServer({ dataDir, env }, async ({ url }) => {
    const tables: Table[] = []
    for (const screen of screens) {
      const found = await visitRounds(rounds, (throttled) => visit(throttled, url, screen))
      tables.push({ title: screen.name, rows: rowsOf(found) })
    }
    return tables
  })
}

async function visit(
  { page, bytes }: ThrottledPage,
  url: string,
  { path, isUnlocked, waitFor, use }: Screen,
): Promise<ScreenMetrics> {
  const token = await logIn(url, admin)
  await keepToken(page, token, url)
  if (isUnlocked) {
    const { token: opened } = await requestJson<{ token: string }>(`${url}/db/unlock`, { body: { pin }, token })
    // As the page stores it.
    const stored = JSON.stringify({ token: opened, endsAt: Date.now() + 900_000, session: token.slice(-16) })
    await page.evaluate((value) => sessionStorage.setItem('database', value), stored)
  }
  const before = bytes()
  await page.goto(url + path, { waitUntil: 'networkidle' })
  await waitFor(page)
  const { lcpMs, shifts } = await readMetrics(page, true)
  await use(page)
  await page.waitForLoadState('networkidle')
  const { slowestInputMs, longestTaskMs } = await readMetrics(page)
  return { lcpMs, shifts, slowestInputMs, longestTaskMs, bytes: bytes() - before }
}
