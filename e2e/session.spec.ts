// A stored session that the page cannot use: a failing server, a damaged token, a token removed by hand.
import type { Page, Route } from '@playwright/test'
import { keepToken, logIn } from './log-in.ts'
import { expect, test } from './test.ts'
import { toast } from './upload.ts'

const storedToken = (page: Page) => page.evaluate(() => localStorage.getItem('token'))

test.describe('a server that does not return the current user', () => {
  test.use({ expectedConsole: [/status of 500|ERR_FAILED/] })

  for (const { failure, fail } of [
    { failure: 'fails', fail: (route: Route) => route.fulfill({ status: 500, body: '' }) },
    { failure: 'does not respond', fail: (route: Route) => route.abort() },
  ]) {
    test(`while the server ${failure}, the user is not shown as a guest and stays logged in`, async ({ page }) => {
      const token = await logIn(page)
      await page.clock.install()
      await page.route('**/api/me', fail)
      await page.goto('/')
      const passTimeUntil = (check: () => Promise<void>) =>
        expect(async () => {
          await page.clock.runFor(5000)
          await check()
        }).toPass()
      const notice = page.getByText('The server is not available. Trying again...')
      await passTimeUntil(() => expect(notice).toBeVisible({ timeout: 500 }))
      await expect(page.getByText('Loading...', { exact: true })).toBeVisible()
      await expect(page.getByRole('button', { name: 'Choose image' })).toHaveCount(0)
      expect(await storedToken(page)).toBe(token)

      await page.unroute('**/api/me')
      await passTimeUntil(() => expect(page).toHaveURL('/dashboard', { timeout: 500 }))
      await expect(notice).toHaveCount(0)
      expect(await storedToken(page)).toBe(token)
    })
  }

  test('the user can log out without the server', async ({ page }) => {
    await logIn(page)
    await page.clock.install()
    await page.route('**/api/*', (route) => route.fulfill({ status: 500, body: '' }))
    await page.goto('/dashboard')
    const logout = page.getByRole('button', { name: 'Logout' })
    await expect(async () => {
      await page.clock.runFor(5000)
      await expect(logout).toBeVisible({ timeout: 500 })
    }).toPass()
    await logout.click()
    await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible()
    expect(await storedToken(page)).toBeNull()
  })
})

test('fetching the images with the token removed from the storage requires a login', async ({ page }) => {
  await logIn(page)
  await page.goto('/dashboard')
  await expect(page.getByText('No images yet.')).toBeVisible()
  await page.evaluate(() => localStorage.removeItem('token'))
  await page.getByRole('searchbox', { name: 'Search names and titles' }).fill('harbour')
  await expect(toast(page, 'Authentication required')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible()
  await expect(page).toHaveURL(/\/login\?next=/)
})

for (const damaged of ['two words', 'tökén', '\n']) {
  test(`the landing page is visible although the stored token is ${JSON.stringify(damaged)}`, async ({ page }) => {
    await keepToken(page, damaged)
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Choose image' })).toBeVisible()
    expect(await storedToken(page)).toBeNull()
  })
}
