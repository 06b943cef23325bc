// What a visitor of a link sees: the grid, the viewer with its slideshow, the password, and the page without script.
import type { APIRequestContext, Page } from '@playwright/test'
import { jpeg } from './e2e-images.ts'
import { logIn } from './log-in.ts'
import { accessibilityTags, violations } from './screen-checks.ts'
import { expect, test } from './test.ts'

const viewer = (page: Page) => page.getByRole('dialog', { name: 'Image viewer' })
const tiles = (page: Page) => page.locator('#images > a')

/** A link of a new user to `count` images. @returns its path */
async function shareImages(page: Page, count: number, options: object = {}): Promise<string> {
  const authorization = `Bearer ${await logIn(page)}`
  const { request } = page
  const images: string[] = []
  for (let at = 1; at <= count; at++) images.push(await upload(request, authorization, `Image ${at}`))
  const data = { images, ...options }
  const answer = await request.post('/api/links', { headers: { authorization }, data })
  expect(answer.status()).toBe(201)
  const { slug } = (await answer.json()) as { slug: string }
  return `/l/${slug}`
}

async function upload(request: APIRequestContext, authorization: string, title: string): Promise<string> {
  const image = { name: 'harbour.jpg', mimeType: 'image/jpeg', buffer: await jpeg(900, 600) }
  const answer = await request.post('/api/upload', { headers: { authorization }, multipart: { title, image } })
  return ((await answer.json()) as { id: string }).id
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

test('a click opens the viewer, keys lead through the images, back closes it, and the focus returns', async ({
  page,
}) => {
  await page.goto(await shareImages(page, 3), { waitUntil: 'networkidle' })
  expect(await page.evaluate(layoutShifts)).toBe(0)
  await expect(page.getByRole('heading', { name: '3 images' })).toBeVisible()
  expect(await violations(page, (axe) => axe.withTags(accessibilityTags))).toEqual([])
  await tiles(page).nth(1).click()
  const shown = (name: string) => viewer(page).getByRole('img', { name })
  await expect(shown('Image 2')).toBeVisible()
  await expect(viewer(page).getByText('2 / 3')).toBeVisible()
  expect(await violations(page, (axe) => axe.withTags(accessibilityTags))).toEqual([])
  await page.keyboard.press('ArrowRight')
  await expect(shown('Image 3')).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(shown('Image 1')).toBeVisible()
  await page.keyboard.press('End')
  await expect(shown('Image 3')).toBeVisible()
  const opened = page.url()
  expect(opened).toContain('#i')
  await page.goBack()
  await expect(viewer(page)).toHaveCount(0)
  await expect(tiles(page).nth(2)).toBeFocused()
  // The address of an image opens it.
  await page.goto('/robots.txt')
  await page.goto(opened)
  await expect(shown('Image 3')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(viewer(page)).toHaveCount(0)
  expect(new URL(page.url()).hash).toBe('')
})

test('the slideshow goes on by itself, and pauses', async ({ page }) => {
  await page.goto(await shareImages(page, 2))
  await page.clock.install()
  await page.getByRole('button', { name: 'Slideshow' }).click()
  await expect(viewer(page).getByText('1 / 2')).toBeVisible()
  await viewer(page)
    .getByRole('img')
    .evaluate((image: HTMLImageElement) => image.decode())
  await page.clock.runFor(4100)
  await expect(viewer(page).getByText('2 / 2')).toBeVisible()
  await page.keyboard.press(' ')
  await expect(viewer(page).getByRole('button', { name: 'Play slideshow' })).toBeVisible()
  await page.clock.runFor(9000)
  await expect(viewer(page).getByText('2 / 2')).toBeVisible()
})

test('a visitor downloads all images, of which the page says how many and how large they are', async ({ page }) => {
  await page.goto(await shareImages(page, 2))
  const link = page.getByRole('link', { name: /^Download all \([\d.]+ KB\)$/ })
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
  expect(download.suggestedFilename()).toBe('images.zip')
  expect(await download.failure()).toBeNull()
})

test('who has the page open is asked for its new password, and comes back to the image', async ({ page, browser }) => {
  const path = await shareImages(page, 2, { password: 'gelato', can_download: false })
  const { url: link } = new Request(new URL(path, page.url()))
  const change = async (body: object) => {
    const headers = { authorization: `Bearer ${await page.evaluate(() => localStorage.getItem('token'))}` }
    const [{ id }] = (await (await page.request.get('/api/links', { headers })).json()) as [{ id: string }]
    expect((await page.request.patch(`/api/links/${id}`, { headers, data: body })).status()).toBe(200)
  }
  const context = await browser.newContext()
  const visitor = await context.newPage()
  const enter = async (password: string) => {
    await visitor.getByLabel('Password').fill(password)
    await visitor.keyboard.press('Enter')
    await expect(tiles(visitor)).toHaveCount(2)
  }
  await visitor.goto(link)
  await enter('gelato')
  await change({ password: 'tiramisu' })
  await tiles(visitor).first().click()
  await expect(visitor.getByText('This link has a password')).toBeVisible()

  await enter('tiramisu')
  await expect(viewer(visitor).getByRole('img', { name: 'Image 1' })).toBeVisible()
  await context.close()
})

test.describe('with a password', () => {
  test.use({ expectedConsole: [/status of 403/] })

  test('the page says when it is wrong, and opens with the right one', async ({ page }) => {
    const path = await shareImages(page, 2, { password: 'open sesame' })
    await page.goto(path)
    const field = page.getByLabel('Password')
    await expect(field).toBeFocused()
    expect(await violations(page, (axe) => axe.withTags(accessibilityTags))).toEqual([])
    await field.fill('wrong')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alert')).toHaveText('This password is wrong. Check it and try again.')
    await page.getByLabel('Password').fill('open sesame')
    await page.getByRole('button', { name: 'Open' }).click()
    await expect(tiles(page)).toHaveCount(2)
    expect(new URL(page.url()).pathname).toBe(path)
  })
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

  test('a swipe shows the next image, and nothing scrolls sideways', async ({ page }) => {
    await page.goto(await shareImages(page, 3))
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    await tiles(page).first().tap()
    const stage = viewer(page).locator('.stage')
    const touch = { pointerId: 7, pointerType: 'touch', isPrimary: true, clientY: 400 }
    await stage.dispatchEvent('pointerdown', { ...touch, clientX: 300 })
    await stage.dispatchEvent('pointermove', { ...touch, clientX: 150 })
    await stage.dispatchEvent('pointerup', { ...touch, clientX: 100 })
    await expect(viewer(page).getByText('2 / 3')).toBeVisible()
  })
})

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('every image opens by its address', async ({ page, request }) => {
    const data = { email: `no-script-${crypto.randomUUID()}@example.com`, password: 'secret screens' }
    const { token } = (await (await request.post('/api/register', { data })).json()) as { token: string }
    const authorization = `Bearer ${token}`
    const images = [await upload(request, authorization, 'Image 1'), await upload(request, authorization, 'Image 2')]
    const answer = await request.post('/api/links', { headers: { authorization }, data: { images } })
    const { slug } = (await answer.json()) as { slug: string }
    await page.goto(`/l/${slug}`)
    await expect(page.getByRole('button')).toHaveCount(0)
    const opened = await request.get((await tiles(page).first().getAttribute('href')) ?? '')
    expect([opened.status(), opened.headers()['content-type']]).toEqual([200, expect.stringMatching(/^image\//)])
  })
})
