// The screens that the tests of accessibility and layout go through, each with how to get there.
import type { Page } from '@playwright/test'
import { jpeg } from './pictures.ts'
import { expect } from './test.ts'
import { analyze, pick, shownLink, tile } from './upload.ts'

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
    name: 'contact-problems',
    async open(page) {
      await page.goto('/contact')
      await page.getByRole('button', { name: 'Send message' }).click()
      await expect(page.getByText('Name is required')).toBeVisible()
      // The focus has scrolled to the field: parts of the form are under the header, as they may be.
      await page.evaluate(() => scrollTo(0, 0))
    },
  },
  { name: 'notifications', open: (page) => openNotifications(page, ['1d', '5d']) },
  { name: 'notifications-empty', open: (page) => openNotifications(page, []) },
  { name: 'api-keys', open: (page) => openApiKeys(page, ['CI bot', 'a key with a name '.repeat(5)]) },
  { name: 'api-keys-empty', open: (page) => openApiKeys(page, []) },
  {
    name: 'new-key',
    async open(page) {
      await openApiKeys(page, [])
      await page.getByLabel('Name').fill('CI bot')
      await page.getByRole('button', { name: 'Create' }).click()
      await expect(page.getByRole('alertdialog', { name: 'Copy your API key' })).toBeVisible()
    },
  },
  {
    name: 'delete-key',
    async open(page) {
      await openApiKeys(page, ['CI bot'])
      await page.getByRole('button', { name: 'Delete CI bot' }).click()
      await expect(page.getByRole('alertdialog', { name: 'Delete API key' })).toBeVisible()
    },
  },
  {
    name: 'analysis',
    async open(page) {
      await logIn(page)
      await page.goto('/dashboard')
      await pick(page, { name: 'harbour.jpg', mimeType: 'image/jpeg', buffer: await jpeg() })
      await analyze(page)
      await expect(page.getByRole('dialog', { name: 'Image analysis' }).getByText('API endpoints')).toBeVisible()
      await page.getByRole('button', { name: 'Compare them' }).click()
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
      for (const name of ['one', 'a picture with a name that is far too long to be shown whole anywhere']) {
        await pick(page, { name: `${name}.jpg`, mimeType: 'image/jpeg', buffer: await jpeg() })
        await expect(tile(page, new RegExp(`^${name}`))).toBeVisible()
      }
    },
  },
  {
    name: 'dashboard-empty',
    async open(page) {
      await logIn(page)
      await page.goto('/dashboard')
      await expect(page.getByText('No images yet. Drop, paste or choose your first image.')).toBeVisible()
    },
  },
  {
    name: 'dashboard-list',
    async open(page) {
      await openGallery(page)
      await page.getByRole('button', { name: 'List', exact: true }).click()
      await expect(page.getByText('900x600').first()).toBeVisible()
    },
  },
  {
    name: 'dashboard-selection',
    async open(page) {
      await openGallery(page)
      await page.getByRole('link', { name: /^picture-2d/ }).focus()
      await page.keyboard.press('x')
      await page.keyboard.press('ArrowLeft')
      await page.keyboard.press('Delete')
      await expect(page.getByRole('region', { name: 'Undo' })).toBeVisible()
      await expect(page.getByRole('region', { name: 'Selection' })).toBeVisible()
      await expect(page.getByText('Image deleted successfully!')).toHaveCount(0)
    },
  },
  {
    name: 'image-sheet',
    async open(page) {
      await openGallery(page, `${'a-name-without-end'.repeat(6)}.jpg`)
      await page.getByRole('button', { name: 'List', exact: true }).click()
      await page.setViewportSize({ width: 360, height: 740 })
      await page.getByRole('button', { name: 'More actions' }).first().click()
      await expect(page.getByRole('dialog', { name: /^a-name/ })).toBeVisible()
    },
  },
  {
    name: 'dashboard-filters',
    async open(page) {
      await openGallery(page)
      await page.setViewportSize({ width: 360, height: 740 })
      await page.getByRole('button', { name: 'Filters' }).click()
      await expect(page.getByRole('dialog', { name: 'Filters' })).toBeVisible()
    },
  },
  {
    name: 'account',
    async open(page) {
      await logIn(page)
      await page.goto('/account')
      await expect(page.getByRole('heading', { name: 'Profile' })).toBeVisible()
    },
  },
  {
    name: 'account-menu',
    async open(page) {
      await logIn(page)
      await page.goto('/account')
      await page.getByRole('button', { name: 'Account menu' }).click()
      await expect(page.getByRole('link', { name: 'API keys' })).toBeVisible()
    },
  },
  {
    name: 'log-out-everywhere',
    async open(page) {
      await logIn(page)
      await page.goto('/account')
      await page.getByRole('button', { name: 'Log out everywhere' }).click()
      await expect(page.getByRole('alertdialog', { name: 'Log out everywhere?' })).toBeVisible()
    },
  },
  { name: 'api-docs', open: (page) => openDocs(page, '#overview') },
  { name: 'api-docs-roles', open: (page) => openDocs(page, '#authentication/roles') },
  { name: 'api-docs-endpoints', open: (page) => openDocs(page, '?category=images#endpoints') },
  { name: 'api-docs-none', open: (page) => openDocs(page, '?category=auth&q=nothing#endpoints') },
  { name: 'api-docs-examples', open: (page) => openDocs(page, '#examples') },
  { name: 'endpoint', open: (page) => openDocs(page, '?e=post-api-images-id-extend-expiration#endpoints') },
  { name: 'endpoint-parameters', open: (page) => openDocs(page, '?e=post-api-users&show=parameters#endpoints') },
  { name: 'endpoint-responses', open: (page) => openDocs(page, '?e=post-api-upload&show=responses#endpoints') },
  {
    name: 'endpoint-try',
    async open(page) {
      await openDocs(page, '?e=put-api-users-userid&show=try#endpoints')
      await page.getByRole('button', { name: 'Send request' }).click()
      await expect(page.getByText('This is required')).toBeVisible()
    },
  },
  {
    name: 'endpoint-answer',
    async open(page) {
      await openDocs(page, '?e=get-api-limits&show=try#endpoints')
      await page.getByRole('button', { name: 'Send request' }).click()
      await page.getByText('Headers (').click()
      await expect(page.getByText('content-type')).toBeVisible()
    },
  },
  {
    name: 'palette',
    async open(page) {
      await logIn(page)
      await page.goto('/account')
      await expect(page.getByRole('heading', { name: 'Profile' })).toBeVisible()
      await page.keyboard.press('ControlOrMeta+k')
      await expect(page.getByRole('option', { name: 'Dashboard' })).toBeVisible()
    },
  },
  {
    name: 'shortcuts',
    async open(page) {
      await page.goto('/terms')
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await page.keyboard.press('?')
      await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
    },
  },
  {
    name: 'offline',
    async open(page) {
      await page.goto('/')
      await page.context().setOffline(true)
      await expect(page.getByText('You are offline.')).toBeVisible()
    },
  },
  { name: 'uploads', open: openTray },
]

/** Some images, one of them expiring soon; `first` stands before them. */
async function openGallery(page: Page, first?: string): Promise<void> {
  const token = await logIn(page)
  for (const lifetime of ['365d', '2d', '365d']) await uploadFor(page, token, `picture-${lifetime}.jpg`, lifetime)
  if (first !== undefined) await uploadFor(page, token, first, '365d')
  await page.goto('/dashboard')
  await expect(page.getByRole('link', { name: /^picture-2d/ })).toBeVisible()
}

async function openNotifications(page: Page, lifetimes: readonly string[]): Promise<void> {
  const token = await logIn(page)
  for (const [at, lifetime] of lifetimes.entries()) await uploadFor(page, token, `picture-${at}.jpg`, lifetime)
  await page.goto('/notifications')
  await expect(page.getByRole('button', { name: /^Extend picture/ })).toHaveCount(lifetimes.length)
  if (lifetimes.length === 0) await expect(page.getByText('No images expiring soon')).toBeVisible()
}

async function openApiKeys(page: Page, names: readonly string[]): Promise<void> {
  const token = await logIn(page)
  const headers = { authorization: `Bearer ${token}` }
  for (const name of names) await page.request.post('/api/api-keys', { headers, data: { name } })
  await page.goto('/api-keys')
  await expect(page.getByRole('rowheader')).toHaveCount(names.length)
  if (names.length === 0) await expect(page.getByText("You don't have any API keys yet.")).toBeVisible()
}

/** Whatever the address names, open as it names it. */
async function openDocs(page: Page, address: string): Promise<void> {
  await logIn(page)
  await page.goto(`/api-docs${address}`)
  await expect(page.getByRole('tabpanel').first()).toBeVisible()
  if (address.includes('e=')) await expect(page.getByRole('dialog')).toBeVisible()
}

/** By the API, which alone can say when an image is to expire. */
export async function uploadFor(page: Page, token: string, name: string, lifetime: string): Promise<void> {
  const image = { name, mimeType: 'image/jpeg', buffer: await jpeg() }
  // The field stands before the file, which is read last.
  const multipart = { expires_in: lifetime, image }
  const answer = await page.request.post('/api/upload', { headers: { authorization: `Bearer ${token}` }, multipart })
  expect(answer.status()).toBe(201)
}

/** The tray: three on their way, one that waits, one that was refused. */
async function openTray(page: Page): Promise<void> {
  await logIn(page)
  await page.route('**/api/upload', () => {})
  await page.goto('/dashboard')
  await page.getByRole('switch', { name: 'Upload several' }).check()
  const dialog = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose images' }).click()
  const buffer = await jpeg()
  const pictures = ['one', 'two', 'three', 'four'].map((name) => ({
    name: `${name}.jpg`,
    mimeType: 'image/jpeg',
    buffer,
  }))
  const words = { name: 'a text with a long name.txt', mimeType: 'text/plain', buffer: Buffer.from('words') }
  await (await dialog).setFiles([words, ...pictures])
  const tray = page.getByRole('region', { name: 'Uploads' })
  await expect(tray.getByText('Uploading image...')).toHaveCount(3)
}

async function openResult(page: Page): Promise<void> {
  await page.goto('/')
  await pick(page, { name: 'harbour.jpg', mimeType: 'image/jpeg', buffer: await jpeg() })
  await shownLink(page)
  await expect(page.getByRole('heading', { name: 'Recent uploads' })).toBeVisible()
}

/** By the API: how people do it is the matter of account.spec.ts. @returns the token of the new user */
export async function logIn(page: Page): Promise<string> {
  const data = { email: `screens-${crypto.randomUUID()}@example.com`, password: 'secret screens' }
  const answer = await page.request.post('/api/register', { data })
  const { token } = (await answer.json()) as { token: string }
  await page.goto('/terms')
  await page.evaluate((value) => localStorage.setItem('token', value), token)
  return token
}
