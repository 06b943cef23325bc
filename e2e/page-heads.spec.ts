// Titles stand at the same height on all pages, and the tabs of the pages for developers do not move.
import type { Page } from '@playwright/test'
import { logIn } from './log-in.ts'
import { expect, test } from './test.ts'

const titleTop = async (page: Page, path: string) => {
  await page.goto(path)
  const title = page.getByRole('main').getByRole('heading', { level: 1 })
  await expect(title).toBeVisible()
  return Math.round((await title.boundingBox())!.y)
}

for (const width of [390, 768, 1440])
  test.describe(`${width} pixels wide`, () => {
    test.use({ viewport: { width, height: 900 } })

    test('titles of pages stand at one height', async ({ page }) => {
      await logIn(page)
      const tops = new Map<string, number>()
      for (const path of ['/account', '/notifications', '/contact', '/report', '/privacy', '/terms'])
        tops.set(path, await titleTop(page, path))
      expect(new Set(tops.values()).size, JSON.stringify([...tops])).toBe(1)
    })

    test('titles and tabs of the pages for developers stand at one place, and the footer aligns with them', async ({
      page,
    }) => {
      await logIn(page)
      const places = new Map<string, string>()
      for (const path of ['/api-keys', '/api-keys?tab=webhooks', '/api-docs', '/tools']) {
        const top = await titleTop(page, path)
        const tabs = (await page.getByRole('navigation', { name: 'Developers' }).boundingBox())!
        places.set(path, [top, tabs.x, tabs.y, tabs.width].map(Math.round).join(' '))
        const column = (await page.locator('main > .page').boundingBox())!
        const footer = (await page.getByRole('contentinfo').locator('.page').first().boundingBox())!
        expect([footer.x, footer.width], `the footer of ${path} aligns with the page`).toEqual([column.x, column.width])
      }
      expect(new Set(places.values()).size, JSON.stringify([...places])).toBe(1)
    })
  })
