// Journeys of a user whose images are not for everyone.
import type { Browser, Locator, Page } from '@playwright/test'
import { logIn } from './log-in.ts'
import { expect, test } from './test.ts'
import { tile, toast, uploadFor } from './upload.ts'

const picture = (page: Page, name: string) => tile(page, name).locator('img')
const undoBar = (page: Page) => page.getByRole('region', { name: 'Undo' })

/** Logs in a new user with these images, and opens the dashboard. @returns the path of the newest original */
async function open(page: Page, names: readonly string[]): Promise<string> {
  const token = await logIn(page)
  for (const name of names) await uploadFor(page, token, name, '365d')
  const headers = { authorization: `Bearer ${token}` }
  const [image] = (await (await page.request.get('/api/images?limit=1', { headers })).json()) as { url: string }[]
  await page.goto('/dashboard')
  // An image that is requested before and served after it became private is not found, which the browser logs.
  for (const name of names) await isShown(picture(page, name))
  return new URL(image?.url ?? '').pathname
}

const isShown = (image: Locator) =>
  expect.poll(() => image.evaluate((shown: HTMLImageElement) => shown.naturalWidth)).toBeGreaterThan(0)

/** Of a browser of someone else. */
async function statusFor(browser: Browser, address: string): Promise<number> {
  const stranger = await browser.newContext()
  const response = await (await stranger.newPage()).goto(address)
  await stranger.close()
  return response?.status() ?? 0
}

async function choose(page: Page, name: string, action: string): Promise<void> {
  await tile(page, name).click({ button: 'right' })
  await page.getByRole('menuitem', { name: action }).click()
}

test('an image is made private, is still shown to its owner, and is shared by a link with an end', async ({
  page,
  browser,
  baseURL,
}) => {
  const path = await open(page, ['letter.jpg'])
  expect(await statusFor(browser, baseURL + path)).toBe(200)
  await choose(page, 'letter.jpg', 'Make private')
  await expect(undoBar(page)).toContainText('The image is private now')
  expect(await statusFor(browser, baseURL + path)).toBe(404)

  await page.reload()
  await isShown(picture(page, 'letter.jpg'))
  await expect(page.getByRole('link', { name: /^letter\.jpg, private/ })).toBeVisible()
  await page.getByRole('link', { name: /^letter\.jpg, private/ }).click()
  await isShown(page.locator('.yarl__slide_current img, .yarl__slide img').first())
  await page.keyboard.press('Escape')

  await choose(page, 'letter.jpg', 'Embed code')
  const sheet = page.getByRole('dialog', { name: 'Share' })
  await expect(sheet).toContainText('only you can open it')
  await sheet.getByLabel('A link works for').selectOption('1 day')
  await sheet.getByRole('button', { name: 'Copy link' }).click()
  await expect(toast(page, /^Link copied\. It works until/)).toBeVisible()
  const link = (await sheet.getByRole('link').getAttribute('href')) ?? ''
  expect(await statusFor(browser, link)).toBe(200)
  await sheet.getByRole('button', { name: 'End all links' }).click()
  await expect(toast(page, 'All links to this image have ended')).toBeVisible()
  expect(await statusFor(browser, link)).toBe(404)

  await sheet.getByRole('button', { name: 'Make public' }).click()
  await expect(sheet.getByText('How it looks in a chat')).toBeVisible()
  expect(await statusFor(browser, baseURL + path)).toBe(200)
})

test('several images are made private at once, and that is undone by the key', async ({ page, browser, baseURL }) => {
  const path = await open(page, ['one.jpg', 'two.jpg', 'three.jpg'])
  await page.getByRole('link', { name: /^one\.jpg/ }).focus()
  await page.keyboard.press('Control+a')
  const bar = page.getByRole('region', { name: 'Selection' })
  await bar.getByRole('button', { name: 'Make private' }).click()
  await expect(undoBar(page)).toContainText('3 images are private now')
  await expect(bar.getByRole('button', { name: 'Make public' })).toBeVisible()
  expect(await statusFor(browser, baseURL + path)).toBe(404)
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('option', { name: 'Make 3 images public' })).toBeVisible()
  await expect(page.getByRole('option', { name: 'Make 3 images private' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+z')
  await expect(toast(page, '3 images are public now')).toBeVisible()
  expect(await statusFor(browser, baseURL + path)).toBe(200)
})

test.describe('on a slow line', () => {
  test.use({ expectedConsole: [/status of 404/] })

  test('a thumbnail that was loading while its image became private is loaded again', async ({ page }) => {
    await open(page, ['slow.jpg'])
    let release = () => {}
    const becamePrivate = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/api/thumbnail/**', async (route) => {
      await becamePrivate
      await route.continue()
    })
    await page.route('**/api/images/visibility', async (route) => {
      const response = await route.fetch()
      const refused = page.waitForResponse((answer) => answer.status() === 404)
      release()
      await refused
      await route.fulfill({ response })
    })
    await page.reload({ waitUntil: 'domcontentloaded' })
    await choose(page, 'slow.jpg', 'Make private')
    await expect(undoBar(page)).toContainText('The image is private now')
    await expect(picture(page, 'slow.jpg')).toHaveAttribute('src', /\/api\/thumbnail\/.*key=/)
    await isShown(picture(page, 'slow.jpg'))
  })
})

test('new images are private for who wants that, and copying one says so', async ({
  page,
  context,
  browser,
  baseURL,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await open(page, ['old.jpg'])
  await page.getByRole('button', { name: 'Upload options' }).click()
  const choice = page.getByRole('switch', { name: 'New images are private' })
  await choice.click()
  await expect(choice).toBeChecked()
  await page.reload()
  await expect(page.getByRole('link', { name: /^old\.jpg, Expires/ })).toBeVisible()
  const token = await page.evaluate(() => localStorage.getItem('token') ?? '')
  await uploadFor(page, token, 'new.jpg', '365d')
  await page.reload()
  await expect(page.getByRole('link', { name: /^new\.jpg, private/ })).toBeVisible()
  await page.getByRole('link', { name: /^new\.jpg, private/ }).focus()
  await page.keyboard.press('c')
  await expect(toast(page, 'Copied. This image is private: only you can open it')).toBeVisible()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).not.toContain('key=')
  expect(await statusFor(browser, new URL(copied, baseURL).href)).toBe(404)
})
