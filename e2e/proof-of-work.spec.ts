// Visitors of an instance with PROOF_OF_WORK=on notice nothing but a short delay.
import { jpeg } from './e2e-images.ts'
import { onOwnServer } from './own-server.ts'
import { expect } from './test.ts'
import { pick, served, shownLink, toast, zone } from './upload.ts'

const test = onOwnServer({ PROOF_OF_WORK: 'on' })
test.use({ expectedConsole: [/status of 428/] })

test('the page solves the challenge of a registration and of an upload', async ({ page }) => {
  await page.goto('/register')
  await page.getByLabel('Email').fill('visitor@example.com')
  await page.getByLabel('Password', { exact: true }).fill('correct horse')
  await page.getByRole('main').getByRole('button', { name: 'Register' }).click()
  await expect(toast(page, 'Registration successful! You can now log in.')).toBeVisible({ timeout: 20_000 })

  await page.goto('/')
  await pick(page, { name: 'harbour.jpg', mimeType: 'image/jpeg', buffer: await jpeg() })
  await expect(toast(page, 'Image uploaded successfully!')).toBeVisible({ timeout: 20_000 })
  expect((await served(await shownLink(page))).status).toBe(200)
})

test('the page solves a challenge for each file of a batch', async ({ page }) => {
  await page.goto('/')
  const buffers = await Promise.all([1, 2, 3].map((at) => jpeg(300, 200 + at)))
  await pick(page, ...buffers.map((buffer, at) => ({ name: `photo${at}.jpg`, mimeType: 'image/jpeg', buffer })))
  await expect(zone(page).getByRole('heading')).toHaveText('3 images uploaded', { timeout: 30_000 })
})
