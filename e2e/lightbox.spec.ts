// Journeys in the lightbox: opening, navigating, zooming, actions, closing; by keyboard and by touch.
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { logIn } from './log-in.ts'
import { expect, test } from './test.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

const viewer = (page: Page) => page.getByRole('dialog', { name: 'Image viewer' })
const shown = (page: Page, name: string) => viewer(page).getByRole('img', { name, exact: true })
const tile = (page: Page, name: string) => page.getByRole('main').getByRole('link', { name }).first()
const said = (page: Page) => viewer(page).getByRole('region', { name: 'Messages' })

const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#d98c4a' } })
    .jpeg()
    .toBuffer()

/** Three images. The last one is first in the gallery. */
test.beforeEach(async ({ page }) => {
  const token = await logIn(page)
  for (const [name, width, height] of [
    ['small.jpg', 300, 200],
    ['tall.jpg', 900, 1800],
    ['wide.jpg', 4000, 2000],
  ] as const) {
    const image = { name, mimeType: 'image/jpeg', buffer: await plain(width, height) }
    await page.request.post('/api/upload', { headers: { authorization: `Bearer ${token}` }, multipart: { image } })
  }
  await page.goto('/dashboard')
})

test('an image opens 1600 px wide with a URL of its own, and Back closes it', async ({ page }) => {
  await tile(page, 'wide.jpg').click()
  await expect(shown(page, 'wide.jpg')).toBeVisible()
  await expect(viewer(page).getByText('1 of 3', { exact: true })).toBeVisible()
  await expect(page).toHaveURL(/[?&]image=[\w-]{22}/)
  await expect.poll(() => source(page, 'wide.jpg')).toMatch(/\/api\/webp\/[\w-]{22}\/80\?width=1600$/)

  await page.goBack()
  await expect(viewer(page)).toHaveCount(0)
  await expect(page).toHaveURL('/dashboard')
  await expect(tile(page, 'wide.jpg')).toBeFocused()

  await page.goForward()
  await expect(shown(page, 'wide.jpg')).toBeVisible()
  await page.reload()
  await expect(shown(page, 'wide.jpg')).toBeVisible()
})

test('closed right after a step, it returns to the image seen last, and Forward shows that one', async ({ page }) => {
  await tile(page, 'wide.jpg').click()
  await expect(viewer(page).getByText('1 of 3', { exact: true })).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(viewer(page).getByText('2 of 3', { exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(viewer(page)).toHaveCount(0)
  await expect(page).toHaveURL('/dashboard')
  await expect(tile(page, 'tall.jpg')).toBeFocused()

  await page.goForward()
  await expect(shown(page, 'tall.jpg')).toBeVisible()
})

test('an image fades in over its preview, with nothing blank between', async ({ page }) => {
  await page.evaluate(() => {
    const blank: string[] = []
    Object.assign(window, { blank })
    const look = () => {
      for (const slide of document.querySelectorAll('.lightbox-picture')) {
        const [preview, image] = [slide.querySelector('.lightbox-preview'), slide.querySelector(':scope > img')]
        const isBehind = preview !== null && getComputedStyle(preview).visibility === 'visible'
        const opacity = image === null ? '0' : getComputedStyle(image).opacity
        if (!isBehind && opacity !== '1') blank.push(opacity)
      }
      requestAnimationFrame(look)
    }
    look()
  })
  await tile(page, 'wide.jpg').click()
  await expect(shown(page, 'wide.jpg')).toHaveCSS('opacity', '1')
  expect(await page.evaluate(() => (window as unknown as { blank: string[] }).blank)).toEqual([])
})

test('an image is downloaded under its original name', async ({ page }) => {
  await tile(page, 'wide.jpg').click()
  await expect(shown(page, 'wide.jpg')).toBeVisible()
  const download = page.waitForEvent('download')
  await page.keyboard.press('d')
  expect((await download).suggestedFilename()).toBe('wide.jpg')
  expect((await sharp(await (await download).path()).metadata()).width).toBe(4000)
})

test('the lightbox is operable by keyboard alone', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await tile(page, 'wide.jpg').press('Enter')
  await expect(shown(page, 'wide.jpg')).toBeVisible()

  await test.step('the arrow keys move between images and stop at both ends', async () => {
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowRight')
    await expect(shown(page, 'tall.jpg')).toBeVisible()
    await page.keyboard.press('ArrowRight')
    await expect(shown(page, 'small.jpg')).toBeVisible()
    await page.keyboard.press('ArrowRight')
    await expect(viewer(page).getByText('3 of 3', { exact: true })).toBeVisible()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await expect(shown(page, 'wide.jpg')).toBeVisible()
  })

  await test.step('zooming loads a larger source, and the arrow keys pan', async () => {
    await animationsEnd(page)
    const before = await widthOf(page, 'wide.jpg')
    await page.keyboard.press('+')
    await expect.poll(() => widthOf(page, 'wide.jpg')).toBeCloseTo(2 * before, -1)
    await expect.poll(() => source(page, 'wide.jpg')).toMatch(/width=2400$/)
    await page.keyboard.press('ArrowRight')
    await expect(viewer(page).getByText('1 of 3', { exact: true })).toBeVisible()
    await page.keyboard.press('0')
    await expect.poll(() => widthOf(page, 'wide.jpg')).toBeCloseTo(before, -1)
  })

  await test.step('a key opens the details', async () => {
    await page.keyboard.press('i')
    const details = viewer(page).getByRole('region', { name: 'Image details' })
    await expect(details.getByText('4000 × 2000')).toBeVisible()
    await page.keyboard.press('i')
    await expect(details).toHaveCount(0)
  })

  await test.step('a key copies the URL, with visible confirmation', async () => {
    await page.keyboard.press('c')
    await expect(said(page).getByText('Image URL copied to clipboard!')).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/\/uploads\/wide-[\w-]{22}\.jpg$/)
  })

  await test.step('the dialog of an action opens above the lightbox and returns the keys to it', async () => {
    await page.keyboard.press('e')
    await expect(page.getByRole('dialog', { name: 'Embed code' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(viewer(page)).toBeVisible()
    await page.keyboard.press('ArrowRight')
    await expect(shown(page, 'tall.jpg')).toBeVisible()
  })

  await page.keyboard.press('Escape')
  await expect(viewer(page)).toHaveCount(0)
})

test('the focus stays inside the lightbox', async ({ page }) => {
  await tile(page, 'wide.jpg').press('Enter')
  await expect(shown(page, 'wide.jpg')).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(viewer(page).getByRole('button', { name: 'Close' })).toBeFocused()
  for (let presses = 0; presses < 30; presses += 1) {
    await page.keyboard.press('Tab')
    // Between the last and the first element the focus is in the browser's own toolbar.
    const isInside = await page.evaluate(
      () => document.activeElement?.closest('dialog') !== null || !document.hasFocus(),
    )
    const isNowhere = await page.evaluate(() => document.activeElement === document.body)
    expect(isInside || isNowhere).toBe(true)
  }
})

test.describe('an image that fails to load', () => {
  test.use({ expectedConsole: [/ERR_FAILED/] })

  test('an image that fails to load shows an error and a retry', async ({ page }) => {
    await page.route('**/api/webp/**', (route) => route.abort())
    await tile(page, 'wide.jpg').click()
    const alert = viewer(page).getByRole('alert').filter({ hasText: 'wide.jpg' })
    await expect(alert).toContainText('This image could not be loaded.')
    await page.unroute('**/api/webp/**')
    await alert.getByRole('button', { name: 'Try again' }).click()
    await expect.poll(() => source(page, 'wide.jpg')).toMatch(/width=1600$/)
    await expect(alert).toHaveCount(0)
  })
})

test.describe('the lightbox on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })

  test('swiping shows the next image, and pulling down closes the lightbox', async ({ page }) => {
    await tile(page, 'wide.jpg').tap()
    await expect(shown(page, 'wide.jpg')).toBeVisible()
    await drag(page, { x: -220, y: 0 })
    await expect(viewer(page).getByText('2 of 3', { exact: true })).toBeVisible()
    await drag(page, { x: 0, y: 260 })
    await expect(viewer(page)).toHaveCount(0)
  })
})

test('the lightbox is accessible in both themes', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await tile(page, 'wide.jpg').click()
  await expect(shown(page, 'wide.jpg')).toBeVisible()
  await page.keyboard.press('i')
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const { violations } = await new AxeBuilder({ page }).analyze()
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`)).toEqual([])
  }
})

const source = (page: Page, name: string) =>
  shown(page, name).evaluate((image) => (image as HTMLImageElement).currentSrc)

/** An image that slides in is measured smaller than it is at rest. */
const animationsEnd = (page: Page) =>
  page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)).then(() => {}))

const widthOf = (page: Page, name: string) => shown(page, name).evaluate((image) => image.getBoundingClientRect().width)

/** Drags one finger from the middle of the image. */
async function drag(page: Page, by: { x: number; y: number }): Promise<void> {
  const touch = await page.context().newCDPSession(page)
  const from = { x: 270, y: 300 }
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [from] })
  for (let step = 1; step <= 10; step += 1) {
    const point = { x: from.x + (by.x * step) / 10, y: from.y + (by.y * step) / 10 }
    await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [point] })
  }
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
}

test.describe('on a bad line', () => {
  test.use({ expectedConsole: [/ERR_FAILED/] })
  const large = /\/api\/webp\/[\w-]{22}\/80\?width=/

  test('an image that does not come says so, can be asked for again, and leaves its neighbours', async ({ page }) => {
    await page.route(large, (route) => route.abort())
    await tile(page, 'wide.jpg').click()
    const failure = viewer(page).getByRole('alert').filter({ hasText: 'This image could not be loaded.' })
    await expect(failure.first()).toContainText('wide.jpg')
    await page.unroute(large)
    await failure.first().getByRole('button', { name: 'Try again' }).click()
    await expect(shown(page, 'wide.jpg')).toBeVisible()

    // A server that says nothing: the small copy stays, and the other images can be viewed.
    await page.route(large, async () => {})
    await page.reload()
    await expect(viewer(page).getByText('1 of 3', { exact: true })).toBeVisible()
    await expect(viewer(page).getByRole('img', { name: 'Loading image' }).first()).toBeVisible()
    await page.unroute(large)
    await page.keyboard.press('ArrowRight')
    await expect(shown(page, 'tall.jpg')).toBeVisible()
  })
})
