// What screens.spec.ts and states.spec.ts check of the screen that is open, and how they save it.
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { nextPaint, overlaps, sidewaysScroll } from './geometry.ts'
import { expect } from './test.ts'

/** SCREENSHOTS=1 saves every checked size, SCREENSHOTS=360,1440 checks and saves these widths only. */
const wanted = process.env.SCREENSHOTS ?? ''
const onlyWidths = wanted === '1' ? [] : wanted.split(',').map(Number)
export const savesScreenshots = wanted !== ''
export const isWanted = (width: number) => wanted === '' || wanted === '1' || onlyWidths.includes(width)

/** WCAG 2.2 AA. */
export const accessibilityTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** @param name of the file in test-results/screens */
export async function save(page: Page, name: string, fullPage = false): Promise<void> {
  if (savesScreenshots) await page.screenshot({ path: `test-results/screens/${name}.png`, fullPage })
}

/** Saves the screen in both themes. A modal dialog fills the window, not the length of the page behind it. */
export async function saveInBothThemes(page: Page, name: string, isLong = false): Promise<void> {
  if (!savesScreenshots) return
  const fullPage = !isLong && (await page.locator('dialog:modal').count()) === 0
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await nextPaint(page)
    await save(page, `${name}-${colorScheme}`, fullPage)
  }
}

/** @param axeSource replaces axe's own source: ';' where the page has axe already, which is half a megabyte to compile */
export async function violations(
  page: Page,
  select: (axe: AxeBuilder) => AxeBuilder,
  axeSource?: string,
): Promise<string[]> {
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
export async function checkGeometry(page: Page, look: string): Promise<void> {
  // On a scrolled page or dialog the header covers content by design, and a resize can scroll it.
  await page.evaluate(() => {
    scrollTo(0, 0)
    for (const dialog of document.querySelectorAll('dialog[open]')) dialog.scrollTo(0, 0)
  })
  const soon = expect.configure({ soft: true, timeout: 5000 })
  await soon.poll(() => sidewaysScroll(page), `${look}: scrolls sideways`).toBeLessThanOrEqual(0)
  await soon.poll(() => overlaps(page), `${look}: overlapping`).toEqual([])
}
