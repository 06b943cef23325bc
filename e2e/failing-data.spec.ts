// Every page while the request for its data fails: it shows what happened, and "Try again" works.
import type { Page, Route } from '@playwright/test'
import { jpeg } from './e2e-images.ts'
import { logIn, logInAsAdmin } from './log-in.ts'
import {
  adminDataScreens,
  bannerReason,
  type DataScreen,
  enter,
  failureOf,
  userDataScreens,
} from './screens/data-screens.ts'
import { expect, test } from './test.ts'
import { analyze, tile, uploadFor } from './upload.ts'

test.use({ expectedConsole: [/status of (429|503)|ERR_INTERNET_DISCONNECTED/] })

type Fail = (route: Route) => Promise<void>

interface Failure {
  fail: Fail
  reason: RegExp
  /** Of the page's clock at a time: shorter than its time limit, except where that is what passes. */
  stepMs: number
}

const failures: Failure[] = [
  {
    fail: (route) => route.fulfill({ status: 429, headers: { 'retry-after': '1' }, json: {} }),
    reason: /Too many requests/,
    stepMs: 1500,
  },
  { fail: (route) => route.fulfill({ status: 503, body: '' }), reason: /The server is busy/, stepMs: 1500 },
  { fail: async () => {}, reason: /did not respond within 10 seconds/, stepMs: 11_000 },
]

for (const screen of [...userDataScreens, ...adminDataScreens])
  test(`${screen.path} says why there is nothing from ${screen.data}, and recovers`, async ({ page }) => {
    await enter(page, screen)
    await failAndRecover(page, screen)
  })

/** Opens the screen, tries again with each failure, and then without. */
async function failAndRecover(page: Page, { path, data, title, open, hasBanner = false }: DataScreen): Promise<void> {
  const panel = failureOf(page, title)
  const tryAgain = panel.getByRole('button', { name: 'Try again' })
  await page.clock.install()
  for (const [at, { fail, reason, stepMs }] of failures.entries()) {
    await page.route(data, fail)
    if (at > 0) await tryAgain.click()
    else await page.goto(path)
    if (at === 0) await open?.(page)
    const explained = hasBanner ? page.getByRole('alert').filter({ hasText: bannerReason }) : panel
    await passTimeUntil(page, stepMs, async () => {
      await neverEmpty(page)
      await expect(tryAgain).toBeVisible({ timeout: 200 })
      await expect(explained).toContainText(hasBanner ? bannerReason : reason, { timeout: 200 })
    })
    await page.unroute(data)
  }
  await tryAgain.click()
  await expect(panel).toHaveCount(0)
  await neverEmpty(page)
}

/** Lets the page's time pass. */
const passTimeUntil = (page: Page, stepMs: number, check: () => Promise<void>) =>
  expect(async () => {
    await page.clock.fastForward(stepMs)
    await check()
  }).toPass({ intervals: [50] })

const neverEmpty = (page: Page) => expect(page.getByRole('main', { includeHidden: true })).toHaveText(/\S/)

for (const path of ['/', '/dashboard', '/admin'])
  test(`${path} leads to the login without the user, whom the next success brings back`, async ({ page }) => {
    const token = await logInAsAdmin(page)
    await page.clock.install()
    const bar = page
      .getByRole('status')
      .filter({ hasText: 'Your account could not be loaded, but your login is kept.' })
    const tryAgain = bar.getByRole('button', { name: 'Try again' })
    for (const [at, { fail, reason, stepMs }] of failures.entries()) {
      await page.route('**/api/me', fail)
      if (at > 0) await tryAgain.click()
      else await page.goto(path)
      await passTimeUntil(page, stepMs, async () => {
        await neverEmpty(page)
        await expect(bar).toContainText(reason, { timeout: 200 })
      })
      if (at === 0) await expect(page.getByText('Failed to get current user')).toBeVisible()
      await expect(page).toHaveURL(path === '/' ? '/' : `/login?next=${encodeURIComponent(path)}`)
      expect(await page.evaluate(() => localStorage.getItem('token'))).toBe(token)
    }
    await page.unroute('**/api/me')
    await expect(async () => {
      // The focus of the window may be faster, and removes the button.
      if (await bar.isVisible()) await tryAgain.click({ timeout: 500 })
      await expect(page).toHaveURL(path === '/' ? '/dashboard' : path, { timeout: 500 })
    }).toPass()
    await expect(bar).toHaveCount(0)
  })

test('/tools keeps its instructions while the keys cannot be loaded, and sees the upload afterwards', async ({
  page,
}) => {
  await logIn(page)
  await page.clock.install()
  await page.goto('/tools?client=zapier')
  for (const { fail, stepMs } of failures) {
    await page.route('**/api/api-keys', fail)
    await page.getByRole('button', { name: 'Create a key for Zapier' }).click()
    await passTimeUntil(page, stepMs, () =>
      expect(page.getByRole('alert').filter({ hasText: 'Manage keys' })).toBeVisible({ timeout: 200 }),
    )
    await page.unroute('**/api/api-keys')
  }
  await page.getByRole('button', { name: 'Create a key for Zapier' }).click()
  const waiting = page.getByText('Waiting for an upload from Zapier...')
  await expect(waiting).toBeVisible()
  const authorization = await page.getByRole('group', { name: 'Authorization' }).locator('pre').innerText()
  for (const { fail, stepMs } of failures) {
    const asked = page.waitForRequest('**/api/api-keys')
    await page.route('**/api/api-keys', fail)
    await page.clock.fastForward(6000)
    await asked
    await page.clock.fastForward(stepMs)
    await expect(waiting).toBeVisible()
    await expect(page.getByRole('group', { name: 'Authorization' })).toBeVisible()
    await page.unroute('**/api/api-keys')
  }
  const image = { name: 'first.jpg', mimeType: 'image/jpeg', buffer: await jpeg(60, 40) }
  expect((await page.request.post('/api/upload', { headers: { authorization }, multipart: { image } })).status()).toBe(
    201,
  )
  await passTimeUntil(page, 6000, () => expect(page.getByText('It works')).toBeVisible({ timeout: 200 }))
})

test('a wait is counted down', async ({ page }) => {
  await logIn(page)
  await page.clock.install()
  await page.route('**/api/sessions', (route) =>
    route.fulfill({ status: 429, headers: { 'retry-after': '20' }, json: {} }),
  )
  await page.goto('/account')
  await expect(page.getByText('Too many requests. Trying again in 20 seconds.').first()).toBeAttached()
  await passTimeUntil(page, 1000, () =>
    expect(page.getByText(/^Too many requests. Trying again in 1\d seconds.$/)).toBeVisible({ timeout: 200 }),
  )
})

test('a failed list loads again by itself when the connection is back', async ({ page, context }) => {
  await uploadFor(page, await logIn(page), 'boats.jpg', '365d')
  await page.clock.install()
  await page.goto('/dashboard')
  await expect(tile(page, /^boats/)).toBeVisible()
  await context.setOffline(true)
  await page.getByRole('combobox', { name: 'Search names, titles and tags' }).fill('harbour')
  const panel = page.getByRole('alert').filter({ hasText: 'Failed to fetch images' })
  await passTimeUntil(page, 1500, () =>
    expect(panel).toContainText('You are offline. It loads when the connection is back.', { timeout: 300 }),
  )
  await context.setOffline(false)
  await expect(panel).toHaveCount(0)
  await expect(page.getByText('No images match.')).toBeVisible()
})

test.describe('an error in a part of a page', () => {
  test.use({ expectedConsole: [/TypeError|Error id|dynamically imported module|ERR_FAILED/] })

  test('an error in a section leaves the others', async ({ page }) => {
    await logIn(page)
    await page.route('**/api/webhooks', (route) => route.fulfill({ json: [{ id: 'broken' }] }))
    await page.goto('/api-keys?tab=webhooks')
    await expect(page.getByRole('alert')).toContainText('Unexpected Application Error!')
    await expect(page.getByRole('navigation', { name: 'Developers' })).toBeVisible()
    await page.unroute('**/api/webhooks')
    await page.getByRole('button', { name: 'Reload page' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Webhooks' })).toBeVisible()
  })

  test('a dialog whose script cannot be loaded leaves the page', async ({ page }) => {
    const token = await logIn(page)
    const image = { name: 'harbour.jpg', mimeType: 'image/jpeg', buffer: await jpeg(60, 40) }
    const headers = { authorization: `Bearer ${token}` }
    expect((await page.request.post('/api/upload', { headers, multipart: { image } })).status()).toBe(201)
    await page.route('**/assets/analysis-dialog-*.js', (route) => route.abort())
    await page.goto('/dashboard')
    await analyze(page)
    const dialog = page.getByRole('dialog', { name: 'Unexpected Application Error!' })
    await expect(dialog).toContainText('A part of this page could not be loaded')
    await dialog.getByRole('button', { name: 'Close' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(tile(page, /./)).toBeVisible()
  })
})
