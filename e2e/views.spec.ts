// An owner sees the views of an image and limits them; seeing and downloading it takes none.
import { jpeg } from './e2e-images.ts'
import { logIn } from './log-in.ts'
import { expect, test } from './test.ts'
import { pick, tile, toast } from './upload.ts'

test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })

test('an owner limits the views of an image, sees and downloads it without taking one', async ({ page }) => {
  const token = await logIn(page)
  await page.goto('/dashboard')
  await pick(page, { name: 'harbour.jpg', mimeType: 'image/jpeg', buffer: await jpeg(800, 600) })
  await expect(toast(page, 'Image uploaded successfully!')).toBeVisible()

  await tile(page, /./).getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Statistics' }).click()
  const statistics = page.getByRole('dialog', { name: 'Statistics' })
  await expect(statistics.getByText('No views yet')).toBeVisible()
  await expect(statistics.getByRole('slider'), 'no empty chart').toHaveCount(0)
  await page.keyboard.press('Escape')

  await tile(page, /./).getByRole('link').first().click()
  const viewer = page.getByRole('dialog', { name: 'Image viewer' })
  await viewer.getByRole('button', { name: 'Image details' }).click()
  const limit = viewer.getByRole('region', { name: 'Delete after N views' })
  await expect(limit).toContainText('After the last view the image is deleted for everyone')
  await limit.getByRole('textbox', { name: 'Number of views' }).fill('0')
  await limit.getByRole('button', { name: 'Set limit' }).click()
  await expect(limit.getByRole('alert')).toHaveText('Enter a whole number from 1 to 1,000,000')
  await limit.getByRole('textbox', { name: 'Number of views' }).fill('2')
  await limit.getByRole('button', { name: 'Set limit' }).click()
  await expect(limit.getByText('2 views left. After the last one the image is deleted for good.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(viewer).toHaveCount(0)
  // Closing goes back in the history, which would end a reload that has just begun.
  await expect(page).toHaveURL('/dashboard')

  await page.reload()
  await expect(tile(page, /./).locator('img')).toHaveAttribute('src', /^blob:/)
  await tile(page, /./).getByRole('link').first().click()
  const shown = page.getByRole('dialog', { name: 'Image viewer' }).locator('img.lightbox-shown')
  await expect(shown).toHaveAttribute('src', /^blob:/)

  const download = page.waitForEvent('download')
  await page.getByRole('dialog', { name: 'Image viewer' }).getByRole('button', { name: 'Download' }).click()
  expect((await download).suggestedFilename()).toBe('harbour.jpg')

  const headers = { authorization: `Bearer ${token}` }
  const images = await (await page.request.get('/api/images', { headers })).json()
  expect(images[0].views_left).toBe(2)
})
