// What the document loads before the first script has arrived (web/app/early.ts).
import type { Page } from '@playwright/test'
import { jpeg } from './e2e-images.ts'
import { keepToken, logIn, logInAsAdmin, unlock } from './log-in.ts'
import { expect, test } from './test.ts'

/** Opens the page. @returns the scripts that it loaded without a preload, by their names */
async function unexpectedScripts(page: Page, path: string): Promise<string[]> {
  await page.goto(path, { waitUntil: 'networkidle' })
  const [loaded, early] = await page.evaluate(() => {
    const pathOf = (url: string) => new URL(url, location.href).pathname
    const links = document.querySelectorAll<HTMLLinkElement | HTMLScriptElement>('head > :is(link[rel], script[src])')
    const early = [...links].map((link) => pathOf('href' in link ? link.href : link.src))
    const loaded = performance.getEntriesByType('resource').map(({ name }) => pathOf(name))
    return [loaded.filter((name) => /\/assets\/.*\.(js|css)$/.test(name)), early]
  })
  expect(loaded.length).toBeGreaterThan(4)
  return loaded
    .filter((name) => !early.includes(name))
    .map((name) => name.replace(/^.*\/(.*)-[\w-]{7}(\.\w+)$/, '$1$2'))
}

for (const path of ['/', '/dashboard', '/notifications', '/api-keys', '/account', '/api-docs', '/pages/api-docs'])
  test(`the document of ${path} loads all files of a user's page`, async ({ page }) => {
    await logIn(page)
    expect(await unexpectedScripts(page, path)).toEqual([])
  })

test('the documents of the admin page and of the unlocked database view load all of their files', async ({ page }) => {
  const token = await logInAsAdmin(page)
  expect(await unexpectedScripts(page, '/admin')).toEqual([])
  await unlock(page, token)
  expect(await unexpectedScripts(page, '/api-docs')).toEqual([])
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
