// Number and duration of toasts, with a controlled clock.
import type { Page } from '@playwright/test'
import { jpeg } from './e2e-images.ts'
import { expect, test } from './test.ts'
import { drop, pick, toast } from './upload.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

const region = (page: Page) => page.getByRole('region', { name: 'Messages' })
const cards = (page: Page) => region(page).locator('.toast:not(.toast-gone)')

/** Causes a new rejection at the drop zone, with an error toast of its own. */
const refuse = (page: Page) => drop(page, { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('words') })

test.beforeEach(async ({ page }) => {
  await page.clock.install()
  await page.goto('/')
})

test('an error toast stays for 4 seconds', async ({ page }) => {
  await page.clock.pauseAt(Date.now() + 60_000)
  await refuse(page)
  await expect(cards(page)).toHaveCount(1)
  await expect(region(page).getByRole('alert')).toContainText('File type must be PNG, JPG, JPEG or WebP')
  await page.clock.runFor(3900)
  await expect(cards(page)).toHaveCount(1)
  await page.clock.runFor(400)
  await expect(cards(page)).toHaveCount(0)
})

test('a success toast stays for 2 seconds, and a loading toast stays until it is replaced in place', async ({
  page,
}) => {
  await page.clock.pauseAt(Date.now() + 60_000)
  let letThrough = () => {}
  const held = new Promise<void>((resolve) => (letThrough = resolve))
  await page.route('**/api/upload', async (route) => {
    await held
    await route.continue()
  })
  await pick(page, { name: 'held.jpg', mimeType: 'image/jpeg', buffer: await jpeg() })
  await expect(toast(page, 'Uploading image...')).toBeVisible()
  await page.clock.runFor(25_000)
  await expect(toast(page, 'Uploading image...')).toBeVisible()

  letThrough()
  await expect(toast(page, 'Image uploaded successfully!')).toBeVisible()
  await expect(cards(page), 'one action has one toast').toHaveCount(1)
  await page.clock.runFor(1800)
  await expect(cards(page)).toHaveCount(1)
  await page.clock.runFor(500)
  await expect(cards(page)).toHaveCount(0)
})

test('at most 20 toasts are shown at once', async ({ page }) => {
  await page.clock.pauseAt(Date.now() + 60_000)
  for (let n = 1; n <= 22; n += 1) await refuse(page)
  await expect(cards(page)).toHaveCount(20)
})

for (const { count, height } of [
  { count: 20, height: 800 },
  { count: 7, height: 320 },
]) {
  test(`${count} toasts stay within a window ${height} pixels high, and each can be scrolled to`, async ({ page }) => {
    await page.setViewportSize({ width: 1280, height })
    await page.clock.pauseAt(Date.now() + 60_000)
    for (let n = 1; n <= count; n += 1) await refuse(page)
    await expect(cards(page)).toHaveCount(count)
    const { y = 0, height: regionHeight = Infinity } = (await region(page).boundingBox()) ?? {}
    expect(y + regionHeight).toBeLessThanOrEqual(height)
    for (const card of [cards(page).last(), cards(page).first()]) {
      await card.scrollIntoViewIfNeeded()
      await expect(card).toBeInViewport({ ratio: 1 })
    }
  })
}

test('toast timers pause under the pointer and under the focus', async ({ page }) => {
  await page.clock.pauseAt(Date.now() + 60_000)
  await refuse(page)
  await expect(cards(page)).toHaveCount(1)

  await cards(page).hover()
  await page.clock.runFor(10_000)
  await expect(cards(page)).toHaveCount(1)

  await page.keyboard.press('F8')
  await expect(region(page)).toBeFocused()
  await page.mouse.move(0, 0)
  await page.clock.runFor(10_000)
  await expect(cards(page), 'the focus alone holds it').toHaveCount(1)

  await page.getByRole('button', { name: 'Choose image' }).focus()
  await page.clock.runFor(4500)
  await expect(cards(page)).toHaveCount(0)
})

test('dismissing a toast by key leaves the timers of the others running', async ({ page }) => {
  await page.clock.pauseAt(Date.now() + 60_000)
  await refuse(page)
  await refuse(page)
  await expect(cards(page)).toHaveCount(2)
  await page.keyboard.press('F8')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.clock.runFor(300)
  await expect(cards(page)).toHaveCount(1)
  await expect(region(page), 'the focus is not lost').toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await page.clock.runFor(4500)
  await expect(cards(page)).toHaveCount(0)
})

test('on a phone toasts are a single stack with a count', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await page.clock.pauseAt(Date.now() + 60_000)
  for (let n = 1; n <= 3; n += 1) await refuse(page)
  await expect(cards(page).filter({ visible: true })).toHaveCount(1)
  await page.getByRole('button', { name: '2 more' }).click()
  await expect(cards(page).filter({ visible: true })).toHaveCount(3)
})
