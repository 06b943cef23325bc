// Journeys of an admin on the tab Images: finding, looking, quarantining, restoring, removing, blocking.
import type { Page } from '@playwright/test'
import { callApi, tokenOf, uploadTo } from './api-calls.ts'
import { jpeg } from './e2e-images.ts'
import { keepToken } from './log-in.ts'
import { type RunningServer, startServer } from './server.ts'
import { expect, test } from './test.ts'
import { toast } from './upload.ts'

const admin = { email: 'boss@example.com', password: 'secret boss' }
const dana = { email: 'dana@example.com', password: 'secret dana' }
let server: RunningServer
const tokens = { admin: '', user: '' }

test.describe.configure({ mode: 'serial' })
// The browser logs the statuses of images that are not served and of refused uploads.
test.use({ expectedConsole: [/status of (403|451)/] })

test.beforeAll(async () => {
  server = await startServer({ env: { TRUST_PROXY: '1', ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password } })
  tokens.admin = await tokenOf(server.url, 'login', admin)
  tokens.user = await tokenOf(server.url, 'register', dana)
})
test.afterAll(async () => void (await server?.stop()))

interface Uploaded {
  id: string
  url: string
}

/** @param hue images with different hues have different bytes */
const upload = async (name: string, hue: number, token = tokens.user) =>
  uploadTo(server.url, { name, bytes: await jpeg(300, 200, hue), token })
const uploaded = async (name: string, hue: number, token?: string) =>
  (await (await upload(name, hue, token)).json()) as Uploaded
const asAdmin = (path: string, more: object = {}) => callApi(server.url, path, { token: tokens.admin, ...more })
const statusOf = async ({ url }: Uploaded) => (await fetch(url)).status

async function openImages(page: Page, search = ''): Promise<void> {
  await keepToken(page, tokens.admin, server.url)
  await page.goto(`${server.url}/admin?tab=images${search}`)
  await expect(page.getByRole('list', { name: 'Images of everyone' })).toBeVisible()
}
const tile = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })
const viewer = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })

test('an admin finds an image, looks at it, quarantines it and restores it', async ({ page }) => {
  const image = await uploaded('harbour.jpg', 10)
  await uploaded('guests.jpg', 20, '')
  await openImages(page)
  await expect(page.getByText('2 images', { exact: true })).toBeVisible()
  await expect(tile(page, 'harbour.jpg')).toContainText(dana.email)
  await expect(tile(page, 'guests.jpg')).toContainText('Guest')

  await test.step('by its URL', async () => {
    await page.getByRole('searchbox').fill(image.url)
    await expect(page.getByText('1 image found')).toBeVisible()
    await expect(page).toHaveURL(/q=http/)
  })

  await test.step('the quarantine hides it at once, also from the admin’s own list', async () => {
    expect(await statusOf(image)).toBe(200)
    await page.getByRole('button', { name: 'View harbour.jpg' }).click()
    const dialog = viewer(page, 'harbour.jpg')
    await expect(dialog.getByRole('img', { name: 'harbour.jpg' })).toBeVisible()
    await expect(dialog).toContainText('Available')
    await dialog.getByRole('button', { name: 'Quarantine' }).click()
    await expect(toast(page, '1 image was quarantined')).toBeVisible()
    await expect(dialog).toContainText('Quarantined since')
    await expect(dialog.getByRole('img', { name: 'harbour.jpg' })).toBeVisible()
    expect(await statusOf(image)).toBe(451)
    await page.keyboard.press('Escape')
    await expect(tile(page, 'harbour.jpg')).toContainText('Quarantined')
    await expect(page.getByRole('button', { name: 'View harbour.jpg' })).toBeFocused()
  })

  await test.step('its owner does not see it', async () => {
    const other = await page.context().browser()?.newPage()
    if (!other) throw new Error('No browser')
    await keepToken(other, tokens.user, server.url)
    await other.goto(`${server.url}/dashboard`)
    await expect(other.getByText('No images yet.')).toBeVisible()
    await other.close()
  })

  await test.step('the filter lists it, and it can be restored', async () => {
    await page.getByRole('searchbox').fill('')
    await expect(page.getByText('2 images', { exact: true })).toBeVisible()
    await page.getByLabel('Status', { exact: true }).selectOption('Quarantined')
    await expect(page.getByText('1 image found')).toBeVisible()
    await expect(page).toHaveURL(/status=quarantined/)
    await page.getByRole('button', { name: 'View harbour.jpg' }).click()
    await viewer(page, 'harbour.jpg').getByRole('button', { name: 'Restore' }).click()
    await expect(toast(page, '1 image was restored')).toBeVisible()
    await expect(viewer(page, 'harbour.jpg')).toContainText('Available')
    expect(await statusOf(image)).toBe(200)
  })
})

test('the images of an inactive user are hidden, and the list says why', async ({ page }) => {
  const image = await uploaded('lighthouse.jpg', 30)
  const [user] = (await (await asAdmin(`/api/users?q=${dana.email}`)).json()) as Uploaded[]
  const setStatus = (status: string) => asAdmin(`/api/users/${user?.id}`, { method: 'PUT', body: { status } })
  await setStatus('Inactive')
  expect(await statusOf(image)).toBe(451)
  await openImages(page, `&q=${encodeURIComponent(dana.email)}`)
  await expect(tile(page, 'lighthouse.jpg')).toContainText('Owner inactive')
  await page.getByRole('button', { name: 'View lighthouse.jpg' }).click()
  await expect(viewer(page, 'lighthouse.jpg').getByRole('img', { name: 'lighthouse.jpg' })).toBeVisible()
  await expect(viewer(page, 'lighthouse.jpg')).toContainText('Hidden: its owner is inactive')
  await setStatus('Active')
  expect(await statusOf(image)).toBe(200)
  tokens.user = await tokenOf(server.url, 'login', dana)
})

test('removing and blocking an image asks first, hides its copies and refuses its bytes', async ({ page }) => {
  const [spam, copy] = [await uploaded('spam.jpg', 40), await uploaded('copy of it.jpg', 40, '')]
  await openImages(page)
  await page.getByRole('button', { name: 'View spam.jpg' }).click()
  await viewer(page, 'spam.jpg').getByRole('button', { name: 'Remove and block' }).click()
  const asked = page.getByRole('alertdialog', { name: 'Remove and block this image?' })
  await expect(asked.getByLabel('Reason')).toBeFocused()
  await asked.getByLabel('Reason').fill('Spam')
  await asked.getByRole('button', { name: 'Remove and block' }).click()
  await expect(toast(page, '1 image was removed and blocked, 1 copy quarantined')).toBeVisible()
  await expect(asked).toHaveCount(0)
  await expect(page.getByRole('dialog'), 'the next image is shown').toBeVisible()
  await page.keyboard.press('Escape')
  await expect(tile(page, 'spam.jpg')).toHaveCount(0)
  await expect(tile(page, 'copy of it.jpg')).toContainText('Quarantined')
  expect([await statusOf(spam), await statusOf(copy)]).toEqual([410, 451])
  const refused = await upload('again.jpg', 40)
  expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([403, 'image_blocked'])
  // The generated images differ only in their hue: they look like the blocked one.
  const list = '/api/admin/blocked-images'
  const [blocked] = (await (await asAdmin(list)).json()) as { sha256: string }[]
  await asAdmin(list, { method: 'DELETE', body: { sha256: [blocked?.sha256] } })
})

test('several images are selected by keyboard and mouse, and decided about together', async ({ page }) => {
  const images: Uploaded[] = []
  for (const n of [1, 2, 3, 4]) images.push(await uploaded(`several ${n}.jpg`, 50 + n))
  await openImages(page, '&q=several')
  await expect(page.getByText('4 images found')).toBeVisible()
  await page.getByRole('button', { name: 'View several 4.jpg' }).focus()
  await page.keyboard.press('x')
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('button', { name: 'View several 3.jpg' })).toBeFocused()
  await page.keyboard.press('Space')
  const bar = page.getByRole('region', { name: 'Selected images' })
  await expect(bar).toContainText('2 selected')
  await page.getByRole('checkbox', { name: 'Select several 1.jpg' }).click({ modifiers: ['Shift'] })
  await expect(bar).toContainText('4 selected')
  await page.getByRole('checkbox', { name: 'Select several 1.jpg' }).uncheck()

  await bar.getByRole('button', { name: 'Quarantine' }).click()
  await expect(toast(page, '3 images were quarantined')).toBeVisible()
  expect(await Promise.all(images.map(statusOf))).toEqual([200, 451, 451, 451])
  await bar.getByRole('button', { name: 'Select all 4' }).click()
  await expect(bar.getByRole('button', { name: 'Restore' })).toBeVisible()
  await bar.getByRole('button', { name: 'Remove', exact: true }).click()
  const asked = page.getByRole('alertdialog', { name: 'Remove 4 images?' })
  await asked.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(toast(page, '4 images were removed')).toBeVisible()
  await expect(bar).toHaveCount(0)
  await expect(page.getByText('No images match.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Images', exact: true })).toBeFocused()
  expect(await Promise.all(images.map(statusOf))).toEqual([410, 410, 410, 410])
})

test('arrow keys step through the list in the viewer, and searches lead to related images', async ({ page }) => {
  await uploaded('twin.jpg', 70)
  await uploaded('twin 2.jpg', 70)
  await openImages(page)
  await page.getByRole('button', { name: 'View twin 2.jpg' }).press('Enter')
  await expect(viewer(page, 'twin 2.jpg')).toContainText('1 of ')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowRight')
  await expect(viewer(page, 'twin.jpg')).toContainText('2 of ')
  await viewer(page, 'twin.jpg').getByRole('button', { name: 'Find copies' }).click()
  await expect(page.getByText('2 images found')).toBeVisible()
  await expect(page).toHaveURL(/q=[\da-f]{64}$/)
})

test('from an image to the others of its uploader’s address, and to the block of the network', async ({ page }) => {
  const elsewhere = { 'x-forwarded-for': '203.0.113.77' }
  for (const [name, hue] of [
    ['flood-1.jpg', 210],
    ['flood-2.jpg', 215],
  ] as const)
    await uploadTo(server.url, { name, bytes: await jpeg(300, 200, hue), headers: elsewhere })
  await uploaded('own.jpg', 220, '')
  await openImages(page)

  await test.step('the own network is not offered', async () => {
    await tile(page, 'own.jpg').getByRole('button', { name: 'View own.jpg' }).click()
    const facts = viewer(page, 'own.jpg').getByRole('region', { name: 'About this image' })
    await expect(facts).toContainText('Your own network, which you cannot block')
    await expect(facts.getByRole('button', { name: 'Block this network' })).toHaveCount(0)
    await page.keyboard.press('Escape')
  })

  await tile(page, 'flood-1.jpg').getByRole('button', { name: 'View flood-1.jpg' }).click()
  await viewer(page, 'flood-1.jpg').getByRole('button', { name: 'More from this address' }).click()
  await expect(page.getByText('2 images found')).toBeVisible()
  await expect(page.getByRole('searchbox')).toHaveValue(/^address:[\da-f]{12}$/)

  await tile(page, 'flood-2.jpg').getByRole('button', { name: 'View flood-2.jpg' }).click()
  await viewer(page, 'flood-2.jpg').getByRole('button', { name: 'Block this network' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Block this network?' })
  await dialog.getByRole('button', { name: 'Block', exact: true }).click()
  await expect(toast(page, 'The network was blocked')).toBeVisible()
  const refused = await uploadTo(server.url, { name: 'flood-3.jpg', bytes: await jpeg(), headers: elsewhere })
  expect(((await refused.json()) as { code: string }).code).toBe('address_blocked')
})

test('the number of images in the table of users leads to them', async ({ page }) => {
  await keepToken(page, tokens.admin, server.url)
  await page.goto(`${server.url}/admin?tab=users`)
  await page.getByRole('link', { name: /images of dana@example\.com$/ }).click()
  await expect(page.getByRole('tab', { name: 'Images' })).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByRole('searchbox')).toHaveValue(dana.email)
})

test.describe('without a connection', () => {
  test.use({ expectedConsole: [/ERR_INTERNET_DISCONNECTED|ERR_FAILED/] })

  test('a failed load can be retried, and offline nothing can be decided', async ({ page }) => {
    let isBroken = true
    await page.route('**/api/admin/images?*', (route) => (isBroken ? route.abort() : route.continue()))
    await keepToken(page, tokens.admin, server.url)
    await page.goto(`${server.url}/admin?tab=images`)
    await expect(page.getByRole('alert')).toContainText('The images could not be loaded', { timeout: 20_000 })
    isBroken = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('button', { name: 'View twin.jpg' }).click()
    await page.context().setOffline(true)
    await expect(viewer(page, 'twin.jpg').getByRole('button', { name: 'Quarantine' })).toBeDisabled()
    await page.context().setOffline(false)
  })
})
