// What the document loads before the first script has arrived (web/app/early.ts).
import type { Page, Route } from '@playwright/test'
import { jpeg } from './e2e-images.ts'
import { keepToken, logIn, logInAsAdmin, unlock } from './log-in.ts'
import { expect, test } from './test.ts'

/** Opens the page, which gets only the files that its document loads. @returns their paths */
async function openWithEarlyFiles(page: Page, path: string): Promise<(string | null)[]> {
  // The first script adds preloads to the document.
  await page.route('**/assets/index-*.js', (route) => route.fulfill({ contentType: 'text/javascript', body: '' }))
  await page.goto(path)
  const early = await page.evaluate(() =>
    [...document.querySelectorAll('head > :is(link[rel], script[src])')].map((element) =>
      element.getAttribute(element.localName === 'link' ? 'href' : 'src'),
    ),
  )
  await page.unrouteAll()
  await page.route('**/assets/*', async (route) => {
    if (early.includes(new URL(route.request().url()).pathname)) await route.continue()
  })
  await page.goto(path, { waitUntil: 'commit' })
  return early
}

for (const path of [
  '/',
  '/dashboard',
  '/albums',
  '/tags',
  '/links',
  '/notifications',
  '/api-keys',
  '/account',
  '/api-docs',
  '/pages/api-docs',
])
  test(`the document of ${path} loads all files of a user's page`, async ({ page }) => {
    await logIn(page)
    await openWithEarlyFiles(page, path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible()
  })

test('the documents of the admin page and of the unlocked database view load all of their files', async ({ page }) => {
  const token = await logInAsAdmin(page)
  await openWithEarlyFiles(page, '/admin')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Admin')
  await unlock(page, token)
  await openWithEarlyFiles(page, '/api-docs')
  await expect(page.getByRole('heading', { name: 'No Collection Selected' })).toBeVisible()
})

/** From here on nothing in the page happens because time passes, unless the test lets it. React waits with timers too. */
async function stopClock(page: Page): Promise<void> {
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
}

const publicPaths = [
  '/login',
  '/register',
  '/invitation',
  '/tools',
  '/about',
  '/contact',
  '/report',
  '/privacy',
  '/terms',
]

/** @returns what the pages opened from here on have shown in place of their content */
async function recordLoading(page: Page): Promise<string[]> {
  const shown: string[] = []
  await page.exposeFunction('recordLoading', (text: string) => shown.push(text))
  await page.addInitScript(() => {
    const { recordLoading: record } = window as unknown as { recordLoading: (text: string) => void }
    const look = () => document.querySelectorAll('.loading').forEach(({ textContent }) => record(textContent))
    new MutationObserver(look).observe(document, { childList: true, subtree: true })
  })
  return shown
}

for (const path of [...publicPaths, '/unknown'])
  test(`a guest who opens ${path} sees its content first, from the files that its document loads`, async ({ page }) => {
    await stopClock(page)
    const loading = await recordLoading(page)
    await openWithEarlyFiles(page, path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    expect(loading).toEqual([])
  })

test('the login loads nothing of the dashboard', async ({ page }) => {
  const early = await openWithEarlyFiles(page, '/login')
  expect(early.join()).toMatch(/entry-/)
  expect(early.join()).not.toMatch(/signed-in-|queue-/)
})

test('a user who opens a page for everyone sees its content first', async ({ page }) => {
  await logIn(page)
  await stopClock(page)
  const loading = await recordLoading(page)
  await page.goto('/about')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/About/)
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible()
  expect(loading).toEqual([])
})

test("a slow line shows 'Loading' after a moment, and the content as soon as its script is there", async ({ page }) => {
  const held: Route[] = []
  await page.route('**/assets/contact-*.js', (route) => void held.push(route))
  await stopClock(page)
  await page.goto('/contact', { waitUntil: 'commit' })
  const loading = page.getByText('Loading...')
  await expect
    .poll(async () => {
      await page.clock.runFor(100)
      return loading.isVisible()
    })
    .toBe(true)
  await expect(page.getByRole('banner')).toBeVisible()
  for (const route of held) await route.continue()
  await expect(page.getByRole('heading', { name: 'Contact Us', level: 1 })).toBeVisible()
})

test('the first requests of the dashboard are sent once', async ({ page }) => {
  const token = await logIn(page)
  const file = { name: 'harbour.jpg', mimeType: 'image/jpeg', buffer: await jpeg(600, 400) }
  const headers = { authorization: `Bearer ${token}` }
  expect((await page.request.post('/api/upload', { headers, multipart: { image: file } })).status()).toBe(201)
  const requested: string[] = []
  page.on('request', (request) => requested.push(new URL(request.url()).pathname))
  await page.goto('/dashboard', { waitUntil: 'networkidle' })
  await expect(page.getByRole('link', { name: /^harbour\.jpg/ })).toBeVisible()
  const count = (pattern: RegExp) => requested.filter((path) => pattern.test(path)).length
  expect([/^\/api\/me$/, /^\/api\/images$/, /^\/api\/thumbnail\//].map(count)).toEqual([1, 1, 1])
})

test.describe('a refused session', () => {
  test.use({ expectedConsole: [/status of 401/] })

  test('after a login the dashboard shows the images, which the refused session had requested', async ({ page }) => {
    const email = `early-${crypto.randomUUID()}@example.com`
    const data = { email, password: 'secret screens' }
    expect((await page.request.post('/api/register', { data })).status()).toBe(201)
    await keepToken(page, 'refused')
    await page.goto('/dashboard')
    await page.getByLabel('Email').fill(data.email)
    await page.getByLabel('Password', { exact: true }).fill(data.password)
    await page.getByRole('main').getByRole('button', { name: 'Log in', exact: true }).click()
    await expect(page.getByText('No images yet.')).toBeVisible()
  })
})
