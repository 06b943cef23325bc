// What a screen reader says at every step of the main flows: once, and never nothing.
import type { Page } from '@playwright/test'
import { jpeg } from './e2e-images.ts'
import { logIn } from './log-in.ts'
import { accessibilityTree, listen, spokenFocus } from './screen-reader.ts'
import { expect, test } from './test.ts'
import { pick, tile, uploadFor } from './upload.ts'

test.use({ expectedConsole: [/status of 401/], permissions: ['clipboard-read', 'clipboard-write'] })

const image = async (name: string) => ({ name, mimeType: 'image/jpeg', buffer: await jpeg() })
const link = (page: Page, name: RegExp) => tile(page, name).getByRole('link')

/** Waits until these texts are said, and checks that each is said once. */
async function said(heard: () => Promise<string[]>, ...texts: (string | RegExp)[]): Promise<void> {
  const all: string[] = []
  const counts = () => texts.map((text) => all.filter((one) => new RegExp(text).test(one)).length)
  await expect(async () => {
    all.push(...(await heard()))
    expect(counts(), `${texts.join(', ')}, of ${JSON.stringify(all)}`).toEqual(texts.map(() => 1))
  }).toPass({ timeout: 20_000 })
}

async function openDashboard(page: Page) {
  const heard = await listen(page)
  const token = await logIn(page)
  for (const name of ['harbour.jpg', 'boats.jpg', 'city.jpg']) await uploadFor(page, token, name, '30d')
  await page.goto('/dashboard')
  await expect(tile(page, /^city/)).toBeVisible()
  await heard()
  return heard
}

test('a guest hears that an image was uploaded, that a file was not, and how many of several were', async ({
  page,
}) => {
  const heard = await listen(page)
  await page.goto('/')
  await pick(page, await image('one.jpg'))
  await said(heard, 'Image uploaded successfully!')
  expect(await spokenFocus(page)).toMatchObject({ role: 'textbox', name: 'Image URL', readonly: true })
  await page.goto('/')
  const words = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('words') }
  await pick(page, words)
  await said(heard, /^File type must be/)
  await page.goto('/')
  await pick(page, await image('a.jpg'), await image('b.jpg'), words)
  await said(heard, /^Left out: notes\.txt/, '2 images uploaded')
})

test('a user hears the upload of one image and of several', async ({ page }) => {
  const heard = await listen(page)
  await logIn(page)
  await page.goto('/dashboard')
  await pick(page, await image('one.jpg'))
  await said(heard, 'Image uploaded successfully!')
  await pick(page, await image('a.jpg'), await image('b.jpg'))
  await said(heard, '2 images uploaded')
})

test('a user hears how many images are found and selected, what was deleted, restored and copied', async ({ page }) => {
  const heard = await openDashboard(page)
  const search = page.getByRole('combobox', { name: 'Search names, titles and tags' })
  await search.fill('boat')
  await said(heard, /^1 image found$/)
  await search.fill('nothing')
  await said(heard, /^0 images found$/)
  await search.fill('')
  await expect(tile(page, /^city/)).toBeVisible()
  await heard()

  await link(page, /^boats/).focus()
  await page.keyboard.press('x')
  await said(heard, /^1 selected$/)
  await link(page, /^city/).focus()
  await page.keyboard.press('x')
  await said(heard, '2 selected')
  await page.keyboard.press('Escape')

  await link(page, /^boats/).focus()
  await page.keyboard.press('Delete')
  await said(heard, /^Image deleted successfully!/)
  expect(await spokenFocus(page)).toMatchObject({ role: 'link', name: expect.stringMatching(/\.jpg, /) })
  await page.keyboard.press('ControlOrMeta+z')
  await said(heard, '1 image restored')
  await link(page, /^boats/).focus()
  await page.keyboard.press('c')
  await said(heard, 'URL copied to clipboard!')
})

test('dialogs have a name and return the focus', async ({ page }) => {
  await openDashboard(page)
  for (const [key, name] of Object.entries({
    s: 'Share',
    e: 'Embed code',
    a: 'Image analysis',
    Enter: 'Image viewer',
    '?': 'Keyboard shortcuts',
  })) {
    await link(page, /^boats/).focus()
    await page.keyboard.press(key)
    await expect(page.getByRole('dialog', { name, exact: true })).toBeVisible()
    expect((await accessibilityTree(page)).filter(({ role, modal }) => role === 'dialog' && modal === true)).toEqual([
      expect.objectContaining({ name }),
    ])
    await page.keyboard.press('Escape')
    await expect(link(page, /^boats/)).toBeFocused()
  }
})

test('the command palette is a combobox that says its results and the one that Enter takes', async ({ page }) => {
  const heard = await openDashboard(page)
  await page.keyboard.press('ControlOrMeta+k')
  await said(heard, /^\d+ results$/)
  expect(await spokenFocus(page)).toMatchObject({ role: 'combobox', hasPopup: 'listbox', expanded: true })
  const chosen = async () =>
    (await accessibilityTree(page)).filter(({ role, selected }) => role === 'option' && selected)
  const [first] = await chosen()
  await page.keyboard.press('ArrowDown')
  await expect.poll(chosen).toHaveLength(1)
  await expect.poll(async () => (await chosen())[0]?.name).not.toBe(first?.name)
  const active = await page.getByRole('combobox', { name: /^Find a page/ }).getAttribute('aria-activedescendant')
  expect(await page.locator(`[id="${active}"]`).getAttribute('aria-selected')).toBe('true')
  await page.keyboard.type('no such thing')
  await said(heard, /^0 results$/)
})

test('a problem is said with its field, which is marked as invalid', async ({ page }) => {
  const heard = await listen(page)
  await page.goto('/contact')
  await page.getByRole('button', { name: 'Send message' }).click()
  // The problems of the other fields are read when they get the focus.
  await said(heard, /is required/)
  expect(await spokenFocus(page)).toMatchObject({ invalid: 'true', required: true, description: 'Name is required' })

  await page.goto('/login')
  await page.getByLabel('Email').fill('nobody@example.com')
  await page.getByLabel('Password', { exact: true }).fill('not the password')
  await page.keyboard.press('Enter')
  await said(heard, 'Invalid email or password')
  expect(await spokenFocus(page)).toMatchObject({ name: 'Password', description: 'Invalid email or password' })
})

test('a tab says that it is selected, and a page its title', async ({ page }) => {
  const heard = await openDashboard(page)
  await page.getByRole('link', { name: /^Notifications/ }).click()
  await said(heard, /^Notifications/)
  await page.goto('/api-docs')
  await page.getByRole('tab', { name: 'Overview' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => spokenFocus(page)).toMatchObject({ role: 'tab', name: 'Authentication', selected: true })
})
