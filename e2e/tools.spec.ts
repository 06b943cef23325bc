// Journeys of a user who sets up a program: with a key of its own, and as a guest.
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { logIn } from './log-in.ts'
import { expect, test } from './test.ts'
import { uploadFor } from './upload.ts'

/** The program's window was in front of the browser's. */
const returnFromProgram = (page: Page) => page.evaluate(() => dispatchEvent(new Event('focus')))

test('a user sets up ShareX, and the page confirms its first upload', async ({ page }) => {
  await logIn(page)
  await page.goto('/tools')
  await page.getByRole('searchbox', { name: 'Search apps' }).fill('windows screenshot')
  await expect(page.getByRole('navigation', { name: 'Apps' }).getByRole('listitem')).toHaveText([
    /^ShareX/,
    /^Greenshot/,
    /^Another app/,
  ])
  await page.getByRole('link', { name: 'ShareX' }).click()
  await page.getByRole('button', { name: 'Create a key for ShareX' }).click()
  await expect(page.getByText('Waiting for an upload from ShareX...')).toBeVisible()

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download image-host.sxcu' }).click()
  expect((await download).suggestedFilename()).toBe('image-host.sxcu')
  const { Headers, RequestURL } = JSON.parse(await readFile(await (await download).path(), 'utf8'))
  expect(RequestURL).toBe(`${process.env.E2E_URL}/api/upload`)
  const key = Headers.Authorization.replace('Bearer ', '')

  await uploadFor(page, key, 'first.jpg', '30d')
  await returnFromProgram(page)
  await expect(page.getByText('It works')).toBeVisible()
  await expect(page.getByText('first.jpg has arrived.')).toBeVisible()

  await page.goto('/api-keys')
  await expect(page.getByRole('row').filter({ hasText: 'ShareX' })).toContainText('Upload')
})

test('the page says when a program reached the site and nothing was uploaded', async ({ page }) => {
  await logIn(page)
  await page.goto('/tools?client=zapier')
  await page.getByRole('button', { name: 'Create a key for Zapier' }).click()
  await expect(page.getByText('Waiting for an upload from Zapier...')).toBeVisible()
  const authorization = await page.getByRole('group', { name: 'Authorization' }).locator('pre').innerText()
  const multipart = { image: { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('words') } }
  expect((await page.request.post('/api/upload', { headers: { authorization }, multipart })).status()).toBe(415)
  await returnFromProgram(page)
  await expect(page.getByText('Zapier reached this site, but nothing was uploaded')).toBeVisible()
})

test('a guest on a phone gets settings without a key, and the way to log in', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/')
  await page.getByRole('link', { name: 'Upload from ShareX, your phone or a script' }).click()
  await page.getByRole('link', { name: 'Greenshot' }).click()
  await expect(page.getByRole('heading', { name: 'Greenshot' })).toBeFocused()
  await expect(page.getByRole('group', { name: 'Argument' })).not.toContainText('Authorization')

  await page.getByRole('link', { name: 'All apps' }).click()
  await expect(page.getByRole('link', { name: 'Greenshot' })).toBeFocused()
  await page.getByRole('link', { name: 'PicList' }).click()
  await expect(page.getByRole('group', { name: 'Auth token' })).toContainText('Bearer YOUR_API_KEY')
  await expect(page.getByText('PicList needs a key here.')).toBeVisible()
  await page.getByRole('article').getByRole('link', { name: 'Log in' }).click()
  await expect(page).toHaveURL('/login?next=%2Ftools%3Fclient%3Dpiclist')
})
