// Journeys with 100,000 images, of their owner and of an admin: how many tiles scrolling mounts, and that the keyboard reaches every
// image.
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { tokenOf, uploadTo } from './api-calls.ts'
import { type RunningServer, startServer } from './server.ts'
import { keepToken } from './log-in.ts'
import { openDatabase } from './open-database.ts'
import { expect, test } from './test.ts'

const count = 100_000
const account = { email: 'many@example.com', password: 'a lot of pictures' }
const admin = { email: 'boss@example.com', password: 'secret boss' }
/** Sizes as cameras, phones and screens produce them. */
const sides = [
  [1500, 1000],
  [1000, 1500],
  [1200, 900],
  [1000, 1000],
  [1600, 900],
  [750, 1334],
  [3000, 700],
] as const

test.describe.configure({ mode: 'serial', timeout: 180_000 })
// The rows exist, their files do not: the tests are about the list, which must work without the images.
test.use({ expectedConsole: [/status of (409|500|503)/] })

let server: RunningServer
let token: string

test.beforeAll(async () => {
  test.setTimeout(120_000)
  const first = await startServer()
  token = await tokenOf(first.url, 'register', account)
  expect((await uploadTo(first.url, { token, name: 'newest.jpg' })).status).toBe(201)
  await first.kill()
  await seed(first.dataDir)
  server = await startServer({
    dataDir: first.dataDir,
    env: { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password },
  })
})
test.afterAll(async () => void (await server?.stop()))

/** Inserts copies of the uploaded row, each one hour older. The server must not run. */
async function seed(dataDir: string): Promise<void> {
  const database = await openDatabase(join(dataDir, 'image-host.sqlite'))
  const own: Record<string, string> = {
    id: 'key',
    file_name: "key || '.jpg'",
    original_name: "'picture ' || n || '.jpg'",
    width: `CASE n % ${sides.length} ${sides.map(([width], at) => `WHEN ${at} THEN ${width}`).join(' ')} END`,
    height: `CASE n % ${sides.length} ${sides.map(([, height], at) => `WHEN ${at} THEN ${height}`).join(' ')} END`,
    created_at: 'created_at - n * 3600000',
  }
  const columns = Object.keys(database.prepare('SELECT * FROM images').get() as object)
  database.exec(`
    WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count - 1}),
      keys AS MATERIALIZED (SELECT n, lower(hex(randomblob(11))) AS key FROM numbers)
    INSERT INTO images (${columns.join()})
    SELECT ${columns.map((name) => own[name] ?? name).join()} FROM images, keys;
    UPDATE users SET image_count = ${count};
  `)
  database.close()
}

async function openDashboard(page: Page): Promise<void> {
  await keepToken(page, token, server.url)
  await page.goto(`${server.url}/dashboard`)
  await expect(page.getByRole('link', { name: /^newest\.jpg, / })).toBeVisible()
  // The list has its full height before its pages are loaded.
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollHeight)).toBeGreaterThan(1_000_000)
}

interface Seen {
  mostTiles: number
  /** Tiles added between two frames. */
  mostAdded: number
  shifts: number
}

/** Counts the tiles in every frame and those added since the frame before, and sums the unexpected layout shifts. */
const watch = (page: Page) =>
  page.evaluate(() => {
    const seen = { mostTiles: 0, mostAdded: 0, shifts: 0 }
    Object.assign(window, { seen })
    new PerformanceObserver((list) => {
      const entries = list.getEntries() as unknown as { value: number; hadRecentInput: boolean }[]
      // Changing the view may move the list.
      for (const { value, hadRecentInput } of entries) if (!hadRecentInput) seen.shifts += value
    }).observe({ type: 'layout-shift', buffered: true })
    let added = 0
    const countAdded = (records: MutationRecord[]) => {
      const nodes = records.flatMap(({ addedNodes }) => [...addedNodes])
      added += nodes.filter((node) => node instanceof Element && node.matches('li[aria-setsize]')).length
    }
    const mutations = new MutationObserver(countAdded)
    mutations.observe(document.querySelector('main') ?? document.body, { childList: true, subtree: true })
    const countFrame = () => {
      countAdded(mutations.takeRecords())
      seen.mostAdded = Math.max(seen.mostAdded, added)
      added = 0
      seen.mostTiles = Math.max(seen.mostTiles, document.querySelectorAll('main li[aria-setsize]').length)
      requestAnimationFrame(countFrame)
    }
    countFrame()
  })
const seen = (page: Page) => page.evaluate(() => (window as unknown as { seen: Seen }).seen)

async function scrollByWheel(page: Page): Promise<void> {
  await page.mouse.move(640, 500)
  for (let turn = 0; turn < 40; turn += 1) {
    await page.mouse.wheel(0, 500)
    await page.waitForTimeout(30)
  }
}

/** Scrolls as dragging the scroll bar from top to bottom does. */
const scrollByJumps = (page: Page) =>
  page.evaluate(async () => {
    const { scrollHeight } = document.documentElement
    for (let step = 1; step <= 25; step += 1) {
      scrollTo({ top: (scrollHeight * step) / 25, behavior: 'instant' })
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  })

for (const view of ['grid', 'list'] as const) {
  test(`scrolling 100,000 images in the ${view} view mounts few tiles and shifts no layout`, async ({ page }) => {
    await openDashboard(page)
    if (view === 'list') await switchToList(page)
    await watch(page)
    await scrollByWheel(page)
    await scrollByJumps(page)
    const { mostTiles, mostAdded, shifts } = await seen(page)
    expect(mostTiles).toBeGreaterThan(5)
    expect(mostTiles).toBeLessThanOrEqual(80)
    expect(mostAdded).toBeGreaterThan(0)
    // A jump can mount two windows within a frame: placeholders, then images.
    expect(mostAdded).toBeLessThanOrEqual(2 * 80)
    expect(shifts).toBeLessThanOrEqual(0.02)
  })
}

async function switchToList(page: Page): Promise<void> {
  await page.getByRole('link', { name: /^newest\.jpg, / }).focus()
  await page.keyboard.press('v')
  await expect(page.getByRole('listitem').filter({ hasText: 'newest.jpg' })).toContainText('KB')
}

test('the keyboard reaches the last of 100,000 images and returns', async ({ page }) => {
  await openDashboard(page)
  await page.getByRole('link', { name: /^newest\.jpg, / }).focus()
  await page.keyboard.press('End')
  const last = page.getByRole('link', { name: `picture ${count - 1}.jpg` })
  await expect(last).toBeFocused()
  await expect(last).toBeInViewport()
  await expect(page.getByRole('listitem').filter({ has: last })).toHaveAttribute('aria-posinset', String(count))
  await page.keyboard.press('Home')
  await expect(page.getByRole('link', { name: /^newest\.jpg, / })).toBeFocused()
})

test('the viewer says that an image of the list is not there yet, and loads it again', async ({ page }) => {
  const nextPages = /\/api\/images\?.*cursor=/
  await page.route(nextPages, (route) => route.fulfill({ status: 503, body: '' }))
  await openDashboard(page)
  // The page of 100 images ends within the window: the one after it is asked for, and refused.
  await page.getByRole('listitem').and(page.locator('[aria-posinset="1"]')).getByRole('link').focus()
  await expect(async () => {
    await page.keyboard.press('PageDown')
    await expect(page.getByRole('alert').filter({ hasText: 'The server is busy' })).toBeVisible({ timeout: 300 })
  }).toPass()
  await page.getByRole('listitem').and(page.locator('[aria-posinset="99"]')).getByRole('link').click()
  const viewer = page.getByRole('dialog', { name: 'Image viewer' })
  await expect(viewer.getByText('99 of 100,000', { exact: true })).toBeVisible()
  for (let step = 0; step < 3; step++) {
    await page.keyboard.press('ArrowRight')
    await expect(viewer.getByText(`${100 + step} of 100,000`, { exact: true })).toBeVisible()
  }
  const failure = viewer.getByRole('group', { name: '102 of' }).getByRole('alert')
  await expect(failure).toHaveText(/This image could not be loaded/)
  await failure.getByRole('button', { name: 'Try again' }).click()
  await expect(failure).toHaveText(/This image could not be loaded/, { timeout: 15_000 })
  await page.unroute(nextPages)
  await failure.getByRole('button', { name: 'Try again' }).click()
  await expect(viewer.getByRole('group', { name: '102 of' }).getByText('picture 101.jpg')).toBeVisible()
})

test('the admin page lists 100,000 images with few tiles, and finds one by its name', async ({ page }) => {
  const answer = await page.request.post(`${server.url}/api/login`, { data: admin })
  await keepToken(page, ((await answer.json()) as { token: string }).token, server.url)
  await page.goto(`${server.url}/admin?tab=images`)
  await expect(page.getByText('100,000 images', { exact: true })).toBeVisible()
  await watch(page)
  const items = page.getByRole('listitem').filter({ has: page.getByRole('checkbox') })
  await page.getByRole('button', { name: 'View newest.jpg' }).focus()
  // The next page loads while the end of the list is in view.
  await expect(async () => {
    await page.keyboard.press('End')
    const position = await page.locator('li:focus-within').getAttribute('aria-posinset', { timeout: 1000 })
    expect(Number(position)).toBeGreaterThanOrEqual(1000)
  }).toPass()
  await scrollByWheel(page)
  const { mostTiles, mostAdded, shifts } = await seen(page)
  expect(mostTiles).toBeLessThanOrEqual(80)
  expect(mostAdded).toBeLessThanOrEqual(2 * 80)
  expect(shifts).toBeLessThanOrEqual(0.02)
  await page.getByRole('searchbox').fill('picture 98765')
  await expect(page.getByText('1 image found')).toBeVisible()
  await expect(items).toHaveCount(1)
})

test('merging a tag of very many images says first that it cannot be undone', async ({ page }) => {
  const headers = { authorization: `Bearer ${token}` }
  const ids: string[] = []
  for (let next = `/api/images?limit=100`; ids.length < 1001;) {
    const response = await page.request.get(server.url + next, { headers })
    ids.push(...((await response.json()) as { id: string }[]).map(({ id }) => id))
    next = /<([^>]+)>; rel="next"/.exec(response.headers()['link'] ?? '')?.[1]?.replace(/^https?:\/\/[^/]+/, '') ?? ''
  }
  for (let at = 0; at < 1001; at += 100) {
    const data = { ids: ids.slice(at, Math.min(at + 100, 1001)), add: ['many'] }
    expect((await page.request.post(`${server.url}/api/tags/images`, { headers, data })).status()).toBe(200)
  }
  await page.request.post(`${server.url}/api/tags/images`, { headers, data: { ids: ids.slice(0, 1), add: ['few'] } })
  await keepToken(page, token, server.url)
  await page.goto(`${server.url}/tags`)

  await page.getByRole('button', { name: 'Rename few' }).click()
  const name = page.getByRole('textbox', { name: 'Name' })
  await name.fill('many')
  await name.press('Enter')
  await expect(page.getByText('There is a tag many already. Merge both into one?', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()

  await page.getByRole('button', { name: 'Rename many' }).click()
  await name.fill('few')
  await name.press('Enter')
  await expect(page.getByText('many has so many images that this cannot be undone.')).toBeVisible()
  await page.getByRole('button', { name: 'Merge' }).click()
  await expect(page.getByText('many is merged into few')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Undo' })).toHaveCount(0)
  await expect(page.getByRole('list', { name: 'Your tags' }).getByRole('listitem')).toHaveText(['few1,001 images'])
})
