// Links: of a guest to a batch, and of a user to a selection, with a password, a list, and an end.
import type { Browser, Page } from '@playwright/test'
import { callApi, uploadTo } from './api-calls.ts'
import { png } from './e2e-images.ts'
import { logIn } from './log-in.ts'
import { expect, test } from './test.ts'
import { pick, tile, toast, uploadFor, zone } from './upload.ts'

const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

const pngs = (count: number) =>
  Promise.all(
    Array.from({ length: count }, async (_, at) => ({
      name: `photo${at + 1}.png`,
      mimeType: 'image/png',
      buffer: await png(60 + at, 40),
    })),
  )

async function newVisitor(browser: Browser, link: string) {
  const context = await browser.newContext({ serviceWorkers: 'block' })
  const stranger = await context.newPage()
  const response = await stranger.goto(link)
  return { stranger, status: response?.status(), close: () => context.close() }
}

async function openGallery(page: Page): Promise<string> {
  const token = await logIn(page)
  for (const name of ['one.jpg', 'two.jpg', 'three.jpg']) await uploadFor(page, token, name, '365d')
  await page.goto('/dashboard')
  await expect(tile(page, /^one\.jpg/)).toBeVisible()
  return token
}

async function shareSelection(page: Page, ...names: string[]): Promise<void> {
  for (const name of names) {
    await tile(page, new RegExp(`^${name}`)).hover()
    await page.getByRole('checkbox', { name: `Select ${name}` }).click()
  }
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Share' }).click()
  await expect(sheet(page).getByText(`${names.length} images`)).toBeVisible()
}

const sheet = (page: Page) => page.getByRole('dialog', { name: 'Share', exact: true })
const listed = (page: Page) => page.getByRole('row').filter({ hasText: '/l/' })

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

test('a guest shares three files with two clicks, finds the link again, and ends it', async ({
  page,
  browser,
  baseURL,
}) => {
  await page.goto('/', { waitUntil: 'networkidle' })
  await pick(page, ...(await pngs(3)))
  await zone(page).getByRole('button', { name: 'Copy link to all 3' }).click()
  await expect(page.getByRole('button', { name: 'Copy link to all 3' })).toHaveCount(1)
  await expect(toast(page, 'Link to 3 images copied')).toBeVisible()
  const link = await clipboard(page)
  expect(link).toMatch(new RegExp(`^${baseURL}/l/[2-9a-z]{12}$`))

  await test.step('a stranger sees the three images', async () => {
    const { stranger, close } = await newVisitor(browser, link)
    await expect(stranger.getByRole('main').getByRole('img')).toHaveCount(3)
    await close()
  })

  await test.step('a second click copies the same link', async () => {
    await page.evaluate(() => navigator.clipboard.writeText(''))
    await zone(page).getByRole('button', { name: 'Copy link to all 3' }).click()
    await expect.poll(() => clipboard(page)).toBe(link)
  })

  await test.step('after a reload it is with the batch, where it can be ended', async () => {
    await page.reload()
    const recent = page.getByRole('region', { name: 'Recent uploads' })
    await expect(recent.getByRole('link', { name: link.replace('http://', '') })).toHaveAttribute('href', link)
    await expect(recent.getByRole('button', { name: 'Copy link to all 3' })).toBeVisible()
    const { id, token } = await page.evaluate(
      () => (JSON.parse(localStorage.getItem('guest_albums') ?? '[]') as { id: string; token: string }[])[0]!,
    )
    await recent.getByRole('button', { name: 'End link' }).click()
    await expect(toast(page, 'The link has ended. The images stay')).toBeVisible()
    await expect(recent.getByRole('link', { name: /\/l\// })).toHaveCount(0)
    await expect(recent.getByRole('listitem')).toHaveCount(3)
    const again = await callApi(baseURL!, `/api/albums/guest/${id}`, { method: 'DELETE', body: { token } })
    expect(again.status).toBe(404)
  })
})

test('a user shares a selection with a password, revokes the link and allows it again', async ({ page, browser }) => {
  await openGallery(page)
  await shareSelection(page, 'one.jpg', 'two.jpg')
  await sheet(page).getByLabel('Password').fill('sandcastle')
  await sheet(page).getByRole('button', { name: 'Copy link' }).click()
  await expect(toast(page, 'Link copied')).toBeVisible()
  const link = await clipboard(page)
  await expect(sheet(page).getByRole('listitem')).toHaveCount(1)
  await expect(sheet(page).getByRole('listitem')).toContainText('Password')

  const { stranger, close } = await newVisitor(browser, link)
  await expect(stranger.getByRole('main').getByRole('img')).toHaveCount(0)
  await stranger.getByLabel('Password').fill('sandcastle')
  await stranger.keyboard.press('Enter')
  await expect(stranger.getByRole('main').getByRole('img')).toHaveCount(2)

  await test.step('it is in the list of links, where it is revoked', async () => {
    await page.keyboard.press('Escape')
    await page.goto('/links')
    await expect(listed(page)).toHaveCount(1)
    await page.getByRole('button', { name: 'Revoke the link to' }).click()
    await expect(listed(page).getByText('Revoked')).toBeVisible()
    expect((await stranger.goto(link))?.status()).toBe(404)
  })

  await test.step('undone, it can be opened again', async () => {
    await page.getByRole('region', { name: 'Undo' }).getByRole('button', { name: 'Undo' }).click()
    await expect(listed(page).getByText('Open', { exact: true })).toBeVisible()
    expect((await stranger.goto(link))?.status()).toBe(200)
  })
  await close()
})

test('the link to one image is not the one there is to several, though the others are in the trash', async ({
  page,
  browser,
}) => {
  const token = await openGallery(page)
  const headers = { authorization: `Bearer ${token}` }
  const images = (await (await page.request.get('/api/images', { headers })).json()) as {
    id: string
    original_name: string
  }[]
  const data = { images: images.map(({ id }) => id) }
  expect((await page.request.post('/api/links', { headers, data })).status()).toBe(201)
  const others = { ids: images.filter((image) => image.original_name !== 'one.jpg').map(({ id }) => id) }
  expect((await page.request.post('/api/trash', { headers, data: others })).status()).toBe(200)
  await page.reload()
  await expect(tile(page, /^two\.jpg/)).toHaveCount(0)

  await tile(page, /^one\.jpg/).hover()
  await page.getByRole('checkbox', { name: 'Select one.jpg' }).click()
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Share' }).click()
  await sheet(page).getByRole('button', { name: 'Copy link' }).click()
  await expect(toast(page, 'Link copied')).toBeVisible()
  expect((await page.request.post('/api/trash/restore', { headers, data: others })).status()).toBe(200)
  const { stranger, close } = await newVisitor(browser, await clipboard(page))
  await expect(stranger.getByRole('main').getByRole('img')).toHaveCount(1)
  await close()
})

test('a link is made once, changed, filtered and deleted', async ({ page, browser }) => {
  await openGallery(page)
  await shareSelection(page, 'one.jpg', 'two.jpg', 'three.jpg')
  const copyLink = sheet(page).getByRole('button', { name: 'Copy link' })
  await copyLink.click()
  await expect(toast(page, 'Link copied')).toBeVisible()
  const link = await clipboard(page)
  await expect(sheet(page).getByRole('link', { name: /\/l\// })).toHaveAttribute('href', link)

  await test.step('opened again, the sheet copies the same link', async () => {
    await page.keyboard.press('Escape')
    await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Share' }).click()
    await page.evaluate(() => navigator.clipboard.writeText(''))
    await copyLink.click()
    await expect.poll(() => clipboard(page)).toBe(link)
    await expect(sheet(page).getByRole('listitem')).toHaveCount(1)
  })

  await test.step('a limit says that public images are not limited, and makes them private', async () => {
    await sheet(page).getByRole('switch', { name: 'Download originals' }).click()
    await expect(sheet(page).getByText('Visitors get at most 1,600 pixels')).toBeVisible()
    await expect(sheet(page).getByText('3 of the images are public')).toBeVisible()
    await sheet(page).getByRole('button', { name: 'Make them private' }).click()
    await expect(toast(page, '3 images are private now')).toBeVisible()
    await expect(sheet(page).getByText('of the images are public')).toHaveCount(0)
    await expect(copyLink).toBeFocused()
  })

  await test.step('a wrong option is named at its field, and no link is made', async () => {
    await sheet(page).getByLabel('Views').fill('many')
    await copyLink.click()
    await expect(sheet(page).getByText('A whole number from 1 to 1,000,000')).toBeVisible()
    await expect(sheet(page).getByRole('listitem')).toHaveCount(1)
  })

  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /Account/ }).click()
  await page.getByRole('navigation', { name: 'Account menu' }).getByRole('link', { name: 'Links' }).click()

  await test.step('it gets a name, an address of its own and a number of views', async () => {
    await page.getByRole('button', { name: 'Edit the link to' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit link' })
    await dialog.getByLabel('Views').fill('1')
    await dialog.getByRole('button', { name: 'More' }).click()
    await dialog.getByLabel('Name').fill('For the club')
    const address = `club-${crypto.randomUUID().slice(0, 8)}`
    await dialog.getByLabel('Own address').fill(address)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(toast(page, 'The link was changed')).toBeVisible()
    await expect(listed(page)).toContainText('For the club')
    await expect(listed(page)).toContainText('1 view left')
    const first = await newVisitor(browser, new URL(`/l/${address}`, link).href)
    expect(first.status).toBe(200)
    await first.close()
    const second = await newVisitor(browser, new URL(`/l/${address}`, link).href)
    expect(second.status).toBe(404)
    await second.close()
  })

  await test.step('the list is filtered by state', async () => {
    await page.reload()
    await expect(listed(page).getByText('Ended')).toBeVisible()
    await page.getByLabel('State').selectOption('Open')
    await expect(page.getByText('No link in this state')).toBeVisible()
    await page.getByRole('button', { name: 'Show all links' }).click()
    await expect(listed(page)).toHaveCount(1)
  })

  await test.step('deleted, it is gone', async () => {
    await page.getByRole('button', { name: 'Delete the link to For the club' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText('No links yet')).toBeVisible()
  })
})

test('a link that shows nothing of an album says so where it is made, and in the list', async ({ page, browser }) => {
  const token = await logIn(page)
  const headers = { authorization: `Bearer ${token}` }
  const ids = [await uploadFor(page, token, 'one.jpg', '365d'), await uploadFor(page, token, 'two.jpg', '365d')]
  await page.request.post('/api/images/visibility', { headers, data: { ids, visibility: 'private' } })
  const data = { title: 'Italy', images: ids }
  const { id } = (await (await page.request.post('/api/albums', { headers, data })).json()) as { id: string }
  await page.goto(`/albums/${id}`)
  await page.getByRole('main').getByRole('button', { name: 'Share' }).first().click()
  await sheet(page).getByRole('switch', { name: 'Show private images' }).click()
  await sheet(page).getByRole('button', { name: 'Copy link' }).click()
  await expect(sheet(page).getByText('Visitors see no image: those of the album are private')).toBeVisible()
  const link = await clipboard(page)
  await expect(sheet(page).getByRole('listitem')).toContainText('No visible image')

  await sheet(page).getByRole('button', { name: 'Show private images' }).click()
  await expect(sheet(page).getByText('Visitors see no image')).toHaveCount(0)
  await expect(sheet(page).getByRole('button', { name: 'Copy link' })).toBeFocused()
  await expect(sheet(page).getByRole('switch', { name: 'Show private images' })).toBeChecked()
  await expect(sheet(page).getByRole('listitem')).not.toContainText('No visible image')
  const visitor = await newVisitor(browser, link)
  await expect(visitor.stranger.getByRole('heading', { name: 'Italy' })).toBeVisible()
  await expect(visitor.stranger.getByText('2 images')).toBeVisible()
  await visitor.close()
  await expect(sheet(page).getByRole('link', { name: /\/l\// })).toHaveAttribute('href', link)
})

test('images of an album that are all private already are said to be', async ({ page }) => {
  const token = await logIn(page)
  const headers = { authorization: `Bearer ${token}` }
  const ids = [await uploadFor(page, token, 'one.jpg', '365d')]
  await page.request.post('/api/images/visibility', { headers, data: { ids, visibility: 'private' } })
  const data = { title: 'Italy', images: ids }
  const { id } = (await (await page.request.post('/api/albums', { headers, data })).json()) as { id: string }
  await page.goto(`/albums/${id}`)
  await page.getByRole('main').getByRole('button', { name: 'Share' }).first().click()
  await sheet(page).getByRole('switch', { name: 'Download originals' }).click()
  await sheet(page).getByRole('button', { name: 'Make them private' }).click()
  await expect(toast(page, 'None of your images is public')).toBeVisible()
  await expect(sheet(page).getByRole('button', { name: 'Copy link' })).toBeFocused()
})

test('more images than a link names are shared as an album', async ({ page, baseURL }) => {
  test.setTimeout(60_000)
  const token = await logIn(page)
  const bytes = await png(60, 40)
  const inTurns = Array.from({ length: 3 }, async (_, turn) => {
    for (let at = 0; at < 67; at++) await uploadTo(baseURL!, { token, name: `shot ${turn}-${at}.png`, bytes })
  })
  await Promise.all(inTurns)
  await page.goto('/dashboard')
  await page.getByRole('main').getByRole('link', { name: /^shot/ }).first().focus()
  await page.keyboard.press('ControlOrMeta+a')
  const selection = page.getByRole('region', { name: 'Selection' })
  await expect(selection.getByText('201 selected')).toBeVisible()
  await selection.getByRole('button', { name: 'Share' }).click()
  await expect(sheet(page).getByText('A link shows up to 200 selected images')).toBeVisible()
  await sheet(page).getByRole('button', { name: 'Add to album' }).click()
  await expect(page.getByRole('dialog', { name: 'Add 201 images to album' })).toBeVisible()
  await page.getByRole('textbox', { name: 'Find or name an album' }).fill('All of them')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Open album' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'All of them' })).toBeVisible()
  await page.getByRole('button', { name: 'Share' }).first().click()
  await sheet(page).getByRole('button', { name: 'Copy link' }).click()
  await expect(toast(page, 'Link copied')).toBeVisible()
  expect((await fetch(await clipboard(page))).status).toBe(200)
})
