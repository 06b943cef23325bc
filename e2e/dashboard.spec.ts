// The dashboard around its images: finding them, selecting many, deleting and taking it back, claiming, sharing, the phone.
import type { Page } from '@playwright/test'
import { gif, jpeg, png } from './e2e-images.ts'
import { logIn } from './log-in.ts'
import { expect, test } from './test.ts'
import { pick, toast } from './upload.ts'

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
const search = (page: Page) => page.getByRole('searchbox', { name: 'Search file names' })
const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())
const statusOf = async (page: Page, url: string) => (await page.request.get(url)).status()

async function upload(page: Page, token: string, name: string, lifetime = '365d'): Promise<Uploaded> {
  const type = name.split('.').at(-1) ?? ''
  const make = { png, gif, jpg: () => jpeg(600, 400) }[type] ?? png
  const image = { name, mimeType: type === 'jpg' ? 'image/jpeg' : `image/${type}`, buffer: await make() }
  const answer = await page.request.post('/api/upload', {
    headers: { authorization: `Bearer ${token}` },
    // The field stands before the file, which is read last.
    multipart: { expires_in: lifetime, image },
  })
  expect(answer.status()).toBe(201)
  return (await answer.json()) as Uploaded
}

/** Signed in with these images, the last one first in the gallery. */
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

test('search, order and filters are in the address and outlive a reload', async ({ page }) => {
  await open(page, four)
  await expect(tiles(page)).toHaveCount(4)

  await test.step('the search waits for the typing to pause', async () => {
    const asked: string[] = []
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url())
      if (pathname === '/api/images') asked.push(searchParams.get('q') ?? '')
    })
    await search(page).pressSequentially('beta', { delay: 20 })
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

  await test.step('order', async () => {
    await expect(tiles(page).first()).toHaveAccessibleName(/^soon\.jpg/)
    await page.getByLabel('Sort').selectOption('Oldest first')
    await expect(tiles(page).first()).toHaveAccessibleName(/^alpha\.jpg/)
    await page.getByLabel('Sort').selectOption('Expiring first')
    await expect(tiles(page).first()).toHaveAccessibleName(/^soon\.jpg/)
    await page.getByLabel('Sort').selectOption('Name')
    await expect(tiles(page).first()).toHaveAccessibleName(/^alpha\.jpg/)
    await expect(page).toHaveURL('/dashboard?sort=name')
  })

  await test.step('filters', async () => {
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

test('grid or list is remembered', async ({ page }) => {
  await open(page, ['alpha.jpg'])
  const [grid, list] = ['Grid', 'List'].map((name) => page.getByRole('button', { name, exact: true }))
  await expect(grid!).toHaveAttribute('aria-pressed', 'true')
  await list!.click()
  await expect(main(page).getByText('600x400')).toBeVisible()
  await page.reload()
  await expect(list!).toHaveAttribute('aria-pressed', 'true')
  await expect(main(page).getByText('600x400')).toBeVisible()
})

test('selecting by box, by range, all of them, and none', async ({ page }) => {
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

test('many at once: copied, extended, deleted and brought back', async ({ page, context }) => {
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

  const remove = bar(page).getByRole('button', { name: 'Delete' })
  const dialog = page.getByRole('alertdialog', { name: 'Delete 3 images?' })
  await remove.click()
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(remove).toBeFocused()
  await expect(tiles(page)).toHaveCount(3)

  await remove.click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(undoBar(page).getByText('3 images deleted')).toBeVisible()
  await expect(dialog).toHaveCount(0)
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

test('one is deleted by its key and brought back where it was', async ({ page }) => {
  const [, beta] = await open(page, ['alpha.jpg', 'beta.png', 'gamma.gif'])
  await tile(page, 'beta.png').focus()
  await page.keyboard.press('Delete')
  await expect(toast(page, 'Image deleted successfully!')).toBeVisible()
  await expect(tile(page, 'beta.png')).toHaveCount(0)
  await expect(tile(page, 'alpha.jpg')).toBeFocused()
  expect(await statusOf(page, beta!.url)).toBe(410)
  await expect(main(page).getByText(/^2 images · /)).toBeVisible()
  await undoBar(page).getByRole('button', { name: 'Undo' }).click()
  await expect(tiles(page).nth(1)).toHaveAccessibleName(/^beta\.png/)
  await expect(main(page).getByText(/^3 images · /)).toBeVisible()
  expect(await statusOf(page, beta!.url)).toBe(200)
})

test('undoing is offered for 10 seconds, and as long as one is at it', async ({ page }) => {
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

test('an offer to undo does not stand on the selection', async ({ page }) => {
  await open(page, ['alpha.jpg', 'beta.png', 'gamma.gif'])
  await tile(page, 'gamma.gif').focus()
  await page.keyboard.press('x')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Delete')
  await expect(undoBar(page)).toBeVisible()
  await expect(bar(page).getByText('1 selected')).toBeVisible()
  const [above, below] = [await undoBar(page).boundingBox(), await bar(page).boundingBox()]
  expect(above!.y + above!.height).toBeLessThanOrEqual(below!.y)
})

test.describe('what cannot be done', () => {
  test.use({ expectedConsole: [/status of (503|404)/] })

  test('a single selected image that cannot be deleted stays, and it is said', async ({ page }) => {
    await open(page, ['alpha.jpg'])
    await page.route('**/api/images/*?undo=1', (route) =>
      route.fulfill({ status: 503, json: { success: false, error: 'The disk is gone' } }),
    )
    await tile(page, 'alpha.jpg').hover()
    await box(page, 'alpha.jpg').check()
    await bar(page).getByRole('button', { name: 'Delete' }).click()
    await expect(toast(page, 'The disk is gone')).toBeVisible()
    await expect(tile(page, 'alpha.jpg')).toBeVisible()
  })

  test('a link to an image that is not there says so', async ({ page }) => {
    await open(page, ['alpha.jpg'], `/dashboard?image=${'A'.repeat(22)}`)
    await expect(toast(page, 'This image is not among yours, or it is gone')).toBeVisible()
    await expect(page).toHaveURL('/dashboard')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })
})

test('a link opens an image that the list does not show; closing leads to the dashboard', async ({ page }) => {
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

test('read-only shows the images and nothing to change them with', async ({ page }) => {
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

test('what was uploaded without an account moves into it, asked once', async ({ page }) => {
  await page.goto('/')
  await pick(page, { name: 'guest.jpg', mimeType: 'image/jpeg', buffer: await jpeg() })
  await expect(page.getByRole('heading', { name: 'Recent uploads' })).toBeVisible()
  await open(page, [])
  const card = page.getByRole('region', { name: 'Images from this browser' })
  await expect(card.getByText('1 image from this browser was uploaded without an account')).toBeVisible()
  await card.getByRole('button', { name: 'Move them' }).click()
  await expect(toast(page, '1 image moved into your account')).toBeVisible()
  await expect(card).toHaveCount(0)
  await expect(main(page).getByText(/^1 image · /)).toBeVisible()
  await expect(main(page).getByRole('link', { name: /^guest\.\w+, / })).toBeVisible()
  await main(page)
    .getByRole('link', { name: /^guest\.\w+, / })
    .focus()
  await page.keyboard.press('Delete')
  await expect(toast(page, 'Image deleted successfully!')).toBeVisible()
  await expect(tiles(page)).toHaveCount(0)
})

test('who does not want them now is not asked again', async ({ page }) => {
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

test.describe('sharing', () => {
  test('by the device', async ({ page }) => {
    await page.addInitScript(() => {
      const shared: unknown[] = []
      Object.assign(window, { shared })
      Object.assign(navigator, { canShare: () => true, share: async (data: unknown) => void shared.push(data) })
    })
    const [alpha] = await open(page, ['alpha.jpg'])
    await actOn(page, 'alpha.jpg', 'Share')
    await expect
      .poll(() => page.evaluate(() => (window as unknown as { shared: unknown[] }).shared))
      .toEqual([{ url: alpha!.url, title: 'alpha.jpg' }])
  })

  test('by the clipboard, where the device has no way of its own', async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.addInitScript(() => Object.assign(navigator, { canShare: () => false }))
    const [alpha] = await open(page, ['alpha.jpg'])
    await actOn(page, 'alpha.jpg', 'Share')
    await expect(toast(page, 'Image URL copied to clipboard!')).toBeVisible()
    expect(await clipboard(page)).toBe(alpha!.url)
  })
})

test('the QR code, and the focus back where it was asked for', async ({ page }) => {
  const [alpha] = await open(page, ['alpha.jpg'])
  // The tile has no room for all buttons.
  await actOn(page, 'alpha.jpg', 'More actions')
  await page.getByRole('dialog', { name: 'alpha.jpg' }).getByRole('button', { name: 'QR code' }).click()
  const dialog = page.getByRole('dialog', { name: 'QR code' })
  await expect(dialog.getByRole('img', { name: 'QR code of the address of alpha.jpg' })).toBeVisible()
  await expect(dialog.getByRole('link', { name: alpha!.url })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'More actions' })).toBeFocused()
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })

  const sheet = (page: Page, name: string) => page.getByRole('dialog', { name })
  const more = (page: Page, name: string) =>
    page.getByRole('group', { name: `Actions for ${name}` }).getByRole('button', { name: 'More actions' })

  test('all that can be done with an image is in its sheet', async ({ page }) => {
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
      'QR code',
      'Delete',
      'View',
    ])
      await expect(actions.getByRole('button', { name: action })).toBeInViewport()
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

  test('a long press selects, then a tap does', async ({ page }) => {
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

  test('the filters are in a sheet, and the button tells how many are set', async ({ page }) => {
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

test('deleting in the viewer goes on to the next picture, and says one thing', async ({ page }) => {
  await open(page, ['first.jpg', 'second.jpg'])
  await page.getByRole('link', { name: /^second\.jpg/ }).click()
  const viewer = page.getByRole('dialog', { name: 'Image viewer' })
  await expect(viewer.getByRole('img', { name: 'second.jpg' })).toBeVisible()
  await page.keyboard.press('Delete')
  // Its neighbour is beside it from the beginning: only the count tells that it is gone.
  await expect(viewer.getByText('1 of 1', { exact: true })).toBeVisible()
  await expect(viewer.getByRole('img', { name: 'first.jpg' })).toBeVisible()
  await expect(page.getByText('This image is not among yours, or it is gone')).toHaveCount(0)
  await page.keyboard.press('Delete')
  await expect(viewer).toHaveCount(0)
  await expect(page.getByText('This image is not among yours, or it is gone')).toHaveCount(0)
})
