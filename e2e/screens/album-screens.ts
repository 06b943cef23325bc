// Screens of albums: the list of all, one of them, its members, and the invitation to it.
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
    await createAlbum(page)
    await page.goto('/albums')
    await expect(page.getByRole('main').getByRole('link', { name: /^Italy, / })).toBeVisible()
  },
  album: async (page) => {
    await page.goto(`/albums/${(await createAlbum(page)).id}`)
    await expect(tile(page, /^harbour/)).toBeVisible()
  },
  'album-invitation': async (page) => {
    const { id, headers } = await createAlbum(page)
    const data = { email: 'invited@example.com', role: 'view' }
    const answer = await page.request.post(`/api/albums/${id}/members`, { headers, data })
    await page.goto(((await answer.json()) as { link: string }).link.replace(/^.*(?=\/invitation)/, ''))
    await expect(page.getByRole('button', { name: 'Accept' })).toBeVisible()
  },
  'album-invitation-incomplete': async (page) => {
    await page.goto('/invitation')
    await expect(page.getByRole('heading', { name: 'You are invited to an album' })).toBeVisible()
  },
}

async function createAlbum(page: Page): Promise<{ id: string; headers: Record<string, string> }> {
  const token = await logIn(page)
  const images = [await uploadFor(page, token, 'harbour.jpg', '365d'), await uploadFor(page, token, 'two.jpg', '365d')]
  const headers = { authorization: `Bearer ${token}` }
  const answer = await page.request.post('/api/albums', { headers, data: { title: 'Italy', images } })
  const { id } = (await answer.json()) as { id: string }
  return { id, headers }
}
