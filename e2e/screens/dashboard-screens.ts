// Screens of the dashboard, the lightbox and what every page shows.
import type { Page } from '@playwright/test'
import { jpeg } from '../e2e-images.ts'
import { logIn } from '../log-in.ts'
import { expect } from '../test.ts'
import { analyze, tile, uploadFor } from '../upload.ts'
import { daysOfMonth, openWith, type Screens } from './open-screen.ts'

async function openMenuOfTile(page: Page): Promise<void> {
  await openGallery(page)
  const shown = tile(page, /^picture-2d/)
  await shown.getByRole('link').focus()
  await shown.getByRole('button', { name: 'More actions' }).click()
}

export const dashboardScreens: Screens = {
  'tags-empty': async (page) => {
    await logIn(page)
    await page.goto('/tags')
    await expect(page.getByText('No tags yet')).toBeVisible()
  },
  tags: openTags,
  'tag-rename': async (page) => {
    await openTags(page)
    await page.getByRole('button', { name: 'Rename cat' }).click()
    await expect(page.getByRole('dialog', { name: 'Rename tag' })).toBeVisible()
  },
  dashboard: async (page) => {
    const token = await logIn(page)
    const names = ['one', 'a picture with a name that is far too long to be shown whole anywhere']
    for (const name of names) await uploadFor(page, token, `${name}.jpg`, '365d')
    await page.goto('/dashboard')
    for (const name of names) await expect(tile(page, new RegExp(`^${name}`))).toBeVisible()
  },
  'dashboard-empty': async (page) => {
    await logIn(page)
    await page.goto('/dashboard')
    await expect(page.getByText('No images yet. Drop, paste or choose your first image.')).toBeVisible()
  },
  'dashboard-one': async (page) => {
    await uploadFor(page, await logIn(page), 'harbour.jpg', '365d')
    await page.goto('/dashboard')
    await expect(tile(page, /^harbour/)).toBeVisible()
  },
  'dashboard-images-gone': async (page) => {
    await page.route(/\/(api\/thumbnail|uploads)\//, (answer) => answer.fulfill({ status: 410, body: '' }))
    await openGallery(page)
    const shown = tile(page, /^picture-2d/)
    await expect(shown.locator('.thumb-name')).toBeVisible()
    await shown.getByRole('link').first().focus()
    // The caption has the name.
    await expect(shown.locator('.thumb-name')).toBeHidden()
  },
  'dashboard-no-match': async (page) => {
    await openGallery(page)
    await page.getByRole('combobox', { name: 'Search names, titles and tags' }).fill('nothing is called this')
    await expect(page.getByText('No images match.')).toBeVisible()
  },
  'dashboard-unviewed': async (page) => {
    await uploadFor(page, await logIn(page), 'harbour.jpg', '365d')
    await page.goto(`/dashboard?q=${encodeURIComponent('viewed:>12m')}`)
    await expect(page.getByText('No images match.')).toBeVisible()
  },
  trash: openTrash,
  'trash-deletion': async (page) => {
    await openTrash(page)
    await page.getByRole('button', { name: 'Delete harbour.jpg for good' }).click()
    await expect(page.getByRole('alertdialog', { name: 'Delete this image for good?' })).toBeVisible()
  },
  'trash-empty': async (page) => {
    await logIn(page)
    await page.goto('/dashboard?deleted')
    await expect(page.getByRole('main')).toContainText('Nothing')
  },
  expiry: async (page) => {
    await openMenuOfTile(page)
    await page.getByRole('menuitem', { name: 'Expires on...' }).click()
    await expect(page.getByRole('dialog', { name: 'When the image expires' })).toBeVisible()
  },
  'image-tags': async (page) => {
    await openMenuOfTile(page)
    await page.getByRole('menuitem', { name: 'Tags' }).click()
    await expect(page.getByRole('dialog', { name: 'Tags' })).toBeVisible()
  },
  'image-qr': async (page) => {
    await openMenuOfTile(page)
    await page.getByRole('menuitem', { name: 'QR code' }).click()
    await expect(page.getByRole('dialog', { name: 'QR code' }).getByRole('img')).toBeVisible()
  },
  'dashboard-unconfirmed': async (page) => {
    await logIn(page)
    await openWith(page, '/dashboard', { mail: true })
    await expect(page.getByRole('region', { name: 'Email address' })).toBeVisible()
  },
  'dashboard-list': async (page) => {
    await openGallery(page)
    await page.getByRole('button', { name: 'List', exact: true }).click()
    await expect(page.getByText('900 × 600').first()).toBeVisible()
  },
  'dashboard-selection': async (page) => {
    await openGallery(page)
    await page.getByRole('link', { name: /^picture-2d/ }).focus()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Delete')
    await expect(page.getByRole('region', { name: 'Undo' })).toBeVisible()
    await page.keyboard.press('x')
    await expect(page.getByRole('region', { name: 'Selection' })).toBeVisible()
    // The undo offer stays while it has the focus.
    await page.getByRole('button', { name: 'Undo', exact: true }).focus()
  },
  'image-sheet': async (page) => {
    await openGallery(page, `${'a-name-without-end'.repeat(6)}.jpg`)
    await page.getByRole('button', { name: 'List', exact: true }).click()
    await page.setViewportSize({ width: 360, height: 740 })
    await page.getByRole('button', { name: 'More actions' }).first().click()
    await expect(page.getByRole('dialog', { name: /^a-name/ })).toBeVisible()
  },
  'share-sheet': async (page) => {
    await openGallery(page)
    await page.getByRole('link', { name: /^picture-2d/ }).focus()
    await page.keyboard.press('s')
    const sheet = page.getByRole('dialog', { name: 'Share', exact: true })
    await expect(sheet.getByRole('region', { name: 'How it looks in a chat' }).getByRole('img')).toBeVisible()
    await sheet.getByRole('button', { name: 'More', exact: true }).click()
    await expect(sheet.getByRole('img', { name: /^QR code/ })).toBeVisible()
  },
  'image-menu': async (page) => {
    await openGallery(page)
    await page.getByRole('link', { name: /^picture-2d/ }).click({ button: 'right' })
    await expect(page.getByRole('menu').or(page.getByRole('dialog'))).toBeVisible()
  },
  views: async (page) => {
    await page.route('**/api/images/*/views', (answer) => answer.fulfill({ json: viewsOfMonth() }))
    await uploadFor(page, await logIn(page), 'harbour.jpg', '365d')
    await page.goto('/dashboard')
    await page.getByRole('button', { name: 'List', exact: true }).click()
    const row = page.getByRole('main').getByRole('listitem')
    await row.hover()
    const more = row.getByRole('button', { name: 'More actions' })
    const hasMenu = (await more.getAttribute('aria-haspopup')) === 'menu'
    await more.click()
    await page.getByRole(hasMenu ? 'menuitem' : 'button', { name: 'Statistics' }).click()
    await expect(page.getByRole('dialog', { name: 'Statistics' }).getByText('2,312 views in total')).toBeVisible()
  },
  'views-none': async (page) => {
    await page.route('**/api/images/*/views', (answer) =>
      answer.fulfill({ json: { isCounted: true, total: 0, days: daysOfMonth.map((date) => ({ date, views: 0 })) } }),
    )
    await openMenuOfTile(page)
    await page.getByRole('menuitem', { name: 'Statistics' }).click()
    await expect(page.getByRole('dialog', { name: 'Statistics' })).toContainText(/views/i)
  },
  'dashboard-filters': async (page) => {
    await openGallery(page)
    await page.setViewportSize({ width: 360, height: 740 })
    await page.getByRole('button', { name: 'Filters' }).click()
    await expect(page.getByRole('dialog', { name: 'Filters' })).toBeVisible()
  },
  analysis: async (page) => {
    await uploadFor(page, await logIn(page), 'harbour.jpg', '365d')
    await page.goto('/dashboard')
    await analyze(page)
    await expect(page.getByRole('dialog', { name: 'Image analysis' }).getByText('API endpoints')).toBeVisible()
    await page.getByRole('button', { name: 'Compare them' }).click()
  },
  lightbox: async (page) => {
    await uploadFor(page, await logIn(page), 'harbour.jpg', '365d')
    await page.goto('/dashboard')
    await page.getByRole('main').getByRole('link', { name: 'harbour.jpg' }).first().click()
    const viewer = page.getByRole('dialog', { name: 'Image viewer' })
    await expect(viewer.getByRole('img', { name: 'harbour.jpg' })).toBeVisible()
    await viewer.getByRole('button', { name: 'Image details' }).click()
  },
  uploads: openTray,
  palette: async (page) => {
    await logIn(page)
    await page.goto('/account')
    await expect(page.getByRole('heading', { name: 'Profile' })).toBeVisible()
    await page.keyboard.press('ControlOrMeta+k')
    await expect(page.getByRole('option', { name: 'Dashboard' })).toBeVisible()
  },
  shortcuts: async (page) => {
    await page.goto('/terms')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.keyboard.press('?')
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  },
  offline: async (page) => {
    await page.goto('/')
    // The page loads more after its first paint; wait until those requests are done.
    await page.waitForLoadState('networkidle')
    await page.context().setOffline(true)
    await expect(page.getByText('You are offline.')).toBeVisible()
  },
}

async function openTags(page: Page): Promise<void> {
  const token = await logIn(page)
  const headers = { authorization: `Bearer ${token}` }
  const id = await uploadFor(page, token, 'harbour.jpg', '365d')
  const add = ['cat', 'travel/italy/rome', 'a rather long tag that does not fit on the width of a telephone']
  await page.request.post('/api/tags/images', { headers, data: { ids: [id], add } })
  await page.request.patch('/api/tags', { headers, data: { tag: 'cat', colour: 'teal' } })
  await page.goto('/tags')
  await expect(page.getByRole('button', { name: 'Colour of cat: Teal' })).toBeVisible()
}

async function openTrash(page: Page): Promise<void> {
  const token = await logIn(page)
  const ids = [await uploadFor(page, token, 'harbour.jpg', '365d'), await uploadFor(page, token, 'two.jpg', '365d')]
  for (const id of ids)
    await page.request.delete(`/api/images/${id}?trash=1`, { headers: { authorization: `Bearer ${token}` } })
  await page.goto('/dashboard?deleted')
  await expect(page.getByText('harbour.jpg').first()).toBeAttached()
}

/** Opens a gallery of some images, one of them expiring soon; `first` is listed before them. */
async function openGallery(page: Page, first?: string): Promise<void> {
  const token = await logIn(page)
  for (const lifetime of ['365d', '2d', '365d']) await uploadFor(page, token, `picture-${lifetime}.jpg`, lifetime)
  if (first !== undefined) await uploadFor(page, token, first, '365d')
  await page.goto('/dashboard')
  await expect(page.getByRole('link', { name: /^picture-2d/ })).toBeVisible()
}

/** Opens the upload tray with three running uploads, one queued and one rejected. */
async function openTray(page: Page): Promise<void> {
  await logIn(page)
  await page.route('**/api/upload', () => {})
  await page.goto('/dashboard')
  const dialog = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose image' }).click()
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

function viewsOfMonth(): object {
  const days = daysOfMonth.map((date, at) => ({
    date,
    views: Math.round(60 + 40 * Math.sin(at / 4) + ((at * 31) % 17)),
  }))
  return { isCounted: true, total: 2312, days }
}
