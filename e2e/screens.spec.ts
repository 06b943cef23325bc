// Every screen, opened once: axe in both themes, five sizes from the smallest phone to 4K, text at 200 %, forced colours.
// With SCREENSHOTS=1 each look is kept in test-results/screens: pictures are for people, and take most of the time.
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { nextPaint, overlaps, sidewaysScroll } from './geometry.ts'
import { screens } from './routes.ts'
import { expect, test } from './test.ts'

const keepsPictures = process.env.SCREENSHOTS === '1'
const themes = ['light', 'dark'] as const

const sizes = [
  { width: 320, height: 640 },
  { width: 360, height: 740 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
  { width: 3840, height: 2160 },
]

/** WCAG 2.2 AA. */
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

// Fifteen looks of a page: on a busy machine 50 s were measured.
test.describe.configure({ timeout: 180_000 })

for (const { name, open } of screens) {
  test(name, async ({ page }) => {
    const keep = async (look: string, fullPage = false) => {
      const path = `test-results/screens/${name}-${look}.png`
      if (keepsPictures) await page.screenshot({ path, fullPage })
    }
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await open(page)

    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme })
      await nextPaint(page)
      expect.soft(await faults(page), `${colorScheme}: axe`).toEqual([])
    }

    await expect(page.getByRole('region', { name: 'Messages' }).locator('.toast')).toHaveCount(0)
    for (const size of sizes) {
      await page.setViewportSize(size)
      // Colours move nothing.
      for (const colorScheme of keepsPictures ? themes : []) {
        await page.emulateMedia({ colorScheme })
        await nextPaint(page)
        // A dialog belongs to the window, not to the length of the page behind it.
        await keep(`${size.width}-${colorScheme}`, (await page.locator('dialog:modal').count()) === 0)
      }
      await nextPaint(page)
      await checkGeometry(page, `${size.width}`)
    }

    // Text at twice its size (WCAG 1.4.4), at the width that the rule is about.
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize({ width: 1270, height: 800 })
    await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
    await nextPaint(page)
    await keep('zoom')
    await checkGeometry(page, 'text at 200 %')

    await page.evaluate(() => document.documentElement.style.removeProperty('font-size'))
    await page.emulateMedia({ forcedColors: 'active' })
    await nextPaint(page)
    await keep('forced-colors')
    expect.soft(await bareButtons(page), 'forced colours: buttons without an edge').toEqual([])
  })
}

async function faults(page: Page): Promise<string[]> {
  // The other mode opens a page of its own to collect what was found in frames of other sites. Here are none.
  const { violations } = await new AxeBuilder({ page }).withTags(tags).setLegacyMode().analyze()
  return violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}\n${nodes.map((node) => `  ${node.html}\n  ${node.failureSummary}`).join('\n')}`,
  )
}

/** Asked again for a while: a script may lay out anew what a new size has moved. */
async function checkGeometry(page: Page, look: string): Promise<void> {
  // Scrolled, a header lies over the page or the dialog on purpose; and a new size may scroll it.
  await page.evaluate(() => {
    scrollTo(0, 0)
    for (const dialog of document.querySelectorAll('dialog[open]')) dialog.scrollTo(0, 0)
  })
  const soon = expect.configure({ soft: true, timeout: 5000 })
  await soon.poll(() => sidewaysScroll(page), `${look}: scrolls sideways`).toBeLessThanOrEqual(0)
  await soon.poll(() => overlaps(page), `${look}: overlapping`).toEqual([])
}

const bareButtons = (page: Page) =>
  page.locator('.btn:not(.btn-ghost)').evaluateAll((buttons) =>
    buttons
      .filter((button) => button.checkVisibility())
      .filter((button) => parseFloat(getComputedStyle(button).borderTopWidth) === 0)
      .map((button) => button.textContent),
  )
