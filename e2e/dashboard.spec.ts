// Journeys on the dashboard: finding, selecting, deleting and restoring, claiming, sharing, phone layout.
import type { Page } from '@playwright/test'
import { gif, jpeg, png } from './e2e-images.ts'
import { logIn } from './log-in.ts'
import { expect, test } from './test.ts'
import { deletion, keysAreHeard, pick, toast, transferOf, zone } from './upload.ts'

interface Uploaded {
  id: string
  url: string
  original_name: string
}

const main = (page: Page) => page.getByRole('main')
const tile = (page: Page, name: string) => main(page).getByRole('link', { name: new RegExp(`^${name}, `) })
const tiles = (page: Page) => main(page).locator('li[aria-setsize]').getByRole('link')
const box = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select ${name}` })
const bar = (page: Page) => page.getByRole('region', { name: 'Selection' })
const undoBar = (page: Page) => page.getByRole('region', { name: 'Undo' })
const search = (page: Page) => page.getByRole('combobox', { name: 'Search names, titles and tags' })
const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())
const statusOf = async (page: Page, url: string) => (await page.request.get(url)).status()

async function upload(page: Page, token: string, name: string, lifetime = '365d'): Promise<Uploaded> {
  const type = name.split('.').at(-1) ?? ''
  const make = { png, gif, jpg: () => jpeg(600, 400) }[type] ?? png
  const image = { name, mimeType: type === 'jpg' ? 'image/jpeg' : `image/${type}`, buffer: await make() }
  const answer = await page.request.post('/api/upload', {
    headers: { authorization: `Bearer ${token}` },
    // The field precedes the file, which the server reads last.
    multipart: { expires_in: lifetime, image },
  })
  expect(answer.status()).toBe(201)
  return (await answer.json()) as Uploaded
}

/** Logs in a new user with these images. The last one is first in the gallery. */
async function open(page: Page, names: readonly string[], path = '/dashboard'): Promise<Uploaded[]> {
  const token = await logIn(page)
  const uploaded: Uploaded[] = []
  for (const name of names) uploaded.push(await upload(page, token, name, name.startsWith('soon') ? '3d' : '365d'))
  await page.goto(path)
  return uploaded
}

async function actOn(page: Page, name: string, action: string): Promise<void> {
  await tile(page, name).hover()
  await page
    .getByRole('group', { name: `Actions for ${name}` })
    .getByRole('button', { name: action })
    .click()
}

const four = ['alpha.jpg', 'beta.png', 'gamma.gif', 'soon.jpg']

test('search, order and filters are stored in the URL and survive a reload', async ({ page }) => {
  await open(page, four)
  await expect(tiles(page)).toHaveCount(4)

  await test.step('the search waits until typing pauses', async () => {
    const asked: string[] = []
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url())
      if (pathname === '/api/images') asked.push(searchParams.get('q') ?? '')
    })
    // Within the page, so that no busy machine pauses between two keys.
    await search(page).evaluate((input: HTMLInputElement) => {
      for (const key of 'beta') {
        input.setRangeText(key, input.value.length, input.value.length, 'end')
        input.dispatchEvent(new Event('input', { bubbles: true }))
      }
    })
    await expect(tiles(page)).toHaveCount(1)
    expect(asked).toEqual(['beta'])
    await expect(page).toHaveURL('/dashboard?q=beta')
    await expect(page.getByRole('status').filter({ hasText: '1 image found' })).toHaveCount(1)
    await page.reload()
    await expect(search(page)).toHaveValue('beta')
    await expect(tile(page, 'beta.png')).toBeVisible()
    await expect(tiles(page)).toHaveCount(1)
    await search(page).press('Escape')
    await expect(tiles(page)).toHaveCount(4)
    await expect(page).toHaveURL('/dashboard')
  })

  await test.step('the order changes and is stored in the URL', async () => {
    await expect(tiles(page).first()).toHaveAccessibleName(/^soon\.jpg/)
    await page.getByLabel('Sort').selectOption('Oldest first')
    await expect(tiles(page).first()).toHaveAccessibleName(/^alpha\.jpg/)
    await page.getByLabel('Sort').selectOption('Expiring first')
    await expect(tiles(page).first()).toHaveAccessibleName(/^soon\.jpg/)
    await page.getByLabel('Sort').selectOption('Name, A to Z')
    await expect(tiles(page).first()).toHaveAccessibleName(/^alpha\.jpg/)
    await expect(page).toHaveURL('/dashboard?sort=name')
  })

  await test.step('the filters are stored in the URL', async () => {
    await page.getByLabel('Type').selectOption('GIF')
    await expect(tiles(page)).toHaveCount(1)
    await expect(tile(page, 'gamma.gif')).toBeVisible()
    await page.getByLabel('Expiry').selectOption('Expiring soon')
    await expect(main(page).getByText('No images match.')).toBeVisible()
    await expect(page).toHaveURL('/dashboard?sort=name&type=gif&expires=soon')
    await page.reload()
    await expect(main(page).getByText('No images match.')).toBeVisible()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expect(tiles(page)).toHaveCount(4)
    await expect(page).toHaveURL('/dashboard?sort=name')
    await page.getByLabel('Expiry').selectOption('Expiring soon')
    await expect(tiles(page)).toHaveCount(1)
    await expect(tile(page, 'soon.jpg')).toBeVisible()
  })
})

test('the choice of grid or list is stored', async ({ page }) => {
  await open(page, ['alpha.jpg'])
  const [grid, list] = ['Grid', 'List'].map((name) => page.getByRole('button', { name, exact: true }))
  await expect(grid!).toHaveAttribute('aria-pressed', 'true')
  await list!.click()
  await expect(main(page).getByText('600 × 400')).toBeVisible()
  await page.reload()
  await expect(list!).toHaveAttribute('aria-pressed', 'true')
  await expect(main(page).getByText('600 × 400')).toBeVisible()
})

test('V changes between grid and list, and the focus stays on the image', async ({ page }) => {
  await open(page, four)
  await tile(page, 'beta.png').focus()
  for (const view of ['List', 'Grid', 'List']) {
    await page.keyboard.press('v')
    await expect(page.getByRole('button', { name: view, exact: true })).toHaveAttribute('aria-pressed', 'true')
    await expect(tile(page, 'beta.png')).toBeFocused()
  }
  await page.keyboard.press('Home')
  await expect(tile(page, 'soon.jpg')).toBeFocused()
})

test('the heads of the list sort it both ways, by keyboard too, and the address keeps the order', async ({ page }) => {
  await open(page, ['beta.png', 'alpha.jpg'])
  await page.getByRole('button', { name: 'List', exact: true }).click()
  const column = (name: string) => page.getByRole('table', { name: 'Columns' }).getByRole('columnheader', { name })
  const head = (name: string) => column(name).getByRole('button')
  const expectOrder = async (address: string, name: string, order: string, first: RegExp) => {
    await expect(page).toHaveURL(address)
    await expect(column(name)).toHaveAttribute('aria-sort', order)
    await expect(page.locator('[aria-sort]')).toHaveCount(1)
    await expect(tiles(page).first()).toHaveAccessibleName(first)
  }
  await expectOrder('/dashboard', 'Added', 'descending', /^alpha/)
  await head('Added').click()
  await expectOrder('/dashboard?sort=oldest', 'Added', 'ascending', /^beta/)
  await head('Added').click()
  await expectOrder('/dashboard', 'Added', 'descending', /^alpha/)
  await head('Name').focus()
  await page.keyboard.press('Enter')
  await expectOrder('/dashboard?sort=name', 'Name', 'ascending', /^alpha/)
  await page.keyboard.press('Space')
  await expectOrder('/dashboard?sort=name_desc', 'Name', 'descending', /^beta/)
  await page.reload()
  await expectOrder('/dashboard?sort=name_desc', 'Name', 'descending', /^beta/)
  for (const [name, one, other] of [
    ['Size', 'largest', 'smallest'],
    ['Views', 'views', 'views_asc'],
    ['Expires', 'expiry', 'expiry_desc'],
  ] as const) {
    await head(name).click()
    await expect(page).toHaveURL(`/dashboard?sort=${one}`)
    await head(name).click()
    await expect(page).toHaveURL(`/dashboard?sort=${other}`)
  }
})

test('a title is shown instead of the file name, and found; the details have both', async ({ page }) => {
  const token = await logIn(page)
  const { id } = await upload(page, token, 'alpha.jpg')
  await upload(page, token, 'beta.png')
  const headers = { authorization: `Bearer ${token}` }
  await page.request.patch(`/api/images/${id}`, { headers, data: { title: 'Harbour at dusk' } })
  await page.goto('/dashboard?q=harbour')
  await expect(tiles(page)).toHaveCount(1)
  await expect(tile(page, 'Harbour at dusk')).toHaveAccessibleName(/^Harbour at dusk, Expires/)
  await page.getByRole('button', { name: 'List', exact: true }).click()
  await expect(main(page).getByText('Harbour at dusk', { exact: true })).toBeVisible()
  await tile(page, 'Harbour at dusk').click()
  const viewer = page.getByRole('dialog', { name: 'Image viewer' })
  await expect(viewer.getByText('Harbour at dusk', { exact: true }).first()).toBeVisible()
  await viewer.getByRole('button', { name: 'Image details' }).click()
  await expect(viewer.getByText('alpha.jpg', { exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('option', { name: 'Harbour at dusk' })).toBeVisible()
})

test('the Delete key deletes the selected images, not the focused one', async ({ page }) => {
  await open(page, ['gamma.gif', 'beta.png', 'alpha.jpg'])
  for (const name of ['beta.png', 'gamma.gif']) {
    await tile(page, name).hover()
    await box(page, name).check()
  }
  await tile(page, 'alpha.jpg').focus()
  await page.keyboard.press('Delete')
  await expect(page.getByText('2 images deleted')).toBeVisible()
  await expect(tiles(page)).toHaveCount(1)
  await expect(tile(page, 'alpha.jpg')).toBeVisible()
  await page.keyboard.press('Control+z')
  await expect(tiles(page)).toHaveCount(3)
})

test('the upload area of an empty dashboard stays centred while a file is dragged over it', async ({ page }) => {
  await logIn(page)
  await page.goto('/dashboard')
  const middle = (box: { x: number; width: number } | null) => box!.x + box!.width / 2
  await expect(page.getByText('No images yet.')).toBeVisible()
  const before = await zone(page).boundingBox()
  const image = { name: 'alpha.jpg', mimeType: 'image/jpeg', buffer: await jpeg(600, 400) }
  const words = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('words') }
  for (const { file, text } of [
    { file: image, text: 'Drop to upload' },
    { file: words, text: 'File type must be PNG, JPG, JPEG, WebP, GIF or SVG' },
  ]) {
    const dataTransfer = await transferOf(page, [file])
    for (const type of ['dragenter', 'dragover']) await zone(page).dispatchEvent(type, { dataTransfer })
    const shown = zone(page).getByText(text, { exact: true })
    await expect(shown).toBeVisible()
    expect(Math.abs(middle(await shown.boundingBox()) - middle(before))).toBeLessThan(2)
    expect((await zone(page).boundingBox())?.height).toBe(before?.height)
    await zone(page).dispatchEvent('dragleave', { dataTransfer })
  }
})

test('an image that is listed with _id and without URLs is shown', async ({ page }) => {
  await open(page, ['alpha.jpg'], '/about')
  await page.route('**/api/images?*', async (route) => {
    const response = await route.fetch()
    const images = (await response.json()) as Record<string, unknown>[]
    const json = images.map(({ id, url: _url, thumbnailUrl: _thumbnailUrl, ...rest }) => ({ _id: id, ...rest }))
    await route.fulfill({ response, json })
  })
  await page.goto('/dashboard')
  const picture = tile(page, 'alpha.jpg').locator('img')
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0)
  await expect(tile(page, 'alpha.jpg')).toHaveAttribute('href', /^\/uploads\/alpha-[\w-]{22}\.jpg$/)
})

test('the list loads thumbnails of 200 pixels, the grid of 400', async ({ page }) => {
  await open(page, ['alpha.jpg'])
  const picture = tile(page, 'alpha.jpg').locator('img')
  await expect(picture).toHaveAttribute('src', /\/api\/thumbnail\/[\w-]{22}\/400$/)
  await page.getByRole('button', { name: 'List', exact: true }).click()
  await expect(picture).toHaveAttribute('src', /\/api\/thumbnail\/[\w-]{22}\/200$/)
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(200)
})

test('the rows of the list grow with the text', async ({ page }) => {
  await open(page, ['alpha.jpg'])
  await page.getByRole('button', { name: 'List', exact: true }).click()
  const height = async () => (await tile(page, 'alpha.jpg').boundingBox())?.height ?? 0
  // Without the line below it.
  await expect.poll(height).toBe(71)
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
  await expect.poll(height).toBe(143)
})

test('images are selected by checkbox, by range, all and none', async ({ page }) => {
  await open(page, four)
  await tile(page, 'soon.jpg').hover()
  await box(page, 'soon.jpg').check()
  await expect(bar(page).getByText('1 selected')).toBeVisible()
  await box(page, 'beta.png').click({ modifiers: ['Shift'] })
  await expect(bar(page).getByText('3 selected')).toBeVisible()
  await expect(box(page, 'alpha.jpg')).not.toBeChecked()

  await tile(page, 'soon.jpg').focus()
  await page.keyboard.press('ControlOrMeta+a')
  await expect(bar(page).getByText('4 selected')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(bar(page)).toHaveCount(0)
  await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(0)

  await page.keyboard.press('Space')
  await bar(page).getByRole('button', { name: 'Clear' }).click()
  await expect(bar(page)).toHaveCount(0)
  await expect(main(page)).toBeFocused()
})

test('Ctrl+A selects all images wherever the focus is, but in a field its text and in a dialog nothing', async ({
  page,
}) => {
  await open(page, four)
  await expect(tiles(page)).toHaveCount(4)
  await page.keyboard.press('ControlOrMeta+a')
  await expect(bar(page).getByText('4 selected')).toBeVisible()
  expect(await page.evaluate(() => String(getSelection()))).toBe('')
  await page.keyboard.press('Escape')
  await expect(bar(page)).toHaveCount(0)

  await search(page).fill('alpha')
  await expect(tiles(page)).toHaveCount(1)
  await search(page).press('ControlOrMeta+a')
  await page.keyboard.press('Backspace')
  await expect(search(page)).toHaveValue('')
  await expect(bar(page)).toHaveCount(0)

  await search(page).blur()
  await keysAreHeard(page)
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(bar(page)).toHaveCount(0)
})

test('when the last images are deleted far down the page, its top is in view', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 420 })
  await open(page, four)
  await expect(tiles(page)).toHaveCount(4)
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
  await page.keyboard.press('ControlOrMeta+a')
  await bar(page).getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('4 images deleted')).toBeVisible()
  await expect(page.getByText(/^No images yet/)).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toBeInViewport()
})

test('several images are copied, extended, deleted and restored together', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const [alpha, beta, soon] = await open(page, ['alpha.jpg', 'beta.png', 'soon.jpg'])
  await tile(page, 'soon.jpg').focus()
  await page.keyboard.press('ControlOrMeta+a')
  await expect(bar(page).getByText('3 selected')).toBeVisible()

  await bar(page).getByRole('button', { name: 'Copy', exact: true }).click()
  await expect(toast(page, '3 images copied as URLs')).toBeVisible()
  expect((await clipboard(page)).split('\n')).toEqual([soon!.url, beta!.url, alpha!.url])
  await bar(page).getByLabel('Copy as').selectOption('Markdown')
  await bar(page).getByRole('button', { name: 'Copy', exact: true }).click()
  await expect(toast(page, '3 images copied as Markdown')).toBeVisible()
  const markdown = (await clipboard(page)).split('\n')
  expect(markdown).toHaveLength(3)
  expect(markdown[0]).toMatch(/^!\[.*\]\(.*\)$/)
  expect(markdown[0]).toContain(soon!.url)

  await bar(page).getByRole('button', { name: 'Extend' }).click()
  await expect(toast(page, '3 images extended to 1 year')).toBeVisible()
  await expect(tile(page, 'soon.jpg')).toHaveAccessibleName(/Expires on /)

  await bar(page).getByRole('button', { name: 'Delete' }).click()
  await expect(deletion(page, '3 images deleted')).toBeVisible()
  await expect(bar(page)).toHaveCount(0)
  await expect(tiles(page)).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Your images' })).toBeFocused()
  for (const { url } of [alpha!, beta!, soon!]) expect(await statusOf(page, url)).toBe(410)

  await undoBar(page).getByRole('button', { name: 'Undo' }).click()
  await expect(toast(page, '3 images restored')).toBeVisible()
  await expect(tiles(page)).toHaveCount(3)
  await expect(tiles(page).first()).toHaveAccessibleName(/^soon\.jpg/)
  for (const { url } of [alpha!, beta!, soon!]) expect(await statusOf(page, url)).toBe(200)
  await expect(undoBar(page)).toHaveCount(0)
  await expect(main(page)).toBeFocused()
})

test('an image deleted by its key is restored at its former place', async ({ page }) => {
  const [, beta] = await open(page, ['alpha.jpg', 'beta.png', 'gamma.gif'])
  await tile(page, 'beta.png').focus()
  await page.keyboard.press('Delete')
  await expect(deletion(page)).toBeVisible()
  await expect(tile(page, 'beta.png')).toHaveCount(0)
  await expect(tile(page, 'alpha.jpg')).toBeFocused()
  expect(await statusOf(page, beta!.url)).toBe(410)
  await expect(main(page).getByText(/^2 images · /)).toBeVisible()
  await undoBar(page).getByRole('button', { name: 'Undo' }).click()
  await expect(tiles(page).nth(1)).toHaveAccessibleName(/^beta\.png/)
  await expect(main(page).getByText(/^3 images · /)).toBeVisible()
  expect(await statusOf(page, beta!.url)).toBe(200)
})

test('Ctrl+Z restores what was deleted last, also after the offer has gone, but not in a field', async ({ page }) => {
  await page.clock.install()
  await open(page, ['alpha.jpg', 'beta.png'])
  await tile(page, 'beta.png').focus()
  await page.keyboard.press('Delete')
  await expect(deletion(page)).toBeVisible()
  await expect(page.getByRole('region', { name: 'Messages' }).locator('.toast')).toHaveCount(0)
  await page.clock.runFor(11_000)
  await expect(undoBar(page)).toHaveCount(0)
  await search(page).press('ControlOrMeta+z')
  await expect(tiles(page)).toHaveCount(1)
  await tile(page, 'alpha.jpg').focus()
  await page.keyboard.press('ControlOrMeta+z')
  await expect(toast(page, '1 image restored')).toBeVisible()
  await expect(tiles(page)).toHaveCount(2)
})

test('the menu of an image opens by the right button and by the keyboard, and returns the focus', async ({ page }) => {
  await open(page, ['alpha.jpg', 'beta.png'])
  const menu = page.getByRole('menu', { name: 'Actions for alpha.jpg' })
  await tile(page, 'alpha.jpg').click({ button: 'right' })
  await expect(menu.getByRole('menuitem', { name: 'Open', exact: true })).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(menu.getByRole('menuitem', { name: 'Delete' })).toBeFocused()
  await page.keyboard.press('Home')
  await page.keyboard.press('Escape')
  await expect(menu).toHaveCount(0)
  await expect(tile(page, 'alpha.jpg')).toBeFocused()

  await page.keyboard.press('ContextMenu')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Image viewer' }).getByRole('img', { name: 'alpha.jpg' })).toBeVisible()
})

test('closing the lightbox focuses the image that it showed last', async ({ page }) => {
  await open(page, ['alpha.jpg', 'beta.png', 'gamma.gif'])
  await tile(page, 'gamma.gif').click()
  const viewer = page.getByRole('dialog', { name: 'Image viewer' })
  for (const position of ['1 of 3', '2 of 3', '3 of 3']) {
    await expect(viewer.getByText(position, { exact: true })).toBeVisible()
    if (position !== '3 of 3') await page.keyboard.press('ArrowRight')
  }
  await page.keyboard.press('Escape')
  await expect(viewer).toHaveCount(0)
  await expect(tile(page, 'alpha.jpg')).toBeFocused()
})

test('the undo offer stays for 10 seconds, or as long as it has the focus or the pointer', async ({ page }) => {
  await page.clock.install()
  await open(page, ['alpha.jpg', 'beta.png'])
  await tile(page, 'beta.png').focus()
  await page.keyboard.press('Delete')
  await expect(undoBar(page)).toBeVisible()
  await undoBar(page).getByRole('button', { name: 'Undo' }).focus()
  await page.clock.runFor(20_000)
  await expect(undoBar(page)).toBeVisible()
  await tile(page, 'alpha.jpg').focus()
  await page.clock.runFor(9000)
  await expect(undoBar(page)).toBeVisible()
  await page.clock.runFor(1500)
  await expect(undoBar(page)).toHaveCount(0)
})

test('the undo offer does not overlap the selection bar', async ({ page }) => {
  await open(page, ['alpha.jpg', 'beta.png', 'gamma.gif'])
  await tile(page, 'gamma.gif').focus()
  await page.keyboard.press('Delete')
  await expect(undoBar(page)).toBeVisible()
  await expect(tile(page, 'beta.png')).toBeFocused()
  await page.keyboard.press('x')
  await expect(bar(page).getByText('1 selected')).toBeVisible()
  // Polled: the bars slide in.
  const gapPx = async () => {
    const [above, below] = [await undoBar(page).boundingBox(), await bar(page).boundingBox()]
    return below!.y - (above!.y + above!.height)
  }
  await expect.poll(gapPx).toBeGreaterThanOrEqual(0)
})

test.describe('failed actions on images', () => {
  test.use({ expectedConsole: [/status of (503|404)/] })

  test('a selected image that cannot be deleted stays in the list, with an error', async ({ page }) => {
    await open(page, ['alpha.jpg'])
    await page.route('**/api/images/*?trash=1', (route) =>
      route.fulfill({ status: 503, json: { success: false, error: 'The disk is gone' } }),
    )
    await tile(page, 'alpha.jpg').hover()
    await box(page, 'alpha.jpg').check()
    await bar(page).getByRole('button', { name: 'Delete' }).click()
    await expect(toast(page, 'The disk is gone')).toBeVisible()
    await expect(tile(page, 'alpha.jpg')).toBeVisible()
  })

  test('a link to an image that does not exist is reported', async ({ page }) => {
    await open(page, ['alpha.jpg'], `/dashboard?image=${'A'.repeat(22)}`)
    await expect(toast(page, 'This image is not among yours, or it is gone')).toBeVisible()
    await expect(page).toHaveURL('/dashboard')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })
})

test('a link opens an image that the list does not contain, and closing it leads to the dashboard', async ({
  page,
}) => {
  const [alpha] = await open(page, ['alpha.jpg', 'beta.png'])
  await page.goto(`/dashboard?q=beta&image=${alpha!.id}`)
  const viewer = page.getByRole('dialog', { name: 'Image viewer' })
  await expect(viewer.getByRole('img', { name: 'alpha.jpg' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(viewer).toHaveCount(0)
  await expect(page).toHaveURL('/dashboard?q=beta')
  await expect(tiles(page)).toHaveCount(1)

  await tile(page, 'beta.png').click()
  await expect(viewer.getByRole('img', { name: 'beta.png' })).toBeVisible()
  await page.goBack()
  await expect(viewer).toHaveCount(0)
  await expect(page).toHaveURL('/dashboard?q=beta')
})

test('the read-only view shows the images without any action', async ({ page }) => {
  await open(page, ['alpha.jpg', 'beta.png'])
  await tile(page, 'alpha.jpg').hover()
  await box(page, 'alpha.jpg').check()
  await page.getByRole('button', { name: 'Read-only' }).click()
  await expect(page).toHaveURL('/dashboard?readonly=1')
  await expect(bar(page)).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Read-only' })).toHaveAttribute('aria-pressed', 'true')
  await tile(page, 'alpha.jpg').hover()
  await tile(page, 'alpha.jpg').focus()
  await expect(page.getByRole('checkbox', { name: /^Select/ })).toHaveCount(0)
  await expect(page.getByRole('group', { name: /^Actions for/ })).toHaveCount(0)
  await page.keyboard.press('Delete')
  await page.keyboard.press('x')
  await expect(tiles(page)).toHaveCount(2)
  await expect(bar(page)).toHaveCount(0)
})

test('images uploaded as a guest move into the account after one confirmation', async ({ page }) => {
  await page.goto('/')
  await pick(page, { name: 'guest.jpg', mimeType: 'image/jpeg', buffer: await jpeg() })
  await expect(page.getByRole('heading', { name: 'Recent uploads' })).toBeVisible()
  await open(page, [])
  const card = page.getByRole('region', { name: 'Images from this browser' })
  await expect(card.getByText('1 image from this browser was uploaded without an account')).toBeVisible()
  await card.getByRole('button', { name: 'Move it' }).click()
  await expect(toast(page, '1 image moved into your account')).toBeVisible()
  await expect(card).toHaveCount(0)
  await expect(main(page).getByText(/^1 image · /)).toBeVisible()
  await expect(main(page).getByRole('link', { name: /^guest\.\w+, / })).toBeVisible()
  await main(page)
    .getByRole('link', { name: /^guest\.\w+, / })
    .focus()
  await page.keyboard.press('Delete')
  await expect(deletion(page)).toBeVisible()
  await expect(tiles(page)).toHaveCount(0)
})

test('a declined offer to claim guest images is not repeated', async ({ page }) => {
  await page.goto('/')
  await pick(page, { name: 'guest.jpg', mimeType: 'image/jpeg', buffer: await jpeg() })
  await expect(page.getByRole('heading', { name: 'Recent uploads' })).toBeVisible()
  await open(page, [])
  await page.getByRole('button', { name: 'Not now' }).click()
  await expect(page.getByRole('region', { name: 'Images from this browser' })).toHaveCount(0)
  await page.reload()
  await expect(page.getByText('No images yet. Drop, paste or choose your first image.')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Images from this browser' })).toHaveCount(0)
})

test('the QR code opens, and closing it returns the focus', async ({ page }) => {
  const [alpha] = await open(page, ['alpha.jpg'])
  // The tile is too small to show all buttons.
  await actOn(page, 'alpha.jpg', 'More actions')
  await page.getByRole('menu', { name: 'Actions for alpha.jpg' }).getByRole('menuitem', { name: 'QR code' }).click()
  const dialog = page.getByRole('dialog', { name: 'QR code' })
  await expect(dialog.getByRole('img', { name: 'QR code of the address of alpha.jpg' })).toBeVisible()
  await expect(dialog.getByRole('link', { name: new RegExp(`/i/${alpha!.id}$`) })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'More actions' })).toBeFocused()
})

test.describe('the dashboard on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })

  const sheet = (page: Page, name: string) => page.getByRole('dialog', { name })
  const more = (page: Page, name: string) =>
    page.getByRole('group', { name: `Actions for ${name}` }).getByRole('button', { name: 'More actions' })

  test('the sheet of an image offers every action', async ({ page }) => {
    const name = `${'a-name-without-end'.repeat(6)}.jpg`
    await open(page, ['alpha.jpg', name])
    await more(page, name).tap()
    const actions = sheet(page, name)
    for (const action of [
      'Copy URL',
      'Share',
      'Embed code',
      'Analyze',
      'Extend to 1 year',
      'Statistics',
      'QR code',
      'Delete',
      'Open',
    ])
      await expect(actions.getByRole('button', { name: action, exact: true })).toBeInViewport()
    expect(await actions.evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth)).toBe(0)

    await actions.getByRole('button', { name: 'QR code' }).tap()
    await expect(actions).toHaveCount(0)
    await sheet(page, 'QR code').getByRole('button', { name: 'Close' }).tap()
    await expect(page.getByRole('dialog')).toHaveCount(0)

    await more(page, 'alpha.jpg').tap()
    await sheet(page, 'alpha.jpg').getByRole('button', { name: 'Delete' }).tap()
    await expect(tile(page, 'alpha.jpg')).toHaveCount(0)
    await undoBar(page).getByRole('button', { name: 'Undo' }).tap()
    await expect(tile(page, 'alpha.jpg')).toBeVisible()
  })

  test('a long press starts the selection, and then a tap selects', async ({ page }) => {
    await open(page, ['alpha.jpg', 'beta.png'])
    await tile(page, 'alpha.jpg').scrollIntoViewIfNeeded()
    const place = (await tile(page, 'alpha.jpg').boundingBox())!
    const touch = await page.context().newCDPSession(page)
    const point = { x: place.x + place.width / 2, y: place.y + place.height / 2 }
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] })
    await expect(bar(page).getByText('1 selected')).toBeVisible()
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    await expect(bar(page).getByText('1 selected')).toBeVisible()
    await tile(page, 'beta.png').tap()
    await expect(bar(page).getByText('2 selected')).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  test('the filters are in a sheet, and its button shows how many are set', async ({ page }) => {
    await open(page, ['alpha.jpg', 'beta.png'])
    await page.getByRole('button', { name: 'Filters' }).tap()
    await sheet(page, 'Filters').getByLabel('Type').selectOption('PNG')
    await sheet(page, 'Filters').getByRole('button', { name: 'Show images' }).tap()
    await expect(sheet(page, 'Filters')).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Filters (1)' })).toBeVisible()
    await expect(tiles(page)).toHaveCount(1)
    await expect(page).toHaveURL('/dashboard?type=png')
  })
})

test('deleting in the lightbox moves to the next image and shows one message', async ({ page }) => {
  await open(page, ['first.jpg', 'second.jpg'])
  await page.getByRole('link', { name: /^second\.jpg/ }).click()
  const viewer = page.getByRole('dialog', { name: 'Image viewer' })
  await expect(viewer.getByRole('img', { name: 'second.jpg' })).toBeVisible()
  await page.keyboard.press('Delete')
  // The next image is rendered beside it from the start: only the count shows that it was deleted.
  await expect(viewer.getByText('1 of 1', { exact: true })).toBeVisible()
  await expect(viewer.getByRole('img', { name: 'first.jpg' })).toBeVisible()
  await expect(page.getByText('This image is not among yours, or it is gone')).toHaveCount(0)
  await viewer.getByRole('button', { name: 'Undo' }).click()
  await expect(viewer.getByText('2 of 2', { exact: true })).toBeVisible()
  await expect(deletion(page)).toHaveCount(0)
  for (const left of ['1 of 1', undefined]) {
    await page.keyboard.press('Delete')
    if (left !== undefined) await expect(viewer.getByText(left, { exact: true })).toBeVisible()
  }
  await expect(viewer).toHaveCount(0)
  await expect(page.getByText('This image is not among yours, or it is gone')).toHaveCount(0)
})
