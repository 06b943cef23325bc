// The share sheet: from the gallery, the lightbox and a guest's upload, with the title, both flavours of the link, and the last format.
import type { Locator, Page } from '@playwright/test'
import { jpeg } from './e2e-images.ts'
import { logIn } from './log-in.ts'
import { expect, test } from './test.ts'
import { pick, tile, toast, uploadFor, zone } from './upload.ts'

const sheet = (page: Page) => page.getByRole('dialog', { name: 'Share', exact: true })
const preview = (page: Page) => sheet(page).getByRole('region', { name: 'How it looks in a chat' })

/** What the clipboard has, by type. */
const clipboard = (page: Page) =>
  page.evaluate(async () => {
    const [item] = await navigator.clipboard.read()
    const parts = (item?.types ?? []).map(async (type) => [type, await (await item!.getType(type)).text()] as const)
    return Object.fromEntries(await Promise.all(parts))
  })

const boxOf = async (part: Locator) => (await part.boundingBox())!

async function openGallery(page: Page): Promise<{ id: string; token: string }> {
  const token = await logIn(page)
  const id = await uploadFor(page, token, 'harbour.jpg', '365d')
  await page.goto('/dashboard')
  await expect(tile(page, /^harbour\.jpg/)).toBeVisible()
  return { id, token }
}

async function shareFromTile(page: Page): Promise<void> {
  await tile(page, /^harbour\.jpg/).hover()
  await page.getByRole('group', { name: 'Actions for harbour.jpg' }).getByRole('button', { name: 'Share' }).click()
}

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

test('two clicks share an image with a title, as text and as HTML', async ({ page }) => {
  const { id, token } = await openGallery(page)
  await shareFromTile(page)
  const title = sheet(page).getByRole('textbox', { name: 'Title' })
  await expect(title).toBeFocused()
  await expect(preview(page).getByText('harbour.jpg')).toBeVisible()
  await page.keyboard.type('Boats & "sea"')
  await sheet(page).getByRole('button', { name: 'Copy link' }).click()
  await expect(toast(page, 'Image URL copied to clipboard!')).toBeVisible()

  const copied = await clipboard(page)
  expect(copied['text/plain']).toMatch(new RegExp(`^https?://[^/]+/i/${id}$`))
  expect(copied['text/html']).toContain('Boats &amp; "sea"</a>')
  expect(copied['text/html']).toMatch(new RegExp(`<a href="[^"]+/i/${id}"[^>]*><img [^>]*src="[^"]+${id}`))

  await expect(sheet(page).getByText('Saved')).toBeVisible()
  await expect(preview(page).getByText('Boats & "sea"')).toBeVisible()
  await expect(preview(page).getByRole('img', { name: 'Boats & "sea"' })).toBeVisible()
  const stored = await page.request.get(`/api/images/${id}`, { headers: { authorization: `Bearer ${token}` } })
  expect(await stored.json()).toMatchObject({ title: 'Boats & "sea"' })

  await page.keyboard.press('Escape')
  await expect(sheet(page)).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Share' })).toBeFocused()
})

test('keys share from the lightbox, and the focus returns to it', async ({ page }) => {
  await openGallery(page)
  await tile(page, /^harbour\.jpg/).click()
  const viewer = page.getByRole('dialog', { name: 'Image viewer' })
  await expect(viewer).toBeVisible()
  await page.keyboard.press('s')
  await expect(sheet(page).getByRole('textbox', { name: 'Title' })).toBeFocused()
  // Letters are text here, no keys of the lightbox.
  await page.keyboard.type('seed')
  await page.keyboard.press('Enter')
  await expect(sheet(page).getByText('Saved')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(sheet(page)).toHaveCount(0)
  await expect(viewer.getByText('seed', { exact: true })).toBeVisible()
  await viewer.getByRole('button', { name: 'Share' }).click()
  await expect(sheet(page).getByRole('textbox', { name: 'Title' })).toHaveValue('seed')
})

test('the format that was used last is on top of the next sheet', async ({ page }) => {
  await openGallery(page)
  await shareFromTile(page)
  const more = sheet(page).getByRole('button', { name: 'More', exact: true })
  await expect(sheet(page).getByRole('button', { name: 'Copy Markdown' })).toHaveCount(0)
  await more.click()
  await expect(sheet(page).getByRole('group', { name: 'Embed code' }).getByRole('button')).toHaveCount(12)
  await expect(sheet(page).getByRole('img', { name: 'QR code of the share page of harbour.jpg' })).toBeVisible()
  await sheet(page).getByRole('group', { name: 'Links and codes' }).getByRole('button', { name: 'Markdown' }).click()
  await expect(toast(page, 'Markdown code copied!')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^!\[harbour\]\(http/)
  await page.keyboard.press('Escape')

  await page.reload()
  await shareFromTile(page)
  await page.evaluate(() => navigator.clipboard.writeText(''))
  await sheet(page).getByRole('button', { name: 'Copy Markdown' }).click()
  await expect(toast(page, 'Markdown code copied!')).toBeVisible()

  await test.step('and the first elsewhere, where only an embed code leaves it', async () => {
    await sheet(page).getByRole('button', { name: 'More', exact: true }).click()
    await sheet(page).getByRole('group', { name: 'Embed code' }).getByRole('button').first().click()
    await page.keyboard.press('Escape')
    await tile(page, /^harbour\.jpg/).hover()
    await expect(page.getByRole('button', { name: 'Copy Markdown' })).toBeVisible()
    await page.reload()
    await shareFromTile(page)
    await expect(sheet(page).getByRole('button', { name: /^Copy .* code$/ })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: 'Copy Markdown' })).toBeVisible()
  })
})

test('without HTML in the clipboard, the link is copied as text', async ({ page }) => {
  await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'ClipboardItem'))
  const { id } = await openGallery(page)
  await shareFromTile(page)
  await sheet(page).getByRole('button', { name: 'Copy link' }).click()
  await expect(toast(page, 'Image URL copied to clipboard!')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(new RegExp(`/i/${id}$`))
})

test('a guest gives the new upload a title with its token', async ({ page }) => {
  await page.goto('/')
  await pick(page, { name: 'harbour.jpg', mimeType: 'image/jpeg', buffer: await jpeg() })
  await zone(page).getByRole('button', { name: 'Share' }).click()
  await expect(sheet(page).getByRole('textbox', { name: 'Title' })).toBeFocused()
  await page.keyboard.type('Harbour at dusk')
  await sheet(page).getByRole('button', { name: 'Copy link' }).click()
  await expect(sheet(page).getByText('Saved')).toBeVisible()
  await expect(preview(page).getByText('Harbour at dusk')).toBeVisible()
  await page.keyboard.press('Escape')
  await zone(page).getByRole('button', { name: 'Markdown' }).click()
  await expect(toast(page, 'Markdown code copied!')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^!\[Harbour at dusk\]\(/)

  await page.reload()
  await page.getByRole('listitem').getByRole('button', { name: 'Share' }).click()
  await expect(sheet(page).getByRole('textbox', { name: 'Title' })).toHaveValue('Harbour at dusk')
})

test.describe('an image that is gone meanwhile', () => {
  test.use({ expectedConsole: [/status of 410/] })

  test('has no preview, and its title is said to be lost', async ({ page }) => {
    const { id, token } = await openGallery(page)
    await shareFromTile(page)
    await expect(sheet(page).getByRole('textbox', { name: 'Title' })).toBeFocused()
    await expect(preview(page).getByText('harbour.jpg')).toBeVisible()
    await page.request.delete(`/api/images/${id}`, { headers: { authorization: `Bearer ${token}` } })
    await page.keyboard.type('Late')
    await page.keyboard.press('Enter')
    await expect(sheet(page).getByText('The title could not be saved')).toBeVisible()
    await page.keyboard.press('Escape')
    await shareFromTile(page)
    await expect(preview(page).getByText('The image is gone or not available')).toBeVisible()
  })
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('the device shares the link, and nothing is wider than the screen', async ({ page }) => {
    await page.addInitScript(() => {
      const shared: unknown[] = []
      Object.assign(window, { shared })
      Object.assign(navigator, { canShare: () => true, share: async (data: unknown) => void shared.push(data) })
    })
    const { id } = await openGallery(page)
    await page.getByRole('button', { name: 'More actions' }).tap()
    await page.getByRole('dialog', { name: 'harbour.jpg' }).getByRole('button', { name: 'Share' }).tap()
    await expect(sheet(page).getByRole('button', { name: 'Copy link' })).toBeFocused()
    await expect(sheet(page).getByRole('button', { name: 'Copy link' })).toBeInViewport()
    expect(await sheet(page).evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth)).toBe(0)
    await sheet(page).getByRole('button', { name: 'Send to an app' }).tap()
    const shared = () => page.evaluate(() => (window as unknown as { shared: unknown[] }).shared)
    await expect.poll(shared).toEqual([{ url: expect.stringMatching(new RegExp(`/i/${id}$`)), title: 'harbour.jpg' }])
  })
})

test.describe('after an upload on the dashboard', () => {
  const panel = (page: Page) => page.getByRole('region', { name: 'Your link is ready' })
  const harbour = async () => ({ name: 'harbour.jpg', mimeType: 'image/jpeg', buffer: await jpeg() })

  test.beforeEach(async ({ page }) => {
    await logIn(page)
    await page.goto('/dashboard')
    await pick(page, await harbour())
    await expect(panel(page).getByRole('button', { name: 'Copy link' })).toBeVisible()
  })

  test('its link is copied with a title, in the page, and the focus is left alone', async ({ page }) => {
    await expect(panel(page).getByRole('textbox', { name: 'Title' })).not.toBeFocused()
    expect(await panel(page).evaluate((section) => section.contains(document.activeElement))).toBe(false)
    await expect(panel(page).getByText('How it looks in a chat')).toBeVisible()
    await panel(page).getByRole('textbox', { name: 'Title' }).fill('Boats')
    await panel(page).getByRole('button', { name: 'Copy link' }).click()
    await expect(toast(page, 'Image URL copied to clipboard!')).toBeVisible()
    const copied = await clipboard(page)
    expect(copied['text/plain']).toMatch(/^https?:\/\/[^/]+\/i\/[\w-]{22}$/)
    expect(copied['text/html']).toContain('Boats</a>')
    await expect(panel(page).getByText('Saved')).toBeVisible()
    await panel(page).getByRole('button', { name: 'Close' }).click()
    await expect(panel(page)).toHaveCount(0)
    await expect(page.getByRole('main')).toBeFocused()
  })

  for (const width of [390, 768])
    test(`${width} pixels wide, what became of the file is below the buttons and takes no room from the greeting`, async ({
      page,
    }) => {
      await page.setViewportSize({ width, height: 900 })
      const greeting = await boxOf(page.getByRole('heading', { name: /^Hello/ }))
      const saved = await boxOf(page.getByText('Sent as it is: WebP would be larger'))
      const choose = await boxOf(page.getByRole('button', { name: 'Choose image' }))
      const options = await boxOf(page.getByRole('button', { name: 'Upload options' }))
      expect(greeting.width).toBeGreaterThan(100)
      expect(saved.y).toBeGreaterThanOrEqual(choose.y + choose.height)
      expect(Math.abs(options.y + options.height / 2 - (choose.y + choose.height / 2))).toBeLessThan(4)
    })

  test('the next upload replaces it, and its deletion removes it', async ({ page }) => {
    const link = panel(page).getByRole('link')
    const first = (await link.textContent())!
    await pick(page, await harbour())
    await expect(link).not.toHaveText(first)
    // Its preview, requested during the deletion, would have the status 410.
    const image = panel(page).getByRole('region', { name: 'How it looks in a chat' }).getByRole('img')
    await expect.poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBeGreaterThan(0)
    await tile(page, /^harbour/)
      .first()
      .getByRole('link')
      .focus()
    await page.keyboard.press('Delete')
    await expect(page.getByRole('region', { name: 'Undo' })).toBeVisible()
    await expect(panel(page)).toHaveCount(0)
  })
})

test('keys open the menu of Copy URL in the lightbox, and stay in it', async ({ page }) => {
  await openGallery(page)
  await tile(page, /^harbour\.jpg/).click()
  const viewer = page.getByRole('dialog', { name: 'Image viewer' })
  const button = viewer.getByRole('button', { name: 'More ways to copy' })
  const way = (name: string) => page.getByRole('menuitemradio', { name })
  await button.focus()
  await page.keyboard.press('Enter')
  await expect(way('Direct URL')).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(way('BBCode')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(way('BBCode')).toBeHidden()
  await expect(button).toBeFocused()
  await expect(viewer).toBeVisible()

  await page.keyboard.press('Enter')
  await expect(way('Direct URL')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(way('Markdown')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(viewer.getByRole('button', { name: 'Copy Markdown' })).toBeVisible()
  await page.keyboard.press('c')
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(/^!\[harbour\]\(/)
})
