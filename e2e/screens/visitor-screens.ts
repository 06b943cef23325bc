// Screens that a visitor sees.
import type { Page } from '@playwright/test'
import { jpeg } from '../e2e-images.ts'
import { logIn, logInAsAdmin } from '../log-in.ts'
import { expect } from '../test.ts'
import { type ImageFile, pick, shownLink, uploadFor, zone } from '../upload.ts'
import { route, type Screens } from './open-screen.ts'

export const visitorScreens: Screens = {
  landing: route('/'),
  about: route('/about'),
  contact: route('/contact'),
  report: route('/report'),
  privacy: route('/privacy'),
  terms: route('/terms'),
  'not-found': async (page) => {
    await page.goto('/nowhere')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page Not Found')
  },
  share: (page) => openShared(page, 'harbour.jpg', { title: 'Harbour at dusk' }),
  'share-long': (page) => openShared(page, `${'a-name-without-end'.repeat(8)}.jpg`, {}),
  'share-missing': route('/i/missing'),
  'share-gone': async (page) => {
    const { url } = await deleteByLink(page)
    await page.goto(url)
    await expect(page.getByRole('heading', { name: 'This image has expired or was deleted' })).toBeVisible()
  },
  'share-withdrawn': async (page) => {
    const { id, url } = await stored(page)
    const headers = { authorization: `Bearer ${await logInAsAdmin(page)}` }
    await page.request.post('/api/admin/images/moderate', { headers, data: { action: 'quarantine', ids: [id] } })
    await page.goto(url)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  },
  'delete-link': async (page) => {
    await page.goto((await stored(page)).delete_url)
    await expect(page.getByRole('button', { name: 'Delete image' })).toBeVisible()
  },
  'delete-link-used': async (page) => {
    const { delete_url } = await deleteByLink(page)
    await page.goto(delete_url)
    await expect(page.getByRole('heading', { name: 'Image not deleted' })).toBeVisible()
  },
  'image-deleted': async (page) => void (await deleteByLink(page)),
  result: openResult,
  results: async (page) => {
    await page.goto('/')
    await pick(page, ...(await images(3)), { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('words') })
    await expect(page.getByRole('heading', { name: '3 images uploaded together' })).toBeVisible()
    await expect(zone(page).getByRole('button', { name: 'Copy all' })).toBeVisible()
  },
  'too-many-files': async (page) => {
    await page.goto('/')
    await pick(page, ...(await images(51)))
    await expect(page.getByRole('heading', { name: 'Too many files' })).toBeVisible()
  },
  embed: async (page) => {
    await openResult(page)
    await page.getByRole('listitem').getByRole('button', { name: 'Embed code' }).first().click()
    await expect(page.getByRole('dialog', { name: 'Embed code' })).toBeVisible()
  },
  'contact-problems': async (page) => {
    await page.goto('/contact')
    await page.getByRole('button', { name: 'Send message' }).click()
    await expect(page.getByText('Name is required')).toBeVisible()
    // The focus scrolled to the field, which puts parts of the form under the header by design.
    await page.evaluate(() => scrollTo(0, 0))
  },
  'report-problems': async (page) => {
    await page.goto('/report')
    await page.getByRole('button', { name: 'Send report' }).click()
    await expect(page.getByText('Image address is required')).toBeVisible()
    await page.evaluate(() => scrollTo(0, 0))
  },
  tools: route('/tools'),
  'tools-guest': route('/tools?client=sharex'),
}

async function images(count: number): Promise<ImageFile[]> {
  const buffer = await jpeg()
  return Array.from({ length: count }, (_, at) => ({ name: `harbour ${at}.jpg`, mimeType: 'image/jpeg', buffer }))
}

/** Uploads a guest's image through the API. */
async function stored(page: Page): Promise<{ id: string; url: string; delete_url: string }> {
  const image = { name: 'harbour.jpg', mimeType: 'image/jpeg', buffer: await jpeg() }
  return (await page.request.post('/api/upload', { multipart: { image } })).json()
}

async function deleteByLink(page: Page) {
  const image = await stored(page)
  await page.goto(image.delete_url)
  await page.getByRole('button', { name: 'Delete image' }).click()
  await expect(page.getByRole('heading', { name: 'Image deleted' })).toBeVisible()
  return image
}

async function openShared(page: Page, name: string, texts: object): Promise<void> {
  const token = await logIn(page)
  const id = await uploadFor(page, token, name, '5d')
  const headers = { authorization: `Bearer ${token}` }
  await page.request.patch(`/api/images/${id}`, { headers, data: { ...texts, alt: 'Boats under a red sky' } })
  await page.goto(`/i/${id}`)
  await expect(page.getByRole('img', { name: 'Boats under a red sky' })).toBeVisible()
}

async function openResult(page: Page): Promise<void> {
  await page.goto('/')
  await pick(page, { name: 'harbour.jpg', mimeType: 'image/jpeg', buffer: await jpeg() })
  await shownLink(page)
  await expect(page.getByRole('heading', { name: 'Recent uploads' })).toBeVisible()
}
