// Text at twice its size (WCAG 1.4.4) on every screen, and the colours of whoever has chosen their own.
import { nextPaint, overlaps, sidewaysScroll } from './geometry.ts'
import { screens } from './routes.ts'
import { expect, test } from './test.ts'

test.describe('text at 200 %', () => {
  for (const { name, open } of screens) {
    test(name, async ({ page }) => {
      await page.emulateMedia({ reducedMotion: 'reduce' })
      await open(page)
      await expect(page.getByRole('region', { name: 'Messages' }).locator('.toast')).toHaveCount(0)
      await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
      // The width that the rule is about, also where a screen was opened on a phone.
      await page.setViewportSize({ width: 1270, height: 800 })
      await nextPaint(page)
      await page.screenshot({ path: `test-results/screens/${name}-zoom.png` })
      expect.soft(await sidewaysScroll(page), 'scrolls sideways').toBeLessThanOrEqual(0)
      expect.soft(await overlaps(page), 'overlapping').toEqual([])
    })
  }
})

test.describe('forced colours', () => {
  const shown = ['landing', 'embed', 'dashboard', 'account', 'palette', 'log-out-everywhere', 'admin', 'admin-users']
  for (const { name, open } of screens.filter((screen) => shown.includes(screen.name))) {
    test(name, async ({ page }) => {
      await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' })
      await open(page)
      await page.screenshot({ path: `test-results/screens/${name}-forced-colors.png` })
      const bare = await page.locator('.btn:not(.btn-ghost)').evaluateAll((buttons) =>
        buttons
          .filter((button) => button.checkVisibility())
          .filter((button) => parseFloat(getComputedStyle(button).borderTopWidth) === 0)
          .map((button) => button.textContent),
      )
      expect(bare, 'buttons without an edge').toEqual([])
    })
  }
})
