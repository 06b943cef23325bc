// Screens of albums: the list, an album, what is done with it, and an invitation.
import type { Page } from '@playwright/test'
import { logIn } from '../log-in.ts'
import { expect } from '../test.ts'
import { tile, uploadFor } from '../upload.ts'
import type { Screens } from './open-screen.ts'

export const albumScreens: Screens = {
  'albums-empty': async (page) => {
    await logIn(page)
    await page.goto('/albums')
    await expect(page.getByText('No albums yet')).toBeVisible()
  },
  albums: async (page) => {
    await createAlbums(page)
    await page.goto('/albums')
    await expect(page.getByRole('main').getByRole('link', { name: /^Italy, / })).toBeVisible()
  },
  album: async (page) => {
    await page.goto(`/albums/${(await createAlbums(page)).id}`)
    await expect(tile(page, /^harbour/)).toBeVisible()
  },
  'album-new': async (page) => {
    await createAlbums(page)
    await page.goto('/albums')
    await page.getByRole('button', { name: 'New album', exact: true }).click()
    await expect(page.getByRole('dialog', { name: 'New album' }).getByLabel('Title')).toBeFocused()
  },
  'album-invitation': async (page) => {
    const { id, headers } = await createAlbums(page)
    const data = { email: 'invited@example.com', role: 'view' }
    const answer = await page.request.post(`/api/albums/${id}/members`, { headers, data })
    await page.goto(((await answer.json()) as { link: string }).link.replace(/^.*(?=\/invitation)/, ''))
    await expect(page.getByRole('button', { name: 'Accept' })).toBeVisible()
  },
  'album-invitation-incomplete': async (page) => {
    await page.goto('/invitation')
    await expect(page.getByRole('heading', { name: 'You are invited to an album' })).toBeVisible()
  },
  'album-empty': async (page) => {
    const headers = { authorization: `Bearer ${await logIn(page)}` }
    const answer = await page.request.post('/api/albums', { headers, data: { title: 'Italy' } })
    await page.goto(`/albums/${((await answer.json()) as { id: string }).id}`)
    await expect(page.getByText('No images in this album yet')).toBeVisible()
  },
  'album-selection': async (page) => {
    await page.goto(`/albums/${(await createAlbums(page)).id}`)
    await select(page)
    await expect(page.getByRole('region', { name: 'Selection' })).toBeVisible()
  },
  'album-members': openMembers,
  'album-member-removal': async (page) => {
    await openMembers(page)
    await page.getByRole('button', { name: /^Remove somebody/ }).click()
    await expect(page.getByRole('alertdialog')).toContainText('somebody')
  },
  'album-delete': async (page) => {
    await page.goto(`/albums/${(await createAlbums(page)).id}`)
    await page.getByRole('button', { name: 'More for this album' }).click()
    await page.getByRole('menuitem', { name: 'Delete album' }).click()
    await expect(page.getByRole('alertdialog')).toBeVisible()
  },
  'add-to-album': async (page) => {
    await createAlbums(page)
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

async function openMembers(page: Page): Promise<void> {
  const { id, headers } = await createAlbums(page)
  for (const name of ['a.member', 'somebody.with.a.long.address.at.a.long.name'])
    await page.request.post(`/api/albums/${id}/members`, {
      headers,
      data: { email: `${name}@example.com`, role: 'add' },
    })
  await page.goto(`/albums/${id}`)
  await page.getByRole('button', { name: /^Members/ }).click()
  await expect(
    page.getByRole('dialog', { name: 'Members of Italy' }).getByText('a.member@example.com', { exact: true }),
  ).toBeVisible()
}

/** Creates an album with images, another inside it and a live one. */
async function createAlbums(page: Page): Promise<{ id: string; headers: Record<string, string> }> {
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
  return { id, headers }
}
