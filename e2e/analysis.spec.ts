// Journeys in the analysis dialog: what it shows, and its error states.
import type { Page } from '@playwright/test'
import { jpeg } from './e2e-images.ts'
import { logIn } from './log-in.ts'
import { expect, test } from './test.ts'
import { analyze, pick, toast } from './upload.ts'

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Image analysis' })

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

test.beforeEach(async ({ page }) => {
  await logIn(page)
  await page.goto('/dashboard')
  await pick(page, { name: 'harbour.jpg', mimeType: 'image/jpeg', buffer: await jpeg(800, 600) })
  await expect(toast(page, 'Image uploaded successfully!')).toBeVisible()
})

test('the analysis dialog shows the properties of an image', async ({ page }) => {
  await analyze(page)
  const dialog = dialogOf(page)
  await expect(dialog.getByRole('heading', { name: /^harbour-[\w-]{22}\.\w+$/ })).toBeVisible()
  for (const [label, value] of [
    ['Dimensions', '800 × 600'],
    ['Colour space', 'sRGB'],
    ['Channels', '3'],
    ['Alpha', 'No'],
    ['Frames', '1'],
  ] as const) {
    const row = dialog.getByRole('row').filter({ has: page.getByRole('rowheader', { name: label, exact: true }) })
    await expect(row.getByRole('cell')).toHaveText(value)
  }
  await expect(dialog.getByText(/^#[\da-f]{6}$/)).toBeVisible()
  await expect(dialog.getByText(/^rgb\(\d+, \d+, \d+\)$/)).toBeVisible()
  await expect(dialog.getByText(/is the strongest channel$/)).toBeVisible()
  await expect(dialog.getByRole('heading', { name: 'Optimization tips' })).toBeVisible()

  await test.step('the endpoint URLs of the image can be copied', async () => {
    const clipboard = () => page.evaluate(() => navigator.clipboard.readText())
    await dialog.getByRole('button', { name: 'of Mobile' }).click()
    await expect(toast(page, 'URL copied to clipboard!')).toBeVisible()
    expect(await clipboard()).toMatch(/\/api\/resize\/[\w-]{22}\/640$/)
    await dialog.getByRole('button', { name: 'Copy WebP' }).click()
    await expect.poll(clipboard).toMatch(/\/api\/webp\/[\w-]{22}\/80$/)
  })

  await test.step('the comparison with WebP is operable by keyboard', async () => {
    await expect(dialog.getByRole('status').filter({ hasText: /% (smaller|larger)|same size/ })).toBeVisible()
    await dialog.getByRole('button', { name: 'Compare them' }).press('Enter')
    const slider = dialog.getByRole('slider')
    await expect(slider).toBeFocused()
    await slider.press('ArrowRight')
    await expect(slider).toHaveAttribute('aria-valuetext', '51% original, 49% WebP')
    const picture = dialog.getByRole('img', { name: 'WebP, quality 80' })
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(800)
  })

  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
})

test.describe('a refused connection', () => {
  test.use({ expectedConsole: [/Failed to load resource/] })

  test('is shown in the words of the browser', async ({ page }) => {
    await page.route('**/api/analyze/*', (route) => route.abort('connectionrefused'))
    await analyze(page)
    await expect(dialogOf(page).getByRole('alert')).toContainText('Failed to fetch', { timeout: 20_000 })
  })
})

test.describe('an analysis without a response shows an error and can be retried', () => {
  test.use({ expectedConsole: [/Failed to load resource/] })

  for (const { name, status, body, texts } of [
    {
      name: 'a refusal with its reason',
      status: 410,
      body: { error: 'This image has expired', code: 'image_gone' },
      texts: ['Failed to fetch image analysis', 'This image has expired'],
    },
    { name: 'a refusal without one', status: 404, body: {}, texts: ['Failed to fetch image analysis'] },
  ]) {
    test(name, async ({ page }) => {
      await page.route('**/api/analyze/*', (route) => route.fulfill({ status, json: body }))
      await analyze(page)
      for (const text of texts) await expect(dialogOf(page).getByRole('alert')).toContainText(text)
      await dialogOf(page).getByRole('button', { name: 'Close' }).last().click()
      await expect(dialogOf(page)).toBeHidden()
    })
  }

  test('the analysis shows that it is loading, and reports being offline', async ({ page, context }) => {
    await analyze(page)
    await expect(dialogOf(page).getByText('API endpoints')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialogOf(page)).toHaveCount(0)

    await context.setOffline(true)
    await analyze(page)
    await expect(dialogOf(page).getByRole('alert')).toContainText('You are offline')
    let answer = () => {}
    const asked = new Promise<void>((resolve) => (answer = resolve))
    await page.route('**/api/analyze/*', async (route) => {
      await asked
      await route.continue()
    })
    await context.setOffline(false)
    await expect(dialogOf(page).getByRole('status').filter({ hasText: 'Loading...' })).toBeVisible()
    answer()
    await expect(dialogOf(page).getByText('API endpoints')).toBeVisible()
  })
})
