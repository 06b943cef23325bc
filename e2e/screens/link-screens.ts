// Screens of links: the sheet that makes them, and the list of all.
import type { Page } from '@playwright/test'
import { limits } from '../../contract/plain/limits.ts'
import { logIn } from '../log-in.ts'
import { expect } from '../test.ts'
import { tile, uploadFor } from '../upload.ts'
import type { Screens } from './open-screen.ts'

export const linkScreens: Screens = {
  'links-empty': async (page) => {
    await logIn(page)
    await page.goto('/links')
    await expect(page.getByText('No links yet')).toBeVisible()
  },
  links: async (page) => {
    await openLinks(page)
    await page.goto('/links')
    await expect(page.getByRole('table').getByText('Revoked')).toBeVisible()
  },
  'link-edit': async (page) => {
    await openLinks(page)
    await page.goto('/links')
    await page.getByRole('button', { name: /^Edit the link to For the family/ }).click()
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await expect(page.getByLabel('Own address')).toBeVisible()
  },
  'link-qr': async (page) => {
    await openLinks(page)
    await page.goto('/links')
    await page.getByRole('button', { name: 'QR code of For the family' }).click()
    await expect(page.getByRole('dialog', { name: 'QR code' }).getByRole('img')).toBeVisible()
  },
  'link-too-many': async (page) => {
    const token = await logIn(page)
    for (let at = 0; at <= limits.links.maxImages; at++) await uploadFor(page, token, `shot-${at}.jpg`, '365d')
    await page.goto('/dashboard')
    await page.getByRole('main').getByRole('link', { name: /^shot/ }).first().focus()
    await page.keyboard.press('ControlOrMeta+a')
    await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Share' }).click()
    await expect(page.getByText(`A link shows up to ${limits.links.maxImages} selected images`)).toBeVisible()
  },
  'link-sheet': async (page) => {
    await openLinks(page)
    await page.goto('/dashboard')
    await expect(tile(page, /^harbour/)).toBeVisible()
    await page.getByRole('checkbox', { name: 'Select harbour.jpg' }).focus()
    await page.keyboard.press('Space')
    await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Share' }).click()
    await page.getByRole('switch', { name: 'Download originals' }).click()
    await expect(page.getByRole('heading', { name: 'Links to it' })).toBeVisible()
  },
}

async function openLinks(page: Page): Promise<void> {
  const token = await logIn(page)
  const images = [await uploadFor(page, token, 'harbour.jpg', '365d'), await uploadFor(page, token, 'two.jpg', '365d')]
  const headers = { authorization: `Bearer ${token}` }
  const create = async (data: object): Promise<string> => {
    const answer = await page.request.post('/api/links', { headers, data })
    return ((await answer.json()) as { id: string }).id
  }
  const revoked = await create({ images, max_views: 3 })
  await page.request.patch(`/api/links/${revoked}`, { headers, data: { revoked: true } })
  await create({ images: images.slice(0, 1), can_download: false, watermark: 'By me' })
  await create({ images, name: 'For the family', password: 'sandcastle', ends_at: '2036-01-31T12:00:00.000Z' })
}
