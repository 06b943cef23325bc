// Every screen from the smallest phone to 4K, both themes: nothing scrolls sideways, nothing overlaps. Screenshots are
// kept in test-results/screens to be looked at.
import type { Page } from '@playwright/test'
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

const nextPaint = (page: Page) =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))

const sidewaysScroll = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/** Pairs of things to read or press, none inside the other, that share more than a hair of the screen. */
const overlaps = (page: Page) =>
  page.evaluate(() => {
    // With a dialog open, what lies under it is not there to be read.
    const root = document.querySelector('dialog[open]') ?? document.body
    const shown = [...root.querySelectorAll<HTMLElement>('a, button, input, h1, h2, h3, p, img, label, pre')]
      .filter((element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
      // A sheet's bar stays over what scrolls under it.
      .filter((element) => element.closest('.sr-only, .skip-link, .sheet-bar, [aria-hidden=true]') === null)
      .map((element) => ({ element, box: element.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 1 && box.height > 1 && box.bottom + scrollY > 0)
    const name = (element: HTMLElement) =>
      `<${element.tagName.toLowerCase()}> ${(element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40)}`
    const hairPx = 2
    return shown.flatMap((a, at) =>
      shown
        .slice(at + 1)
        .filter((b) => !a.element.contains(b.element) && !b.element.contains(a.element))
        // An input carries its own button inside, as the one that shows a password.
        .filter((b) => !(a.element.tagName === 'INPUT' && a.element.parentElement === b.element.parentElement))
        .filter(
          (b) =>
            Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left) > hairPx &&
            Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top) > hairPx,
        )
        .map((b) => `${name(a.element)} and ${name(b.element)}`),
    )
  })
