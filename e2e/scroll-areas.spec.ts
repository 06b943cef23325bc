// The bars of scroll areas: they show under the pointer and hide 600 ms after it has left.
import type { Locator } from '@playwright/test'
import { screens } from './screens/screens.ts'
import { expect, test } from './test.ts'

const barOf = (area: Locator) =>
  area.evaluate((element) => {
    const { scrollbarColor, transitionDelay } = getComputedStyle(element)
    return { isHidden: scrollbarColor.startsWith('rgba(0, 0, 0, 0)'), hidesAfter: transitionDelay.split(', ')[0] }
  })

for (const { screen, areas } of [
  { screen: 'document', areas: ['.doc-body', '.dt-region', '.db-sidebar > nav'] },
  { screen: 'api-docs', areas: ['.docs-chips'] },
  { screen: 'embed', areas: ['dialog [role=tabpanel]'] },
]) {
  test(`the scroll bars on the screen ${screen} hide 600 ms after the pointer has left`, async ({ page }) => {
    await screens[screen]?.(page)
    for (const selector of areas) {
      const area = page.locator(selector).first()
      await page.mouse.move(0, 0)
      await expect.poll(() => barOf(area), selector).toEqual({ isHidden: true, hidesAfter: '0.6s' })
      await area.hover()
      await expect.poll(() => barOf(area), selector).toEqual({ isHidden: false, hidesAfter: '0s' })
    }
  })
}
