// Opens every screen once and checks it with axe in both themes, at five sizes from the smallest phone
// to 4K, with text at 200 % and with forced colours. A short run checks half of the screens, most of them at three sizes
// in the light theme. SCREENSHOTS=1 saves each state to test-results/screens; taking the screenshots multiplies the duration.
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { scope, screensInAllStates } from '../scripts/test-selection.ts'
import { nextPaint, overlaps, sidewaysScroll } from './geometry.ts'
import { screens } from './screens/screens.ts'
import { expect, test } from './test.ts'

const savesScreenshots = process.env.SCREENSHOTS === '1'
const themes = ['light', 'dark'] as const

const sizes = [
  { width: 320, height: 640 },
  { width: 360, height: 740 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
  { width: 3840, height: 2160 },
]
/** The widths of a short run: a phone, a tablet and a laptop. */
const shortWidths = [360, 768, 1440]

/** WCAG 2.2 AA. */
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** The rules whose result depends on colours: a theme changes nothing else. */
const colorRules = ['color-contrast', 'link-in-text-block']

// The browser logs the refusals that open the screens confirm-identity and login-second-factor.
test.use({ expectedConsole: [/status of 40[13]/] })

// Nine states per screen took 50 s on a busy machine.
test.describe.configure({ timeout: 180_000 })

test('the screens that a short run checks in all states exist', () => {
  expect(screensInAllStates.filter((name) => !(name in screens))).toEqual([])
})

for (const [name, open] of Object.entries(screens)) {
  const inAllStates = scope !== 'short' || screensInAllStates.includes(name)

  test(`screen ${name} is accessible and keeps its layout at every size`, async ({ page }) => {
    const save = async (state: string, fullPage = false) => {
      const path = `test-results/screens/${name}-${state}.png`
      if (savesScreenshots) await page.screenshot({ path, fullPage })
    }
    await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'light' })
    await open(page)

    await nextPaint(page)
    expect.soft(await violations(page, (axe) => axe.withTags(tags)), 'light: axe').toEqual([])
    if (inAllStates) {
      await page.emulateMedia({ colorScheme: 'dark' })
      await nextPaint(page)
      expect.soft(await violations(page, (axe) => axe.withRules(colorRules), ';'), 'dark: axe').toEqual([])
    }

    await expect(page.getByRole('region', { name: 'Messages' }).locator('.toast')).toHaveCount(0)
    for (const size of sizes.filter(({ width }) => inAllStates || shortWidths.includes(width))) {
      await page.setViewportSize(size)
      // Colours do not change the layout.
      for (const colorScheme of savesScreenshots ? themes : []) {
        await page.emulateMedia({ colorScheme })
        await nextPaint(page)
        // A modal dialog fills the window, not the length of the page behind it.
        await save(`${size.width}-${colorScheme}`, (await page.locator('dialog:modal').count()) === 0)
      }
      await nextPaint(page)
      await checkGeometry(page, `${size.width}`)
    }
    if (!inAllStates) return

    // WCAG 1.4.4: text at 200 %, at the width of 1270 px.
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize({ width: 1270, height: 800 })
    await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
    await nextPaint(page)
    await save('zoom')
    await checkGeometry(page, 'text at 200 %')

    await page.evaluate(() => document.documentElement.style.removeProperty('font-size'))
    await page.emulateMedia({ forcedColors: 'active' })
    await nextPaint(page)
    await save('forced-colors')
    expect.soft(await borderlessButtons(page), 'forced colours: buttons without a border').toEqual([])
  })
}

/** @param axeSource replaces axe's own source: ';' where the page has axe already, which is half a megabyte to compile */
async function violations(page: Page, select: (axe: AxeBuilder) => AxeBuilder, axeSource?: string): Promise<string[]> {
  const axe = new AxeBuilder({ page, ...(axeSource !== undefined && { axeSource }) })
  // Without legacy mode axe opens a second page to merge results from cross-origin frames. No screen has any.
  const found = await select(axe.options({ resultTypes: ['violations'] }))
    .setLegacyMode()
    .analyze()
  return found.violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}\n${nodes.map((node) => `  ${node.html}\n  ${node.failureSummary}`).join('\n')}`,
  )
}

/** Polls for up to 5 s: scripts lay out again after a resize. */
async function checkGeometry(page: Page, look: string): Promise<void> {
  // On a scrolled page or dialog the header covers content by design, and a resize can scroll it.
  await page.evaluate(() => {
    scrollTo(0, 0)
    for (const dialog of document.querySelectorAll('dialog[open]')) dialog.scrollTo(0, 0)
  })
  const soon = expect.configure({ soft: true, timeout: 5000 })
  await soon.poll(() => sidewaysScroll(page), `${look}: scrolls sideways`).toBeLessThanOrEqual(0)
  await soon.poll(() => overlaps(page), `${look}: overlapping`).toEqual([])
}

const borderlessButtons = (page: Page) =>
  page.locator('.btn:not(.btn-ghost)').evaluateAll((buttons) =>
    buttons
      .filter((button) => button.checkVisibility())
      .filter((button) => parseFloat(getComputedStyle(button).borderTopWidth) === 0)
      .map((button) => button.textContent),
  )
