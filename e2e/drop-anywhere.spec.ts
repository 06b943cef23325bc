// A file that is dropped or pasted on any page is uploaded, and never opened by the browser in place of the page.
import type { Page } from '@playwright/test'
import { png } from './e2e-images.ts'
import { logIn, logInAsAdmin } from './log-in.ts'
import { onOwnServer } from './own-server.ts'
import { expect, test } from './test.ts'
import { paste, toast, transferOf, zone } from './upload.ts'

const files = (count: number, type = 'image/png') =>
  Promise.all(
    Array.from({ length: count }, async (_, at) => ({
      name: `photo${at + 1}.png`,
      mimeType: type,
      buffer: await png(60 + at, 40),
    })),
  )

const uploads = (page: Page) => page.getByRole('region', { name: 'Uploads', exact: true })

/** Drags onto the heading. @returns whether the browser was kept from opening the file */
async function dragTo(page: Page, count: number, type?: string) {
  const dataTransfer = await transferOf(page, await files(count, type))
  const place = page.getByRole('heading', { level: 1 })
  await expect(place).toBeVisible()
  await place.dispatchEvent('dragenter', { dataTransfer })
  return {
    dataTransfer,
    drop: () =>
      place.evaluate((element, transfer) => {
        const send = (name: string) =>
          element.dispatchEvent(
            new DragEvent(name, { dataTransfer: transfer, bubbles: true, cancelable: true, composed: true }),
          )
        return [send('dragover'), send('drop')].map((isLeftToBrowser) => !isLeftToBrowser)
      }, dataTransfer),
  }
}

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

for (const path of [
  '/account',
  '/api-keys',
  '/api-docs',
  '/notifications',
  '/tools',
  '/about',
  '/nowhere',
  '/dashboard?deleted',
])
  test(`a user drops a file on ${path}, and it is uploaded there`, async ({ page }) => {
    await logIn(page)
    await page.goto(path)
    await page.waitForLoadState('networkidle')
    const drag = await dragTo(page, 1)
    await expect(page.getByText('Drop to upload')).toBeVisible()
    expect(await drag.drop()).toEqual([true, true])
    await expect(page.getByText('Drop to upload')).toHaveCount(0)
    await expect(uploads(page)).toContainText('1 image uploaded')
    await expect(page).toHaveURL(path)
  })

for (const path of ['/login', '/register', '/reset-password', '/tools', '/contact'])
  test(`a guest drops a file on ${path}, and copies its address there`, async ({ page }) => {
    await page.goto(path)
    await page.waitForLoadState('networkidle')
    expect(await (await dragTo(page, 1)).drop()).toEqual([true, true])
    await expect(uploads(page)).toContainText('1 image uploaded')
    await uploads(page).getByRole('button', { name: 'Copy URL' }).first().click()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^http.*\/uploads\//)
    await expect(page).toHaveURL(path)
    await uploads(page).getByRole('link', { name: 'Recent uploads' }).click()
    await expect(page.getByRole('main').getByRole('listitem').filter({ hasText: 'photo1' })).toBeVisible()
  })

test('what a guest has typed stays when a file is dropped', async ({ page }) => {
  await page.goto('/register')
  await page.getByLabel('Email').fill('maya@example.com')
  await page.waitForLoadState('networkidle')
  await (await dragTo(page, 3)).drop()
  await expect(uploads(page)).toContainText('3 images uploaded')
  await expect(page.getByLabel('Email')).toHaveValue('maya@example.com')
})

test('more files than a guest may send are asked about on the landing', async ({ page }) => {
  await page.goto('/tools')
  await page.waitForLoadState('networkidle')
  await (await dragTo(page, 51)).drop()
  await expect(page).toHaveURL('/')
  await expect(zone(page).getByRole('heading', { name: 'Too many files' })).toBeVisible()
})

test('an image that is pasted on another page is uploaded once', async ({ page }) => {
  await logIn(page)
  await page.goto('/account')
  await page.waitForLoadState('networkidle')
  await page.getByRole('heading', { level: 1 }).click()
  await paste(page, await png())
  await expect(uploads(page)).toContainText('1 image uploaded')
  await page.goto('/dashboard')
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(1)
  await page.getByRole('heading', { level: 1 }).click()
  await paste(page, await png(50, 50))
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(2)
  await expect(uploads(page)).toHaveCount(0)
})

test('a file that cannot be uploaded is named, and is not opened', async ({ page }) => {
  await logIn(page)
  await page.goto('/account')
  await page.waitForLoadState('networkidle')
  const drag = await dragTo(page, 1, 'text/plain')
  const refusal = 'File type must be PNG, JPG, JPEG, WebP, GIF or SVG'
  await expect(page.getByText(refusal)).toBeVisible()
  expect(await drag.drop()).toEqual([true, true])
  await expect(toast(page, refusal)).toBeVisible()
  await expect(uploads(page)).toHaveCount(0)
})

test('an image of the page that is dragged over it is no upload', async ({ page }) => {
  await logIn(page)
  await page.goto('/account')
  await page.waitForLoadState('networkidle')
  await page.getByRole('heading', { level: 1 }).dispatchEvent('dragstart')
  expect(await (await dragTo(page, 1)).drop()).toEqual([true, true])
  await expect(page.getByText('Drop to upload')).toHaveCount(0)
  await expect(uploads(page)).toHaveCount(0)
})

test('a field for files takes what is dropped on it', async ({ page }) => {
  await logIn(page)
  await page.goto('/account')
  await page.waitForLoadState('networkidle')
  const dataTransfer = await transferOf(page, await files(1))
  const isLeftToBrowser = await page.evaluate((transfer) => {
    const field = document.body.appendChild(Object.assign(document.createElement('input'), { type: 'file' }))
    const drop = new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true })
    return field.dispatchEvent(drop)
  }, dataTransfer)
  expect(isLeftToBrowser).toBe(true)
})

const membersOnly = onOwnServer({
  GUEST_UPLOADS: 'off',
  ADMIN_EMAIL: 'admin@example.com',
  ADMIN_PASSWORD: 'secret admin',
})

membersOnly('where guests may not upload, a dropped file is refused and not opened', async ({ page }) => {
  await page.goto('/login')
  await page.waitForLoadState('networkidle')
  expect(await (await dragTo(page, 1)).drop()).toEqual([true, true])
  await expect(uploads(page)).toHaveCount(0)
})

membersOnly('an admin drops two files on the admin page', async ({ page }) => {
  await logInAsAdmin(page)
  await page.goto('/admin')
  await page.waitForLoadState('networkidle')
  expect(await (await dragTo(page, 2)).drop()).toEqual([true, true])
  await expect(uploads(page)).toContainText('2 images uploaded')
  await expect(page).toHaveURL('/admin')
})
