// Albums: made from a selection, put in order by mouse and keyboard, with a way back from each change.
import type { Page, Route } from '@playwright/test'
import { uploadTo } from './api-calls.ts'
import { png } from './e2e-images.ts'
import { logIn } from './log-in.ts'
import { expect, test } from './test.ts'
import { drop, keysAreHeard, toast } from './upload.ts'

const main = (page: Page) => page.getByRole('main')
const tiles = (page: Page) => main(page).locator('li[aria-setsize]').getByRole('link')
const tile = (page: Page, name: string) => main(page).getByRole('link', { name: new RegExp(`^${name}, `) })
const undoBar = (page: Page) => page.getByRole('region', { name: 'Undo' })
const selection = (page: Page) => page.getByRole('region', { name: 'Selection' })
const title = (page: Page, text: string) => page.getByRole('heading', { level: 1, name: text })
const albumTile = (page: Page, name: string) => main(page).getByRole('link', { name: new RegExp(`^${name}, `) })

async function upload(page: Page, token: string, names: readonly string[]): Promise<string[]> {
  const ids: string[] = []
  for (const name of names) {
    const image = { name, mimeType: 'image/png', buffer: await png() }
    const headers = { authorization: `Bearer ${token}` }
    const answer = await page.request.post('/api/upload', { headers, multipart: { image } })
    expect(answer.status()).toBe(201)
    ids.push(((await answer.json()) as { id: string }).id)
  }
  return ids
}

/** A new user with an album. @returns what asks the API for the names in it, in their order */
async function openAlbum(page: Page, names: readonly string[]) {
  const token = await logIn(page)
  const headers = { authorization: `Bearer ${token}` }
  const images = await upload(page, token, names)
  const data = { title: 'Italy', ...(images.length > 0 && { images }) }
  const { id } = (await (await page.request.post('/api/albums', { headers, data })).json()) as { id: string }
  const order = async () => {
    const listed = await page.request.get(`/api/albums/${id}/images`, { headers })
    return ((await listed.json()) as { original_name: string }[]).map((image) =>
      image.original_name.replace('.png', ''),
    )
  }
  await page.goto(`/albums/${id}`)
  await expect(title(page, 'Italy')).toBeVisible()
  await expect(tiles(page)).toHaveCount(names.length)
  return { id, token, headers, order }
}

const shown = async (page: Page) =>
  (await tiles(page).allTextContents()).map((text) => /(\w+)\.png/.exec(text)?.[1] ?? text)

test('an album is made from a selection in three steps, and opens from the offer to undo it', async ({ page }) => {
  const token = await logIn(page)
  await upload(page, token, ['one.png', 'two.png', 'three.png'])
  await page.goto('/dashboard')
  await tile(page, 'one.png').focus()
  await page.keyboard.press('x')
  await tile(page, 'two.png').focus()
  await page.keyboard.press('x')
  await selection(page).getByRole('button', { name: 'Add to album' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add 2 images to album' })
  await dialog.getByRole('textbox', { name: 'Find or name an album' }).fill('Italy')
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(undoBar(page)).toContainText('2 images added to Italy')
  await undoBar(page).getByRole('link', { name: 'Open album' }).click()
  await expect(title(page, 'Italy')).toBeVisible()
  await expect(tiles(page)).toHaveCount(2)
  await page.getByRole('navigation', { name: 'Where this album is' }).getByRole('link', { name: 'Albums' }).click()
  await expect(albumTile(page, 'Italy')).toHaveAccessibleName('Italy, 2 images')
})

test('images go into several albums at once, and undo takes them out again', async ({ page }) => {
  const { headers, order, token } = await openAlbum(page, ['one.png'])
  await page.request.post('/api/albums', { headers, data: { title: 'Best of' } })
  await upload(page, token, ['two.png'])
  await page.goto('/dashboard')
  await tile(page, 'two.png').focus()
  await page.keyboard.press('b')
  const dialog = page.getByRole('dialog', { name: 'Add to album' })
  await expect(dialog.getByRole('checkbox', { name: 'Italy' })).toBeVisible()
  const field = dialog.getByRole('textbox')
  await field.fill('ital')
  await field.press('Enter')
  await expect(dialog.getByRole('checkbox', { name: 'Italy' })).toBeChecked()
  await dialog.getByRole('checkbox', { name: 'Best of' }).check()
  await dialog.getByRole('button', { name: 'Add to 2 albums' }).click()
  await expect(undoBar(page)).toContainText('1 image added to 2 albums')
  await expect.poll(order).toEqual(['one', 'two'])
  await page.keyboard.press('ControlOrMeta+z')
  await expect(toast(page, 'The album is as it was')).toBeVisible()
  await expect.poll(order).toEqual(['one'])
})

test('keys are those of the next page when the dialog has not come before it', async ({ page }) => {
  const { token } = await openAlbum(page, ['one.png'])
  await upload(page, token, ['two.png'])
  await page.route('**/assets/add-to-album-dialog-*.js', () => {})
  await page.goto('/dashboard')
  await tile(page, 'two.png').focus()
  await page.keyboard.press('b')
  await page.getByRole('banner').getByRole('link', { name: 'Albums' }).click()
  await main(page).getByRole('button', { name: 'New album' }).first().click()
  const field = page.getByRole('dialog', { name: 'New album' }).getByRole('textbox', { name: 'Title' })
  await expect(field).toBeFocused()
  await page.keyboard.type('Spain')
  await expect(field).toHaveValue('Spain')
})

test('pressing Enter twice makes one album', async ({ page }) => {
  const { token, headers } = await openAlbum(page, [])
  await upload(page, token, ['two.png'])
  await page.goto('/dashboard')
  await tile(page, 'two.png').focus()
  await page.keyboard.press('b')
  const dialog = page.getByRole('dialog', { name: 'Add to album' })
  await expect(dialog.getByText('Italy')).toBeVisible()
  await page.route('**/api/albums', async (route) => {
    if (route.request().method() === 'POST') await new Promise((resolve) => setTimeout(resolve, 300))
    await route.continue()
  })
  await dialog.getByRole('textbox').fill('Spain')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await expect(undoBar(page)).toContainText('1 image added to Spain')
  await page.unroute('**/api/albums')
  const albums = (await (await page.request.get('/api/albums', { headers })).json()) as { title: string }[]
  expect(albums.map(({ title }) => title).toSorted()).toEqual(['Italy', 'Spain'])
})

test('a name typed before the dialog and the albums are there is kept, with its Enter', async ({ page }) => {
  const { headers, order, token } = await openAlbum(page, ['one.png'])
  const [id = ''] = await upload(page, token, ['two.png'])
  const waiting: (() => void)[] = []
  const hold = async (route: Route) => {
    if (route.request().method() === 'GET') await new Promise<void>((resolve) => waiting.push(resolve))
    await route.continue()
  }
  const go = () => waiting.splice(0).forEach((resolve) => resolve())
  await page.route('**/assets/add-to-album-dialog-*.js', hold)
  await page.route('**/api/albums', hold)
  await page.goto('/dashboard')
  await tile(page, 'two.png').focus()
  await page.keyboard.press('b')
  // Letters of these are shortcuts of the page.
  await page.keyboard.type('ital')
  await expect.poll(() => waiting.length).toBe(1)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  go()
  const dialog = page.getByRole('dialog', { name: 'Add to album' })
  await expect(dialog.getByRole('textbox')).toHaveValue('ital')
  await page.keyboard.press('Enter')
  await expect.poll(() => waiting.length).toBe(1)
  go()
  await expect(dialog.getByRole('checkbox', { name: 'Italy' })).toBeChecked()
  await page.keyboard.press('Enter')
  await expect(undoBar(page)).toContainText('1 image added to Italy')
  expect(await order()).toEqual(['one', 'two'])

  await test.step('a new album is made by an Enter that came first', async () => {
    await page.unroute('**/assets/add-to-album-dialog-*.js')
    await page.reload()
    await tile(page, 'two.png').focus()
    await page.keyboard.press('b')
    await page.keyboard.type('Spain')
    await page.keyboard.press('Enter')
    await expect.poll(() => waiting.length).toBe(1)
    go()
    await expect(undoBar(page)).toContainText('1 image added to Spain')
    const albums = await (await page.request.get('/api/albums', { headers })).json()
    expect(albums.map((album: { title: string; images: number }) => [album.title, album.images])).toContainEqual([
      'Spain',
      1,
    ])
  })
  expect((await page.request.get(`/api/images/${id}`, { headers })).status(), 'no letter was a shortcut').toBe(200)
})

test.describe('when adding to the second album fails', () => {
  test.use({ expectedConsole: [/status of 500/] })

  test('the new album is there once, also after another try', async ({ page }) => {
    const { id, headers, order, token } = await openAlbum(page, ['one.png'])
    await upload(page, token, ['two.png'])
    await page.goto('/dashboard')
    await tile(page, 'two.png').focus()
    await page.keyboard.press('b')
    const dialog = page.getByRole('dialog', { name: 'Add to album' })
    await dialog.getByRole('checkbox', { name: 'Italy' }).check()
    await dialog.getByRole('textbox').fill('Spain')
    await dialog.getByRole('textbox').press('Enter')
    const failing = `**/api/albums/${id}/images`
    await page.route(failing, (route) => route.fulfill({ status: 500, json: { error: 'broken' } }))
    await dialog.getByRole('button', { name: 'Add to 2 albums' }).click()
    await expect(dialog.getByRole('alert')).toBeVisible()
    await expect(dialog.getByRole('checkbox', { name: 'Spain' })).toBeChecked()
    await page.unroute(failing)
    await dialog.getByRole('button', { name: 'Add to 2 albums' }).click()
    await expect(dialog).toHaveCount(0)
    await expect.poll(order).toEqual(['one', 'two'])
    const albums = await (await page.request.get('/api/albums', { headers })).json()
    expect(albums.map((album: { title: string }) => album.title).toSorted()).toEqual(['Italy', 'Spain'])
  })
})

test('images are put in order by keyboard, which is announced, and undone', async ({ page }) => {
  const { order } = await openAlbum(page, ['a.png', 'b.png', 'c.png', 'd.png'])
  // Moves of an image within half a second are saved as one.
  let saved = 0
  page.on('request', (request) => (saved += Number(request.method() === 'PATCH')))
  await tile(page, 'a.png').focus()
  await page.keyboard.press('Alt+ArrowRight')
  await expect(page.getByRole('status').filter({ hasText: 'Moved to 2 of 4' })).toBeAttached()
  await expect(tile(page, 'a.png')).toBeFocused()
  await page.keyboard.press('Alt+ArrowRight')
  await expect(tile(page, 'a.png')).toBeFocused()
  expect(await shown(page)).toEqual(['b', 'c', 'a', 'd'])
  await expect.poll(order).toEqual(['b', 'c', 'a', 'd'])
  await page.keyboard.press('Alt+End')
  await expect.poll(order).toEqual(['b', 'c', 'd', 'a'])
  await expect(undoBar(page)).toContainText('1 image moved')
  // Each press waits for the one before it to be undone.
  for (let n = saved; n > 0; n--) await page.keyboard.press('ControlOrMeta+z')
  await expect.poll(order).toEqual(['a', 'b', 'c', 'd'])
  await expect.poll(() => shown(page)).toEqual(['a', 'b', 'c', 'd'])
})

test('selected images are dragged together, and a mark shows where they land', async ({ page }) => {
  const { order } = await openAlbum(page, ['a.png', 'b.png', 'c.png', 'd.png'])
  for (const name of ['a.png', 'c.png']) {
    await tile(page, name).focus()
    await page.keyboard.press('x')
  }
  const from = (await tile(page, 'a.png').boundingBox())!
  const to = (await tile(page, 'd.png').boundingBox())!
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
  await page.mouse.down()
  await page.mouse.move(to.x + to.width - 5, to.y + to.height / 2, { steps: 5 })
  await expect(page.locator('.order-mark')).toBeVisible()
  await expect(page.locator('.order-ghost')).toHaveText('2')
  await page.mouse.up()
  await expect(page.locator('.order-ghost')).toHaveCount(0)
  await expect.poll(order).toEqual(['b', 'd', 'a', 'c'])
  // The press at its start opens no image.
  await expect(page).not.toHaveURL(/image=/)
})

test('Escape puts back what is dragged', async ({ page }) => {
  const { order } = await openAlbum(page, ['a.png', 'b.png'])
  const from = (await tile(page, 'a.png').boundingBox())!
  const to = (await tile(page, 'b.png').boundingBox())!
  await page.mouse.move(from.x + 20, from.y + 60)
  await page.mouse.down()
  await page.mouse.move(to.x + to.width - 5, to.y + 60, { steps: 5 })
  await expect(page.locator('.order-mark')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.locator('.order-mark')).toHaveCount(0)
  await page.mouse.up()
  expect(await order()).toEqual(['a', 'b'])
})

test('an image is removed from the album, stays among the images, and returns to its place', async ({ page }) => {
  const { order } = await openAlbum(page, ['a.png', 'b.png', 'c.png'])
  await tile(page, 'b.png').focus()
  await page.keyboard.press('r')
  await expect(tiles(page)).toHaveCount(2)
  await expect(undoBar(page)).toContainText('1 image removed from Italy')
  await expect(main(page).getByText('2 images', { exact: true })).toBeVisible()
  await undoBar(page).getByRole('button', { name: 'Undo' }).click()
  await expect.poll(order).toEqual(['a', 'b', 'c'])
  await expect.poll(() => shown(page)).toEqual(['a', 'b', 'c'])
})

test('the album is sorted, renamed in place, and gets a cover', async ({ page }) => {
  const { order } = await openAlbum(page, ['b.png', 'c.png', 'a.png'])
  await page.getByRole('button', { name: 'Sort', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Name, A to Z' }).click()
  await expect.poll(order).toEqual(['a', 'b', 'c'])
  await expect.poll(() => shown(page)).toEqual(['a', 'b', 'c'])

  await page.getByRole('button', { name: /Rename Italy/ }).click()
  const field = page.getByRole('textbox', { name: 'Title of the album' })
  await field.fill('Not this')
  await field.press('Escape')
  await expect(title(page, 'Italy')).toBeVisible()
  await page.getByRole('button', { name: /Rename Italy/ }).click()
  await field.fill('Italy 2026')
  await field.press('Enter')
  await expect(title(page, 'Italy 2026')).toBeVisible()
  await expect(page.getByRole('button', { name: /Rename Italy 2026/ })).toBeFocused()

  await tile(page, 'c.png').focus()
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: 'Use as cover' }).click()
  await expect(undoBar(page)).toContainText('Cover changed')
})

test('albums are inside others, and deleting one moves them up', async ({ page }) => {
  await openAlbum(page, ['a.png'])
  await page.getByRole('button', { name: 'More for this album' }).click()
  await page.getByRole('menuitem', { name: 'New album inside' }).click()
  const form = page.getByRole('dialog', { name: 'New album in Italy' })
  await form.getByRole('textbox', { name: 'Title' }).fill('Rome')
  await page.keyboard.press('Enter')
  await expect(title(page, 'Rome')).toBeVisible()
  await expect(page.getByText('No images in this album yet')).toBeVisible()
  const path = page.getByRole('navigation', { name: 'Where this album is' })
  await expect(path.getByRole('link')).toHaveText(['Albums', 'Italy'])
  await path.getByRole('link', { name: 'Italy' }).click()
  await expect(albumTile(page, 'Rome')).toBeVisible()

  await page.getByRole('button', { name: 'More for this album' }).click()
  await page.getByRole('menuitem', { name: 'Delete album' }).click()
  const question = page.getByRole('alertdialog', { name: 'Delete the album Italy?' })
  await question.getByRole('button', { name: 'Delete album' }).click()
  await expect(title(page, 'Albums')).toBeVisible()
  await expect(albumTile(page, 'Rome')).toBeVisible()
  await expect(albumTile(page, 'Italy')).toHaveCount(0)
  await page.goto('/dashboard')
  await expect(tile(page, 'a.png')).toBeVisible()
})

test('an album can go with its images', async ({ page }) => {
  await openAlbum(page, ['a.png', 'b.png'])
  await page.getByRole('button', { name: 'More for this album' }).click()
  await page.getByRole('menuitem', { name: 'Delete album' }).click()
  const question = page.getByRole('alertdialog')
  await question.getByRole('checkbox', { name: 'Also delete its images' }).check()
  await question.getByRole('button', { name: 'Delete album' }).click()
  await expect(toast(page, 'Album and 2 images deleted')).toBeVisible()
  await page.goto('/dashboard?deleted')
  await expect(page.getByText('2 images', { exact: true })).toBeVisible()
})

test('a search becomes an album that follows it and has no order by hand', async ({ page }) => {
  const token = await logIn(page)
  await upload(page, token, ['sea.png', 'town.png'])
  await page.goto('/dashboard?q=sea')
  await expect(tiles(page)).toHaveCount(1)
  await page.getByRole('link', { name: 'Save this search as album' }).click()
  const form = page.getByRole('dialog', { name: 'Save this search as album' })
  await expect(form.getByRole('textbox', { name: 'Search' })).toHaveValue('sea')
  await form.getByRole('textbox', { name: 'Title' }).fill('By the sea')
  await page.keyboard.press('Enter')
  await expect(title(page, 'By the sea')).toBeVisible()
  await expect(main(page).getByText('Live', { exact: true })).toBeVisible()
  await expect(tiles(page)).toHaveCount(1)
  await expect(page.getByRole('button', { name: 'Sort', exact: true })).toHaveCount(0)
  await expect(page.getByRole('group', { name: 'Upload an image' })).toHaveCount(0)
  await upload(page, token, ['seaside.png'])
  await page.reload()
  await expect(tiles(page)).toHaveCount(2)
})

test('what is dropped on the page of an album goes into it', async ({ page }) => {
  const { order } = await openAlbum(page, [])
  const files = await Promise.all(
    ['x.png', 'y.png'].map(async (name) => ({ name, mimeType: 'image/png', buffer: await png() })),
  )
  await drop(page, ...files)
  await expect(tiles(page)).toHaveCount(2)
  await expect.poll(async () => (await order()).length).toBe(2)
  await drop(page, { name: 'z.png', mimeType: 'image/png', buffer: await png() })
  await expect(tiles(page)).toHaveCount(3)
  await expect(main(page).getByText('3 images', { exact: true })).toBeVisible()
})

test('what is dropped on the page of an album keeps its order, though a small file overtakes a large one', async ({
  page,
}) => {
  const { order } = await openAlbum(page, ['before.png'])
  let isFirstHeld = true
  let release = () => {}
  const othersAreIn = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/api/upload', async (route) => {
    if (isFirstHeld) {
      isFirstHeld = false
      await othersAreIn
    }
    await route.continue()
  })
  const names = ['a', 'b', 'c', 'd']
  const inOrder = ['before', ...names.map((name) => `${name}.webp`)]
  await drop(
    page,
    ...(await Promise.all(
      names.map(async (name, at) => ({ name: `${name}.png`, mimeType: 'image/png', buffer: await png(60 + at, 40) })),
    )),
  )
  await expect.poll(async () => (await order()).length, { timeout: 15_000 }).toBe(4)
  release()
  await expect.poll(order).toEqual(inOrder)
  await expect(tiles(page)).toHaveCount(5)
  for (const [at, name] of inOrder.entries())
    await expect(tiles(page).nth(at)).toHaveAccessibleName(new RegExp(`^${name}`))
})

test('two tabs with a long album do not have each other load it again', async ({ page, context, baseURL }) => {
  const { id, token, headers } = await openAlbum(page, [])
  const bytes = await Promise.all(Array.from({ length: 210 }, (_, at) => png(20 + (at % 15), 20 + Math.floor(at / 15))))
  const ids: string[] = []
  for (const image of bytes) {
    const sent = await uploadTo(baseURL!, { token, name: 'shot.png', bytes: image })
    ids.push(((await sent.json()) as { id: string }).id)
  }
  for (const part of [ids.slice(0, 200), ids.slice(200)])
    await page.request.post(`/api/albums/${id}/images`, { headers, data: { ids: part } })
  const other = await context.newPage()
  await page.reload()
  await other.goto(`/albums/${id}`)
  for (const tab of [page, other]) await expect(main(tab).getByText('210 images', { exact: true })).toBeVisible()
  await expect(tiles(other).first()).toBeVisible()
  const told = await hearTabs(page)
  await other.evaluate(() => scrollTo(0, document.body.scrollHeight))
  await expect(main(other).locator('li[aria-setsize="210"]').first()).toBeVisible()
  // What the tab has told the others comes before this.
  await other.evaluate(() => new BroadcastChannel('image-host').postMessage({ subject: 'end of the test' }))
  await expect.poll(() => told.at(-1)).toBe('end of the test')
  expect(told).toEqual(['end of the test'])
})

/** @returns what tabs tell each other from now on */
async function hearTabs(page: Page): Promise<string[]> {
  const told: string[] = []
  await page.exposeFunction('onTold', (subject: string) => told.push(subject))
  await page.evaluate(() => {
    const { onTold } = window as unknown as { onTold: (subject: string) => void }
    const channel = new BroadcastChannel('image-host')
    channel.onmessage = ({ data }: MessageEvent<{ subject: string }>) => onTold(data.subject)
    Object.assign(window, { channel })
  })
  return told
}

test('on a phone an image is dragged after a long press', async ({ browser }) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  const page = await context.newPage()
  const { order } = await openAlbum(page, ['a.png', 'b.png', 'c.png'])
  const from = (await tile(page, 'a.png').boundingBox())!
  const to = (await tile(page, 'c.png').boundingBox())!
  const touches = await context.newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x: number, y: number) =>
    touches.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y }] })
  const [x, y] = [from.x + from.width / 2, from.y + from.height / 2]
  await touch('touchStart', x, y)
  await expect(selection(page)).toBeVisible()
  await touch('touchMove', x + 12, y + 4)
  await touch('touchMove', to.x + to.width - 4, to.y + to.height / 2)
  await expect(page.locator('.order-mark')).toBeVisible()
  await touch('touchEnd', 0, 0)
  await expect.poll(order).toEqual(['b', 'c', 'a'])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await context.close()
})

test('there is a way to the albums from the header, the menu, the palette and the keyboard', async ({ page }) => {
  await logIn(page)
  await page.goto('/dashboard')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Albums' }).click()
  await expect(title(page, 'Albums')).toBeVisible()
  await expect(page.getByText('No albums yet')).toBeVisible()
  await page.goto('/dashboard')
  await keysAreHeard(page)
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('folder')
  await expect(page.getByRole('option', { name: 'Albums' }).first()).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('g')
  await page.keyboard.press('b')
  await expect(title(page, 'Albums')).toBeVisible()
})

test.describe('when the server refuses', () => {
  test.use({ expectedConsole: [/status of (403|500)/] })

  test('an order that cannot be saved is shown as it was, and why', async ({ page }) => {
    await openAlbum(page, ['a.png', 'b.png'])
    await page.route('**/api/albums/*/images', (route) =>
      route.request().method() === 'PATCH'
        ? route.fulfill({
            status: 403,
            json: { error: 'The owner of this album has not allowed you to do this', code: 'album_role' },
          })
        : route.fallback(),
    )
    await tile(page, 'a.png').focus()
    await page.keyboard.press('Alt+ArrowRight')
    expect(await shown(page)).toEqual(['b', 'a'])
    await expect(toast(page, 'The owner of this album has not allowed you to do this')).toBeVisible()
    await expect.poll(() => shown(page)).toEqual(['a', 'b'])
  })

  test('whether an album has images of members is not guessed before its list is loaded', async ({ page }) => {
    const { id } = await openAlbum(page, ['a.png'])
    const question = async () => {
      await page.getByRole('button', { name: 'More for this album' }).click()
      await page.getByRole('menuitem', { name: 'Delete album' }).click()
      return page.getByRole('alertdialog')
    }
    await expect(await question()).toContainText('1 image of yours goes to Recently deleted')
    await page.route(`**/api/albums/${id}/images*`, (route) => route.fulfill({ status: 500, json: {} }))
    await page.reload()
    await expect(await question()).toContainText('those of members stay with them')
  })

  test('an album that is gone says so, and a list that fails offers another attempt', async ({ page }) => {
    await logIn(page)
    await page.goto('/albums/w3Ft9bHxPzS6kCqJd2NmYg')
    await expect(page.getByText('There is no such album')).toBeVisible()
    await page.route('**/api/albums', (route) => route.fulfill({ status: 500, json: {} }))
    await page.goto('/albums')
    await expect(page.getByText('Your albums could not be loaded')).toBeVisible()
    await page.unroute('**/api/albums')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText('No albums yet')).toBeVisible()
  })
})
