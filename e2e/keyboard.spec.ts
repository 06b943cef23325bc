// A guest's whole visit by keyboard alone.
import type { Locator, Page } from '@playwright/test'
import { jpeg } from './e2e-images.ts'
import { expect, test } from './test.ts'
import { deletion, dialogByKey, served, shownLink, toast } from './upload.ts'

/** Presses Tab until the element has the focus. Fails for elements that only a pointer can reach. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not lead to ${target.toString()}`)
}

test('a guest uploads, copies, embeds, extends and deletes by keyboard alone', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/')

  await test.step('the first tab stop skips to the content', async () => {
    await page.keyboard.press('Tab')
    const skip = page.getByRole('link', { name: 'Skip to content' })
    await expect(skip).toBeFocused()
    await expect(skip).toBeInViewport()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('main')).toBeFocused()
  })

  const choose = page.getByRole('button', { name: 'Choose image' })
  await tabTo(page, choose)
  const outline = await choose.evaluate((element) => getComputedStyle(element).outlineWidth)
  expect(parseFloat(outline), 'the focus is seen').toBeGreaterThanOrEqual(2)
  await (await dialogByKey(page, 'Enter')).setFiles({ name: 'keys.jpg', mimeType: 'image/jpeg', buffer: await jpeg() })

  const link = await shownLink(page)
  await expect(page.getByRole('textbox', { name: 'Image URL' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(toast(page, 'URL copied to clipboard!')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link)

  const item = page.getByRole('listitem').filter({ hasText: 'keys.jpg' })
  await test.step('the embed dialog traps the focus and returns it', async () => {
    const embed = item.getByRole('button', { name: 'Embed code' })
    await tabTo(page, embed)
    await page.keyboard.press('Enter')
    const embedDialog = page.getByRole('dialog', { name: 'Embed code' })
    await expect(embedDialog).toBeVisible()
    for (let presses = 0; presses < 20; presses += 1) {
      await page.keyboard.press('Tab')
      const isOnPage = await page.evaluate(() => document.activeElement?.closest('main') !== null)
      expect(isOnPage && !(await embedDialog.evaluate((d) => d.contains(document.activeElement)))).toBe(false)
    }
    await page.keyboard.press('Escape')
    await expect(embed).toBeFocused()
  })

  await tabTo(page, item.getByRole('button', { name: 'Extend' }))
  await page.keyboard.press('Space')
  await expect(toast(page, 'Expiration extended to 1 year')).toBeVisible()

  await tabTo(page, item.getByRole('button', { name: 'Delete' }))
  await page.keyboard.press('Enter')
  await expect(deletion(page, 'Image deleted successfully')).toBeVisible()
  await expect(item).toHaveCount(0)
  expect((await served(link)).status).toBe(410)
  expect(await page.evaluate(() => document.activeElement?.tagName), 'the focus is not lost').not.toBe('BODY')
})
