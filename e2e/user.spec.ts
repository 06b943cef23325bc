// Journeys of a new user: every action on an image, then the same by keyboard alone and on a phone.
import type { Page } from '@playwright/test'
import { png } from './e2e-images.ts'
import { logIn } from './log-in.ts'
import { expect, test } from './test.ts'
import { deletion, dialogByKey, keysAreHeard, pick, served, toast } from './upload.ts'

const harbour = async () => ({ name: 'harbour.png', mimeType: 'image/png', buffer: await png(900, 600) })

async function registerAndLogIn(page: Page): Promise<void> {
  const email = `user-${crypto.randomUUID()}@example.com`
  await page.goto('/')
  await page.getByRole('link', { name: 'Get Started' }).click()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill('a new user')
  await page.getByRole('main').getByRole('button', { name: 'Register' }).click()
  await expect(toast(page, 'Registration successful! You can now log in.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible()
  await page.getByLabel('Password', { exact: true }).fill('a new user')
  await page.getByRole('main').getByRole('button', { name: 'Log in', exact: true }).click()
  await expect(page.getByRole('heading', { name: `Hello, ${email}` })).toBeVisible()
}

/** The buttons of the only image of the account. */
async function linkOf(page: Page): Promise<string> {
  const [image] = await page.evaluate(async () => {
    const headers = { authorization: `Bearer ${localStorage.getItem('token')}` }
    const reply = await fetch('/api/images', { headers })
    return (await reply.json()) as { url: string }[]
  })
  return image?.url ?? ''
}

test('a new user registers, uploads, uses every action and deletes', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await registerAndLogIn(page)
  await expect(page.getByText('No images yet. Drop, paste or choose your first image.')).toBeVisible()

  await test.step('an upload is converted to WebP', async () => {
    await pick(page, await harbour())
    await expect(toast(page, 'Image uploaded successfully!')).toBeVisible()
  })
  const link = await linkOf(page)
  expect(await served(link)).toMatchObject({ status: 200, type: 'image/webp', width: 900, height: 600 })

  await page.getByRole('button', { name: 'List' }).click()
  const item = page.getByRole('listitem').filter({ hasText: 'harbour.webp' })
  const action = async (name: string) => {
    await item.hover()
    const isButton = name === 'Copy URL' || name === 'Share'
    if (!isButton) await item.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole(isButton ? 'button' : 'menuitem', { name, exact: true }).click()
  }

  await test.step('the image opens in the lightbox', async () => {
    await item.getByRole('link').click()
    const viewer = page.getByRole('dialog', { name: 'Image viewer' })
    await expect(viewer.getByRole('img', { name: 'harbour.webp' })).toBeVisible()
    await expect(page).toHaveURL(/\?image=/)
    await page.goBack()
    await expect(viewer).toHaveCount(0)
  })

  await test.step('the URL is copied', async () => {
    await action('Copy URL')
    await expect(toast(page, 'URL copied to clipboard!')).toBeVisible()
    expect(await copied()).toBe(link)
  })

  await test.step('the share sheet copies the link of the share page', async () => {
    await action('Share')
    const sheet = page.getByRole('dialog', { name: 'Share' })
    await sheet.getByRole('button', { name: 'Copy link' }).click()
    await expect(toast(page, 'Image URL copied to clipboard!')).toBeVisible()
    expect(await copied()).toMatch(/\/i\/[\w-]{22}$/)
    await page.keyboard.press('Escape')
  })

  await test.step('the embed code is copied', async () => {
    await action('Embed code')
    const dialog = page.getByRole('dialog', { name: 'Embed code' })
    await dialog.getByRole('tab', { name: 'React' }).click()
    await dialog.getByRole('button', { name: 'Copy' }).click()
    await expect(toast(page, 'React code copied!')).toBeAttached()
    expect(await copied()).toContain('HostedImage')
    await page.keyboard.press('Escape')
  })

  await test.step('the image is analyzed', async () => {
    await action('Analyze')
    const dialog = page.getByRole('dialog', { name: 'Image analysis' })
    await expect(dialog.getByText('900 × 600').first()).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
  })

  await test.step('the expiry is extended', async () => {
    await action('Extend to 1 year')
    await expect(toast(page, 'Expiration extended to 1 year')).toBeVisible()
  })

  await test.step('the image is deleted, restored, and deleted for good', async () => {
    await action('Delete')
    await expect(deletion(page)).toBeVisible()
    await expect(item).toHaveCount(0)
    expect((await served(link)).status).toBe(410)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(item).toHaveCount(1)
    expect((await served(link)).status).toBe(200)
    await action('Delete')
    await expect(item).toHaveCount(0)
    expect((await served(link)).status).toBe(410)
  })
})

test('a user works by keyboard alone', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await logIn(page)
  await page.goto('/dashboard')
  await expect(page.getByText('No images yet.')).toBeVisible()

  await test.step('U chooses an image', async () => {
    await keysAreHeard(page)
    await (await dialogByKey(page, 'u')).setFiles(await harbour())
    await expect(toast(page, 'Image uploaded successfully!')).toBeVisible()
  })
  const link = await linkOf(page)
  const tile = page.getByRole('listitem').getByRole('link', { name: /harbour\.webp/ })
  for (let presses = 0; presses < 60; presses += 1) {
    if (await tile.evaluate((element) => element === document.activeElement)) break
    await page.keyboard.press('Tab')
  }
  await expect(tile).toBeFocused()

  await page.keyboard.press('c')
  await expect(toast(page, 'URL copied to clipboard!')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Image viewer' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  // Going back in the history is asynchronous and closes dialogs that were opened before it ends.
  await expect(page).toHaveURL('/dashboard')
  await expect(tile).toBeFocused()
  await page.keyboard.press('e')
  await expect(page.getByRole('dialog', { name: 'Embed code' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(tile).toBeFocused()
  await page.keyboard.press('a')
  await expect(page.getByRole('dialog', { name: 'Image analysis' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('l')
  await expect(toast(page, 'Expiration extended to 1 year')).toBeVisible()
  await page.keyboard.press('Space')
  await expect(page.getByText('1 selected')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByText('1 selected')).toHaveCount(0)
  await page.keyboard.press('Delete')
  await expect(deletion(page)).toBeVisible()
  expect((await served(link)).status).toBe(410)
  expect(await page.evaluate(() => document.activeElement?.tagName), 'the focus is not lost').not.toBe('BODY')
  await page.keyboard.press('g')
  await page.keyboard.press('n')
  await expect(page.getByRole('heading', { name: 'Expiration Alerts' })).toBeVisible()
})

test.describe('a user on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true })

  test('a user on a phone uploads from the bottom bar and deletes', async ({ page }) => {
    await logIn(page)
    await page.goto('/notifications')
    await page.getByRole('navigation').getByRole('link', { name: 'Dashboard' }).last().tap()
    await expect(page.getByText('No images yet.')).toBeVisible()
    const dialog = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Upload', exact: true }).tap()
    await (await dialog).setFiles(await harbour())
    await expect(toast(page, 'Image uploaded successfully!')).toBeVisible()

    const item = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: /harbour\.webp/ }) })
    await item.getByRole('link').tap()
    await expect(page.getByRole('dialog', { name: 'Image viewer' })).toBeVisible()
    await page.goBack()
    await item.getByRole('button', { name: 'More actions' }).tap()
    const sheet = page.getByRole('dialog', { name: 'harbour.webp' })
    await expect(sheet.getByText('900 × 600')).toBeVisible()
    await sheet.getByRole('button', { name: 'Embed code' }).tap()
    await expect(page.getByRole('dialog', { name: 'Embed code' })).toBeVisible()
    await page.getByRole('dialog', { name: 'Embed code' }).getByRole('button', { name: 'Close' }).tap()
    await item.getByRole('button', { name: 'More actions' }).tap()
    await sheet.getByRole('button', { name: 'Delete' }).tap()
    await expect(deletion(page)).toBeVisible()
    await expect(item).toHaveCount(0)
  })
})
