// Links: of a guest to a batch, and of a user to a selection, with a password, a list, and an end.
import type { Page } from '@playwright/test'
import { callApi } from './api-calls.ts'
import { png } from './e2e-images.ts'
import { expect, test } from './test.ts'
import { pick, toast, zone } from './upload.ts'

const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

const pngs = (count: number) =>
  Promise.all(
    Array.from({ length: count }, async (_, at) => ({
      name: `photo${at + 1}.png`,
      mimeType: 'image/png',
      buffer: await png(60 + at, 40),
    })),
  )

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

test('a guest shares three files with two clicks, finds the link again, and ends it', async ({ page, baseURL }) => {
  await page.goto('/', { waitUntil: 'networkidle' })
  await pick(page, ...(await pngs(3)))
  await zone(page).getByRole('button', { name: 'Copy link to all 3' }).click()
  await expect(toast(page, 'Link to 3 images copied')).toBeVisible()
  const link = await clipboard(page)
  expect(link).toMatch(new RegExp(`^${baseURL}/l/[2-9a-z]{12}$`))

  await test.step('a second click copies the same link', async () => {
    await page.evaluate(() => navigator.clipboard.writeText(''))
    await zone(page).getByRole('button', { name: 'Copy link to all 3' }).click()
    await expect.poll(() => clipboard(page)).toBe(link)
  })

  await test.step('after a reload it is with the batch, where it can be ended', async () => {
    await page.reload()
    const recent = page.getByRole('region', { name: 'Recent uploads' })
    await expect(recent.getByRole('link', { name: link.replace('http://', '') })).toHaveAttribute('href', link)
    const { id, token } = await page.evaluate(
      () => (JSON.parse(localStorage.getItem('guest_albums') ?? '[]') as { id: string; token: string }[])[0]!,
    )
    await recent.getByRole('button', { name: 'End link' }).click()
    await expect(toast(page, 'The link has ended. The images stay')).toBeVisible()
    await expect(recent.getByRole('link', { name: /\/l\// })).toHaveCount(0)
    await expect(recent.getByRole('listitem')).toHaveCount(3)
    const again = await callApi(baseURL!, `/api/albums/guest/${id}`, { method: 'DELETE', body: { token } })
    expect(again.status).toBe(404)
  })
})
