// Screens of albums: one without images, and what is done with images and albums.
import type { Page } from '@playwright/test'
import { logIn } from '../log-in.ts'
import { expect } from '../test.ts'
import { tile, uploadFor } from '../upload.ts'
import type { Screens } from './open-screen.ts'

export const albumActionScreens: Screens = {
  'album-empty': async (page) => {
    const headers = { authorization: `Bearer ${await logIn(page)}` }
    const answer = await page.request.post('/api/albums', { headers, data: { title: 'Italy' } })
    await page.goto(`/albums/${((await answer.json()) as { id: string }).id}`)
    await expect(page.getByText('No images in this album yet')).toBeVisible()
  },
  'album-selection': async (page) => {
    await page.goto(`/albums/${await openAlbums(page)}`)
    await select(page)
    await expect(page.getByRole('region', { name: 'Selection' })).toBeVisible()
  },
  'album-delete': async (page) => {
    await page.goto(`/albums/${await openAlbums(page)}`)
    await page.getByRole('button', { name: 'More for this album' }).click()
    await page.getByRole('menuitem', { name: 'Delete album' }).click()
    await expect(page.getByRole('alertdialog')).toBeVisible()
  },
  'add-to-album': async (page) => {
    await openAlbums(page)
    await page.goto('/dashboard')
    await select(page)
    await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Add to album' }).click()
    await expect(page.getByRole('dialog').getByText('Italy').first()).toBeVisible()
  },
}

async function select(page: Page): Promise<void> {
  await expect(tile(page, /^harbour/)).toBeVisible()
  await page.getByRole('checkbox', { name: 'Select harbour.jpg' }).focus()
  await page.keyboard.press('Space')
}

/** @returns the id of an album with images and another album inside */
async function openAlbums(page: Page): Promise<string> {
  const token = await logIn(page)
  const images = [await uploadFor(page, token, 'harbour.jpg', '365d'), await uploadFor(page, token, 'two.jpg', '365d')]
  const headers = { authorization: `Bearer ${token}` }
  const create = async (data: object): Promise<string> => {
    const answer = await page.request.post('/api/albums', { headers, data })
    expect(answer.status()).toBe(201)
    return ((await answer.json()) as { id: string }).id
  }
  const id = await create({ title: 'Italy', images, description: 'Two weeks from Rome to Sicily, by train.' })
  await create({ title: 'Rome', parent_id: id, images: images.slice(1) })
  await create({ title: 'By the sea', query: 'harbour' })
  return id
}
