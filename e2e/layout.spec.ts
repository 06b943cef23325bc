// Every screen from the smallest phone to 4K, both themes: nothing scrolls sideways, nothing overlaps. Screenshots are
// kept in test-results/screens to be looked at.
import { nextPaint, overlaps, sidewaysScroll } from './geometry.ts'
import { screens } from './routes.ts'
import { expect, test } from './test.ts'

const sizes = [
  { width: 320, height: 640 },
  { width: 360, height: 740 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
  { width: 3840, height: 2160 },
]

for (const { name, open } of screens) {
  test(name, async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.setViewportSize({ width: 1440, height: 900 })
    await open(page)
    await expect(page.getByRole('region', { name: 'Messages' }).locator('.toast')).toHaveCount(0)
    for (const size of sizes) {
      await page.setViewportSize(size)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await nextPaint(page)
        // A dialog belongs to the window, not to the length of the page behind it.
        const fullPage = (await page.getByRole('dialog').count()) === 0
        await page.screenshot({ path: `test-results/screens/${name}-${size.width}-${colorScheme}.png`, fullPage })
      }
      expect.soft(await sidewaysScroll(page), `${size.width}: scrolls sideways`).toBeLessThanOrEqual(0)
      expect.soft(await overlaps(page), `${size.width}: overlapping`).toEqual([])
    }
  })
}
