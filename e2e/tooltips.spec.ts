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
