// Eight tasks of somebody who sees the product for the first time, with the clicks and keys that each one takes.
import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { uploadTo } from './api-calls.ts'
import { jpeg, png } from './e2e-images.ts'
import { keepToken, logIn } from './log-in.ts'
import { onOwnServer } from './own-server.ts'
import { expect, test } from './test.ts'
import { deletion, tile, toast, uploadFor, zone } from './upload.ts'

/** Counts what the person's hand does; the file dialog's own clicks and typed text are not counted. */
function handOn(page: Page) {
  const done: string[] = []
  const count = (what: string) => void done.push(what)
  return {
    done,
    async click(part: Locator, options: Parameters<Locator['click']>[0] = {}) {
      count(`click ${String(part)}`)
      await part.click(options)
    },
    async press(key: string) {
      count(`press ${key}`)
      await page.keyboard.press(key)
    },
  }
}

const button = (page: Page | Locator, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const link = (page: Page | Locator, name: string | RegExp) => page.getByRole('link', { name, exact: true })
const shared = (page: Page) => page.getByRole('dialog', { name: 'Share', exact: true })
const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

const imageFile = async (name: string, width = 60) => ({ name, mimeType: 'image/png', buffer: await png(width, 40) })

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

test('task 1: a guest uploads three files and pastes their Markdown, with two clicks', async ({ page }) => {
  await page.goto('/')
  const hand = handOn(page)
  const dialog = page.waitForEvent('filechooser')
  await hand.click(button(page, 'Choose image'))
  await (await dialog).setFiles(await Promise.all([1, 2, 3].map((at) => imageFile(`photo${at}.png`, 60 + at))))
  await expect(zone(page).getByRole('heading')).toHaveText('3 images uploaded')
  await hand.click(zone(page).locator('label', { hasText: 'Markdown' }))
  await expect(toast(page, '3 images copied as Markdown')).toBeVisible()
  const lines = (await clipboard(page)).split('\n')
  expect(lines).toEqual([1, 2, 3].map((at) => expect.stringMatching(`^!\\[photo${at}\\]\\(http`)))
  expect(hand.done).toHaveLength(2)
})

test('task 2: a guest registers and finds the images of before, with two clicks and no hand on the fields', async ({
  page,
}) => {
  await page.goto('/')
  const chooser = page.waitForEvent('filechooser')
  await button(page, 'Choose image').click()
  await (await chooser).setFiles([await imageFile('earlier.png')])
  await expect(zone(page).getByRole('textbox', { name: 'Image URL' })).toBeVisible()

  const hand = handOn(page)
  await hand.click(link(page.getByRole('navigation', { name: 'Main' }), 'Register'))
  await expect(page.getByLabel('Email')).toBeFocused()
  await page.keyboard.type(`new-${crypto.randomUUID()}@example.com`)
  await hand.press('Tab')
  await page.keyboard.type('a new user')
  await hand.press('Enter')
  await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible()
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
  await page.keyboard.type('a new user')
  await hand.press('Enter')
  await hand.click(button(page, 'Move it'))
  await expect(tile(page, /earlier/)).toBeVisible()
  expect(hand.done.filter((what) => what.startsWith('click'))).toHaveLength(2)
})

test('task 3: a user shares an image with a title, with two clicks', async ({ page }) => {
  const token = await logIn(page)
  const id = await uploadFor(page, token, 'harbour.jpg', '365d')
  await page.goto('/dashboard')
  await tile(page, /^harbour/).hover()
  const hand = handOn(page)
  await hand.click(button(page.getByRole('group', { name: 'Actions for harbour.jpg' }), 'Share'))
  await expect(shared(page).getByRole('textbox', { name: 'Title' })).toBeFocused()
  await page.keyboard.type('Boats')
  await hand.click(button(shared(page), 'Copy link'))
  await expect.poll(() => clipboard(page)).toMatch(new RegExp(`/i/${id}$`))
  await expect(shared(page).getByText('Saved')).toBeVisible()
  expect(hand.done).toHaveLength(2)
})

test('task 4: a guest gets the file for ShareX with three clicks', async ({ page }) => {
  await page.goto('/')
  const hand = handOn(page)
  await hand.click(link(page, /ShareX/))
  await hand.click(link(page, /^ShareX/))
  const download = page.waitForEvent('download')
  await hand.click(button(page, /^Download .*\.sxcu$/))
  expect(JSON.parse(await readFile(await (await download).path(), 'utf8'))).toHaveProperty('RequestURL')
  expect(hand.done).toHaveLength(3)
})

test('task 4: a user gets it with a key by the palette, with one shortcut and two clicks', async ({ page }) => {
  await logIn(page)
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: /^Hello/ })).toBeVisible()
  const hand = handOn(page)
  await hand.press('ControlOrMeta+k')
  await page.keyboard.type('sharex')
  await expect(page.getByRole('option', { name: /ShareX/ })).toBeVisible()
  await hand.press('Enter')
  await hand.click(button(page, 'Create a key for ShareX'))
  const download = page.waitForEvent('download')
  await hand.click(button(page, /^Download .*\.sxcu$/))
  expect(await readFile(await (await download).path(), 'utf8')).toContain('"Bearer ')
  expect(hand.done).toHaveLength(4)
})

test('task 5: a user finds an image and keeps it longer, with a search and two clicks', async ({ page }) => {
  const token = await logIn(page)
  for (const name of ['alpha.jpg', 'beta.jpg', 'gamma.jpg']) await uploadFor(page, token, name, '2d')
  await page.goto('/dashboard')
  await expect(tile(page, /alpha/)).toBeVisible()
  const hand = handOn(page)
  await hand.press('/')
  await page.keyboard.type('beta')
  await expect(tile(page, /alpha/)).toHaveCount(0)
  await tile(page, /beta/).hover()
  await hand.click(button(page.getByRole('group', { name: 'Actions for beta.jpg' }), 'More actions'))
  await hand.click(page.getByRole('menuitem', { name: /^Extend/ }))
  await expect(toast(page, 'Expiration extended to 1 year')).toBeVisible()
  expect(hand.done).toHaveLength(3)
})

test('task 6: a user deletes ten images and has them back, without a question, by one key', async ({ page }) => {
  const token = await logIn(page)
  for (let at = 0; at < 12; at++) await uploadFor(page, token, `image-${String(at).padStart(2, '0')}.jpg`, '365d')
  await page.goto('/dashboard')
  const links = page.getByRole('main').getByRole('listitem').getByRole('link')
  await expect(links).toHaveCount(12)
  const hand = handOn(page)
  await links.nth(0).hover()
  await hand.click(page.getByRole('checkbox', { name: /^Select/ }).nth(0))
  await links.nth(9).hover()
  await hand.click(page.getByRole('checkbox', { name: /^Select/ }).nth(9), { modifiers: ['Shift'] })
  await hand.click(button(page, 'Delete'))
  await expect(deletion(page, '10 images deleted')).toBeVisible()
  await expect(links).toHaveCount(2)
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  await hand.press('ControlOrMeta+z')
  await expect(links).toHaveCount(12)
  expect(hand.done).toHaveLength(4)
})

test('task 7: a user sets up an authenticator app, with the focus in the field', async ({ page }) => {
  await logIn(page)
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: /^Hello/ })).toBeVisible()
  const hand = handOn(page)
  await hand.press('ControlOrMeta+k')
  await page.keyboard.type('2fa')
  await expect(page.getByRole('option').first()).toBeVisible()
  await hand.press('Enter')
  await hand.click(button(page.getByRole('region', { name: 'Security' }), 'Set up'))
  const dialog = page.getByRole('dialog', { name: 'Set up an authenticator app' })
  const secret = await dialog.getByLabel('Or enter this key in the app').inputValue()
  await expect(dialog.getByLabel('Code that the app shows')).toBeFocused()
  await page.keyboard.type(TOTP.generate({ secret: Secret.fromBase32(secret) }))
  await hand.press('Enter')
  const codes = page.getByRole('alertdialog', { name: 'Save your recovery codes' })
  const download = page.waitForEvent('download')
  await hand.click(button(codes, 'Download'))
  await download
  await hand.click(button(codes, 'I have saved them'))
  await expect(page.getByRole('region', { name: 'Security' }).getByText(/^On since/)).toBeVisible()
  expect(hand.done).toHaveLength(6)
})

const admin = { email: 'admin@example.com', password: 'secret admin' }

onOwnServer({ TRUST_PROXY: '1', ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password })(
  'task 8: an admin blocks an image and the network that it came from, without knowing the address',
  async ({ page, server }) => {
    const headers = { 'x-forwarded-for': '203.0.113.77' }
    await uploadTo(server.url, { name: 'bad.jpg', bytes: await jpeg(300, 200, 30), headers })
    const answer = await page.request.post('/api/login', { data: admin })
    await keepToken(page, ((await answer.json()) as { token: string }).token)
    await page.goto('/dashboard')
    const hand = handOn(page)
    await hand.click(button(page, /Account menu$/))
    await hand.click(link(page, 'Admin'))
    await hand.click(page.getByRole('tab', { name: 'Images' }))
    await hand.click(button(page, 'View bad.jpg'))
    const viewer = page.getByRole('dialog', { name: 'bad.jpg' })
    await hand.click(button(viewer, 'Block this network'))
    await hand.click(button(page.getByRole('alertdialog', { name: 'Block this network?' }), 'Block'))
    await expect(toast(page, 'The network was blocked')).toBeVisible()
    await hand.click(button(viewer, 'Remove and block'))
    await hand.click(
      button(page.getByRole('alertdialog', { name: 'Remove and block this image?' }), 'Remove and block'),
    )
    await expect(button(page, 'View bad.jpg')).toHaveCount(0)
    const bytes = await jpeg(300, 200, 30)
    const again = await uploadTo(server.url, { name: 'bad.jpg', bytes, headers })
    const elsewhere = await uploadTo(server.url, { name: 'bad.jpg', bytes })
    const codes = await Promise.all(
      [again, elsewhere].map(async (answer) => ((await answer.json()) as { code: string }).code),
    )
    expect(codes).toEqual(['address_blocked', 'image_blocked'])
    expect(hand.done).toHaveLength(8)
  },
)
