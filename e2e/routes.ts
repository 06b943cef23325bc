// The screens that the tests of accessibility and layout go through, each with how to get there.
import type { Page } from '@playwright/test'
import { jpeg } from './pictures.ts'
import { expect } from './test.ts'
import { pick, shownLink } from './upload.ts'

interface Screen {
  name: string
  open: (page: Page) => Promise<void>
}

const route = (path: string, name = path.slice(1)): Screen => ({
  name,
  async open(page) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  },
})

export const screens: Screen[] = [
  route('/', 'landing'),
  route('/login'),
  route('/register'),
  route('/about'),
  route('/contact'),
  route('/privacy'),
  route('/terms'),
  route('/nowhere', 'not-found'),
  { name: 'result', open: openResult },
  {
    name: 'embed',
    async open(page) {
      await openResult(page)
      await page.getByRole('listitem').getByRole('button', { name: 'Embed code' }).first().click()
      await expect(page.getByRole('dialog', { name: 'Embed code' })).toBeVisible()
    },
  },
  {
    name: 'lightbox',
    async open(page) {
      await logIn(page)
      await page.goto('/dashboard')
      await pick(page, { name: 'harbour.jpg', mimeType: 'image/jpeg', buffer: await jpeg() })
      await page.getByRole('main').getByRole('link', { name: 'harbour.jpg' }).first().click()
      const viewer = page.getByRole('dialog', { name: 'Image viewer' })
      await expect(viewer.getByRole('img', { name: 'harbour.jpg' })).toBeVisible()
      await viewer.getByRole('button', { name: 'Image details' }).click()
    },
  },
  {
    name: 'dashboard',
    async open(page) {
      await logIn(page)
      await page.goto('/dashboard')
      for (const name of ['one.jpg', 'a picture with a name that is far too long to be shown whole anywhere.jpg']) {
        await pick(page, { name, mimeType: 'image/jpeg', buffer: await jpeg() })
        await expect(page.getByRole('listitem').filter({ hasText: name })).toBeVisible()
      }
    },
  },
]

async function openResult(page: Page): Promise<void> {
  await page.goto('/')
  await pick(page, { name: 'harbour.jpg', mimeType: 'image/jpeg', buffer: await jpeg() })
  await shownLink(page)
  await expect(page.getByRole('heading', { name: 'Recent uploads' })).toBeVisible()
}

/** By the API: how people do it is the matter of account.spec.ts. */
async function logIn(page: Page): Promise<void> {
  const data = { email: `screens-${crypto.randomUUID()}@example.com`, password: 'secret screens' }
  const answer = await page.request.post('/api/register', { data })
  const { token } = (await answer.json()) as { token: string }
  await page.goto('/terms')
  await page.evaluate((value) => localStorage.setItem('token', value), token)
}
