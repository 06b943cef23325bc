// "Try again" by keyboard, after the data of a page could not be loaded.
import { logIn } from './log-in.ts'
import { expect, test } from './test.ts'

test.use({ expectedConsole: [/ERR_FAILED/] })

test('after a successful attempt the keyboard is in the content of the page', async ({ page }) => {
  await logIn(page)
  await page.route('**/api/expiring-images', (route) => route.abort())
  await page.clock.install()
  await page.goto('/notifications')
  const again = page.getByRole('main').getByRole('button', { name: 'Try again' })
  await expect(async () => {
    await page.clock.runFor(2000)
    await expect(again).toBeVisible({ timeout: 500 })
  }).toPass()
  await page.unroute('**/api/expiring-images')
  await again.press('Enter')
  await expect(again).toHaveCount(0)
  await expect(page.locator('#main')).toBeFocused()
})
