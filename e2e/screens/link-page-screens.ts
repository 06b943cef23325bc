// What a visitor of a link sees: the images, the password, and a link that opens nothing now. The viewer's buttons
// lie over its image by design; link-page.spec.ts has it.
import type { Page } from '@playwright/test'
import { jpeg } from '../e2e-images.ts'
import { logIn } from '../log-in.ts'
import { expect } from '../test.ts'
import type { Screens } from './open-screen.ts'

const dayMs = 24 * 3_600_000
const inDays = (days: number) => new Date(Date.now() + days * dayMs).toISOString()

export const linkPageScreens: Screens = {
  'link-page': async (page) => {
    await page.goto(await shareImages(page, 7))
    await expect(images(page)).toHaveCount(7)
  },
  'link-page-one': async (page) => {
    await page.goto(await shareImages(page, 1, { can_download: false }))
    await expect(images(page)).toHaveCount(1)
  },
  'link-page-album': async (page) => {
    await page.goto(await shareAlbum(page, { images: await upload(page, 4), description: 'By train to Sicily.' }))
    await expect(page.getByRole('heading', { name: 'Italy' })).toBeVisible()
  },
  'link-page-album-empty': async (page) => {
    await page.goto(await shareAlbum(page, {}))
    await expect(page.getByText('No images here yet')).toBeVisible()
  },
  'link-page-password': async (page) => {
    await page.goto(await shareImages(page, 1, { password: 'open sesame' }))
    await expect(page.getByLabel('Password')).toBeVisible()
  },
  'link-page-wrong-password': async (page) => {
    await page.goto(await shareImages(page, 1, { password: 'open sesame' }))
    await page.getByLabel('Password').fill('wrong')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alert')).toBeVisible()
  },
  'link-page-waiting': (page) => openClosed(page, { starts_at: inDays(2) }),
  'link-page-used-up': async (page) => {
    const path = await shareImages(page, 1, { max_views: 1 })
    await page.goto(path)
    await expect(images(page)).toHaveCount(1)
    await page.context().clearCookies()
    await expectClosed(page, path)
  },
  'link-page-revoked': async (page) => {
    const { path, id } = await createLink(page, { images: await upload(page, 1) })
    await page.request.patch(`/api/links/${id}`, { headers: await authorized(page), data: { revoked: true } })
    await expectClosed(page, path)
  },
}

const images = (page: Page) => page.locator('#images > a')

async function openClosed(page: Page, options: object): Promise<void> {
  await expectClosed(page, await shareImages(page, 1, options))
}

async function expectClosed(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await expect(page.getByRole('heading', { name: 'This link has ended or never existed' })).toBeVisible()
}

async function shareImages(page: Page, count: number, options: object = {}): Promise<string> {
  return (await createLink(page, { images: await upload(page, count), ...options })).path
}

async function shareAlbum(page: Page, album: object): Promise<string> {
  const headers = await authorized(page)
  const answer = await page.request.post('/api/albums', { headers, data: { title: 'Italy', ...album } })
  return (await createLink(page, { album_id: ((await answer.json()) as { id: string }).id })).path
}

async function createLink(page: Page, data: object): Promise<{ id: string; path: string }> {
  const answer = await page.request.post('/api/links', { headers: await authorized(page), data })
  expect(answer.status()).toBe(201)
  const { id, slug } = (await answer.json()) as { id: string; slug: string }
  return { id, path: `/l/${slug}` }
}

/** Of upright and wide images, as people have them. */
async function upload(page: Page, count: number): Promise<string[]> {
  const headers = await authorized(page)
  const ids: string[] = []
  for (let at = 1; at <= count; at++) {
    const buffer = await (at % 3 === 0 ? jpeg(600, 900) : jpeg(900, 600))
    const multipart = { title: `Image ${at}`, image: { name: 'harbour.jpg', mimeType: 'image/jpeg', buffer } }
    const answer = await page.request.post('/api/upload', { headers, multipart })
    ids.push(((await answer.json()) as { id: string }).id)
  }
  return ids
}

/** Of the user who is logged in, or of a new one. */
async function authorized(page: Page): Promise<{ authorization: string }> {
  const isBlank = page.url() === 'about:blank'
  const token = isBlank ? await logIn(page) : await page.evaluate(() => localStorage.getItem('token'))
  return { authorization: `Bearer ${token}` }
}
