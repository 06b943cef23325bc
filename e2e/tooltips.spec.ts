// Tooltips of icon buttons: after 700 ms, in the page's own style.
import type { Page } from '@playwright/test'
import { logIn } from './log-in.ts'
import { expect, test } from './test.ts'
import { uploadFor } from './upload.ts'

async function openDashboard(page: Page): Promise<void> {
  await uploadFor(page, await logIn(page), 'harbour.jpg', '30d')
  await page.goto('/dashboard')
}
async function openEndpoints(page: Page): Promise<void> {
  await logIn(page)
  await page.goto('/api-docs#endpoints')
}

for (const { text, open, role } of [
  { text: 'Size of the images', open: openDashboard, role: 'slider' },
  { text: 'Read-only', open: openDashboard, role: 'button' },
  { text: 'Copy cURL command', open: openEndpoints, role: 'button' },
  { text: 'View details', open: openEndpoints, role: 'button' },
] as const) {
  test(`the tooltip '${text}' appears after 700 ms`, async ({ page }) => {
    await page.clock.install()
    await open(page)
    const control = page.getByRole('main').getByRole(role, { name: text }).first()
    await expect(control).toBeVisible()
    await page.clock.pauseAt(Date.now() + 60_000)
    const tooltip = page.locator('.tooltip', { hasText: text })
    await control.hover()
    await page.clock.runFor(650)
    await expect(tooltip).toHaveCount(0)
    await page.clock.runFor(100)
    await expect(tooltip).toBeVisible()
    await expect(page.getByTitle(text)).toHaveCount(0)
  })
}

test('a tooltip shows at once by keyboard, and Escape hides it', async ({ page }) => {
  await openDashboard(page)
  const button = page.getByRole('button', { name: 'Read-only' })
  await page.getByRole('slider', { name: 'Size of the images' }).focus()
  await page.keyboard.press('Tab')
  await expect(button).toBeFocused()
  await expect(page.locator('.tooltip')).toHaveText('Read-only')
  await page.keyboard.press('Escape')
  await expect(page.locator('.tooltip')).toHaveCount(0)
})

test('a tooltip stays under the pointer, and ends where that leaves it', async ({ page }) => {
  await openDashboard(page)
  await page.getByRole('button', { name: 'Read-only' }).hover()
  await page.locator('.tooltip').hover()
  await page.waitForTimeout(300)
  await expect(page.locator('.tooltip')).toBeVisible()
  await page.mouse.move(1, 1)
  await expect(page.locator('.tooltip')).toHaveCount(0)
})
