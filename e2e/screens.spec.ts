// Opens every screen once and checks it with axe in both themes, at five sizes from the smallest phone
// to 4K, with text at 200 % and with forced colours. A short run checks one of each kind, most of them at three sizes
// in the light theme. SCREENSHOTS=1 saves each state to test-results/screens; taking the screenshots multiplies the duration.
import type { Page } from '@playwright/test'
import { scope, screensInAllStates } from '../scripts/test-selection.ts'
import { nextPaint } from './geometry.ts'
import { accessibilityTags, checkGeometry, isWanted, save, saveInBothThemes, violations } from './screen-checks.ts'
import { screens } from './screens/screens.ts'
import { expect, test } from './test.ts'

const sizes = [
  { width: 320, height: 640 },
  { width: 360, height: 740 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
  { width: 3840, height: 2160 },
]
/** The widths of a short run: a phone, a tablet and a laptop. */
const shortWidths = [360, 768, 1440]

/** The rules whose result depends on colours: a theme changes nothing else. */
const colorRules = ['color-contrast', 'link-in-text-block']

// The browser logs the refusals that open the screens confirm-identity and login-second-factor, and the pages of images that are gone.
test.use({ expectedConsole: [/status of (40[13]|410|451)/] })

// Nine states per screen took 50 s on a busy machine.
test.describe.configure({ timeout: 180_000 })

test('the screens that a short run checks in all states exist', () => {
  expect(screensInAllStates.filter((name) => !(name in screens))).toEqual([])
})

for (const [name, open] of Object.entries(screens)) {
  const inAllStates = scope !== 'short' || screensInAllStates.includes(name)

  test(`screen ${name} is accessible and keeps its layout at every size`, async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'light' })
    await open(page)

    await nextPaint(page)
    expect.soft(await violations(page, (axe) => axe.withTags(accessibilityTags)), 'light: axe').toEqual([])
    if (inAllStates) {
      await page.emulateMedia({ colorScheme: 'dark' })
      await nextPaint(page)
      expect.soft(await violations(page, (axe) => axe.withRules(colorRules), ';'), 'dark: axe').toEqual([])
    }

    await expect(page.getByRole('region', { name: 'Messages' }).locator('.toast')).toHaveCount(0)
    for (const size of sizes.filter(({ width }) => (inAllStates || shortWidths.includes(width)) && isWanted(width))) {
      await page.setViewportSize(size)
      await saveInBothThemes(page, `${name}-${size.width}`)
      await nextPaint(page)
      await checkGeometry(page, `${size.width}`)
    }
    if (!inAllStates) return

    // WCAG 1.4.4: text at 200 %, at the width of 1270 px.
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize({ width: 1270, height: 800 })
    await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
    await nextPaint(page)
    await save(page, `${name}-zoom`)
    await checkGeometry(page, 'text at 200 %')

    await page.evaluate(() => document.documentElement.style.removeProperty('font-size'))
    await page.emulateMedia({ forcedColors: 'active' })
    await nextPaint(page)
    await save(page, `${name}-forced-colors`)
    expect.soft(await borderlessButtons(page), 'forced colours: buttons without a border').toEqual([])
  })
}

const borderlessButtons = (page: Page) =>
  page.locator('.btn:not(.btn-ghost)').evaluateAll((buttons) =>
    buttons
      .filter((button) => button.checkVisibility())
      .filter((button) => parseFloat(getComputedStyle(button).borderTopWidth) === 0)
      .map((button) => button.textContent),
  )
