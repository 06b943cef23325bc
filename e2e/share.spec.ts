// The share page in a browser: with its script and without, and the links that the page offers.
import type { Page, Route } from '@playwright/test'
import { jpeg } from './e2e-images.ts'
import { logIn } from './log-in.ts'
import { expect, test } from './test.ts'
import { pick, shownLink, tile, toast, zone } from './upload.ts'

const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

async function uploadOwn(page: Page): Promise<{ id: string; token: string; page_url: string; url: string }> {
  const token = await logIn(page)
  const image = { name: 'harbour.jpg', mimeType: 'image/jpeg', buffer: await jpeg(2000, 1500) }
  const headers = { authorization: `Bearer ${token}` }
  const response = await page.request.post('/api/upload', { headers, multipart: { image } })
  return { ...(await response.json()), token }
}

/** Runs in the page: the number of layout shifts since it was opened that no input caused. */
const layoutShifts = () =>
  new Promise<number>((resolve) => {
    new PerformanceObserver((list) => resolve(list.getEntries().length)).observe({
      type: 'layout-shift',
      buffered: true,
    })
    setTimeout(() => resolve(0), 200)
  })

test.describe('with its script', () => {
  test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

  test('the share page copies its links, zooms, follows the chosen theme, and does not shift', async ({ page }) => {
    const { page_url: url, url: direct } = await uploadOwn(page)
    await page.evaluate(() => localStorage.setItem('theme', 'dark'))
    await page.goto(url, { waitUntil: 'networkidle' })
    expect(await page.evaluate(layoutShifts)).toBe(0)
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('dark')
    await page.getByRole('button', { name: 'Copy link' }).click()
    expect(await clipboard(page)).toBe(url)
    await page.getByText('Embed', { exact: true }).click()
    await page.getByRole('button', { name: 'Copy: Direct link' }).click()
    await expect(page.getByRole('status')).toHaveText('Copied')
    expect(await clipboard(page)).toBe(direct)
    await page.getByRole('button', { name: 'Copy: Markdown' }).click()
    expect(await clipboard(page)).toBe(`[![harbour](${direct})](${url})`)

    const picture = page.getByRole('img', { name: 'harbour' })
    const widthOf = async () => (await picture.boundingBox())?.width ?? 0
    const fitted = await widthOf()
    await picture.click()
    await expect.poll(widthOf).toBe(2000)
    await page.keyboard.press('Escape')
    expect(await widthOf()).toBe(fitted)
  })
})

test.describe('whose image does not come', () => {
  test.use({ expectedConsole: [/ERR_FAILED/] })

  for (const [what, fail] of [
    ['is cut off', (route: Route) => route.abort()],
    ['never answers', async () => {}],
  ] as const)
    test(`the share page has its heading, links and sizes when the image ${what}`, async ({ page }) => {
      const { page_url: url, url: direct } = await uploadOwn(page)
      await page.route(/\/(uploads|api\/(thumbnail|webp|resize))\/|\/i\/.*[.?]/, fail)
      await page.goto(url, { waitUntil: 'domcontentloaded' })
      await expect(page.getByRole('heading', { name: 'harbour.jpg' })).toBeVisible()
      await page.getByText('Embed', { exact: true }).click()
      await expect(page.getByRole('textbox', { name: 'Direct link' })).toHaveValue(direct)
      await expect(page.getByRole('link', { name: '400 × 300' })).toBeVisible()
    })
})

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('the share page shows the image, its links and sizes', async ({ page, request }) => {
    const image = { name: 'harbour.jpg', mimeType: 'image/jpeg', buffer: await jpeg() }
    const { page_url: url, url: direct } = await (await request.post('/api/upload', { multipart: { image } })).json()
    await page.goto(url)
    await expect(page.getByRole('heading', { name: 'harbour.jpg' })).toBeVisible()
    await page.getByText('Embed', { exact: true }).click()
    await expect(page.getByRole('textbox', { name: 'Direct link' })).toHaveValue(direct)
    await expect(page.getByRole('button')).toHaveCount(0)
    await expect(page.getByRole('link', { name: '400 × 267' })).toBeVisible()
    const link = page.getByRole('link', { name: 'harbour', exact: true })
    await link.click()
    await expect(page).toHaveURL(direct)
  })
})

test.describe('the offered link', () => {
  test.use({
    permissions: ['clipboard-read', 'clipboard-write'],
    // Of the reserved link.
    expectedConsole: [/status of 400/],
  })

  test('is chosen by a guest when it is copied, and the choice is stored', async ({ page }) => {
    await page.goto('/')
    await pick(page, { name: 'harbour.jpg', mimeType: 'image/jpeg', buffer: await jpeg() })
    expect(await shownLink(page)).toMatch(/\/uploads\/harbour-[\w-]{22}\.jpg$/)
    await zone(page).getByRole('button', { name: 'More ways to copy' }).click()
    await page.getByRole('menuitemradio', { name: 'Share page' }).click()
    await expect(toast(page, 'URL copied to clipboard!')).toBeVisible()
    expect(await shownLink(page)).toMatch(/\/i\/[\w-]{22}$/)
    await page.reload()
    await page.evaluate(() => navigator.clipboard.writeText(''))
    await page.getByRole('button', { name: 'Copy share page' }).first().click()
    await expect(toast(page, 'URL copied to clipboard!')).toBeVisible()
    expect(await clipboard(page)).toMatch(/\/i\/[\w-]{22}$/)
  })

  test('of the dashboard is the custom link that its owner gives in the details', async ({ page }) => {
    const { id } = await uploadOwn(page)
    await page.goto('/dashboard')
    await tile(page, /^harbour\.jpg/).click()
    const viewer = page.getByRole('dialog', { name: 'Image viewer' })
    await viewer.getByRole('button', { name: 'Add a title' }).click()
    const form = viewer.getByRole('form', { name: 'Texts of the image' })
    await expect(form.getByLabel('Title')).toBeFocused()
    await form.getByLabel('Title').fill('Harbour at dusk')
    await form.getByLabel('Alternative text').fill('Boats under a red sky')
    await form.getByLabel('Custom link').fill('login')
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(form.getByRole('alert')).toContainText('is reserved')
    await form.getByRole('button', { name: 'Suggest' }).click()
    await expect(form.getByLabel('Custom link')).toHaveValue(/^[a-z\d]{8}$/)
    const slug = await form.getByLabel('Custom link').inputValue()
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(form.getByText('Saved')).toBeVisible()
    await expect(viewer.getByRole('heading', { name: 'Harbour at dusk' })).toBeVisible()
    await viewer.getByRole('button', { name: 'More ways to copy' }).click()
    await page.getByRole('menuitemradio', { name: 'Share page' }).click()
    await expect(viewer.getByRole('button', { name: 'Copy share page' })).toBeVisible()
    await expect.poll(() => clipboard(page)).toMatch(new RegExp(`/s/${slug}$`))

    await page.goto(`/s/${slug}`)
    await expect(page).toHaveURL(new RegExp(`/i/${id}$`))
    await expect(page.getByRole('img', { name: 'Boats under a red sky' })).toBeVisible()
  })
})

test.describe('the address of an image that is not there', () => {
  test.use({ expectedConsole: [/status of (404|410)/] })

  test('is a page for people, in the typeface of the site, and leads to the upload', async ({ page, request }) => {
    const image = { name: 'harbour.jpg', mimeType: 'image/jpeg', buffer: await jpeg() }
    const stored = await (await request.post('/api/upload', { multipart: { image } })).json()
    await page.goto(stored.delete_url)
    await page.getByRole('link', { name: 'Cancel' }).click()
    await expect(page).toHaveURL(stored.page_url)
    await page.goBack()
    await page.getByRole('button', { name: 'Delete image' }).click()
    await expect(page.getByRole('heading', { name: 'Image deleted' })).toBeVisible()

    const response = await page.goto(stored.url)
    expect(response?.status()).toBe(410)
    await expect(page.getByRole('heading', { name: 'This image has expired or was deleted' })).toBeVisible()
    expect(
      await page.evaluate(() => document.fonts.ready.then((fonts) => [...fonts].map(({ status }) => status))),
    ).toContain('loaded')
    const data = await page.request.get(stored.url)
    expect([data.status(), await data.json()]).toEqual([410, expect.objectContaining({ code: 'image_gone' })])
    const isLoaded = await page.evaluate((url) => {
      const shown = document.createElement('img')
      return new Promise((resolve) => {
        shown.addEventListener('load', () => resolve(true))
        shown.addEventListener('error', () => resolve(false))
        shown.src = url
      })
    }, stored.url)
    expect(isLoaded).toBe(false)

    await page.getByRole('link', { name: 'Host your own image' }).click()
    await expect(page).toHaveURL(/\/$/)
  })
})
