// A stored session that the page cannot use: a failing server, a damaged token, a token removed by hand.
import type { Page } from '@playwright/test'
import { jpeg } from './e2e-images.ts'
import { keepToken, logIn } from './log-in.ts'
import { expect, test } from './test.ts'
import { pick, tile, toast, uploadFor, zone } from './upload.ts'

const storedToken = (page: Page) => page.evaluate(() => localStorage.getItem('token'))

test.describe('a server that does not return the current user', () => {
  test.use({ expectedConsole: [/status of 500|ERR_FAILED/] })

  test('uploads are those of a guest, and the focus of the tab restores the login', async ({ page }) => {
    const token = await logIn(page)
    await page.route('**/api/me', (route) => route.abort())
    await page.goto('/')
    await expect(page.getByText('Failed to get current user')).toBeVisible()
    const sent = page.waitForRequest('**/api/upload')
    await pick(page, { name: 'harbour.jpg', mimeType: 'image/jpeg', buffer: await jpeg(60, 40) })
    expect((await sent).headers().authorization).toBeUndefined()
    await expect(toast(page, 'Image uploaded successfully!')).toBeVisible()
    expect(await storedToken(page)).toBe(token)

    await page.unroute('**/api/me')
    await page.evaluate(() => dispatchEvent(new Event('focus')))
    await expect(page).toHaveURL('/dashboard')
    expect(await storedToken(page)).toBe(token)
  })

  test('a login that comes back leaves the upload of a guest alone until it has ended', async ({ page }) => {
    await logIn(page)
    await page.route('**/api/me', (route) => route.abort())
    await page.goto('/')
    await expect(page.getByText('Failed to get current user')).toBeVisible()
    let send = () => {}
    const isSent = new Promise<void>((resolve) => (send = resolve))
    await page.route('**/api/upload', async (route) => {
      await isSent
      await route.continue()
    })
    await pick(page, { name: 'harbour.jpg', mimeType: 'image/jpeg', buffer: await jpeg(60, 40) })
    await page.unroute('**/api/me')
    const restored = page.waitForResponse('**/api/me')
    await page.evaluate(() => dispatchEvent(new Event('focus')))
    await restored
    await expect(page.getByText('your login is kept')).toHaveCount(0)
    await expect(zone(page)).toContainText('Uploading image')
    send()
    await expect(page).toHaveURL('/dashboard')
    await expect(toast(page, 'Image uploaded successfully!')).toBeVisible()
  })

  test('the user can log out without the server', async ({ page }) => {
    await logIn(page)
    await page.route('**/api/*', (route) => route.fulfill({ status: 500, body: '' }))
    await page.goto('/dashboard')
    await page.getByRole('button', { name: 'Logout' }).click()
    await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible()
    await expect(page.getByText('your login is kept')).toHaveCount(0)
    expect(await storedToken(page)).toBeNull()
  })
})

test('fetching the images with the token removed from the storage requires a login', async ({ page }) => {
  await uploadFor(page, await logIn(page), 'boats.jpg', '365d')
  await page.goto('/dashboard')
  await expect(tile(page, /^boats/)).toBeVisible()
  await page.evaluate(() => localStorage.removeItem('token'))
  await page.getByRole('combobox', { name: 'Search names, titles and tags' }).fill('harbour')
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
