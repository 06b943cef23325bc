// Journeys of a visitor without an account who uploads several files at once.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { png } from './e2e-images.ts'
import { expect, test } from './test.ts'
import { drop, pick, toast, transferOf, zone } from './upload.ts'

const uploads = '**/api/upload'
const heading = (page: Page) => zone(page).getByRole('heading')
const recent = (page: Page) => page.getByRole('region', { name: 'Recent uploads' })
const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

/** How many unfinished uploads the browser has stored. */
const stored = (page: Page) =>
  page.evaluate(async () => {
    const name = 'image-host-uploads'
    if (!(await indexedDB.databases()).some((database) => database.name === name)) return 0
    const resultOf = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve) => (request.onsuccess = () => resolve(request.result)))
    const database = await resultOf(indexedDB.open(name))
    const count = await resultOf(database.transaction('uploads').objectStore('uploads').count())
    database.close()
    return count
  })

const pngs = (count: number) =>
  Promise.all(
    Array.from({ length: count }, async (_, at) => ({
      name: `photo${at + 1}.png`,
      mimeType: 'image/png',
      buffer: await png(60 + at, 40),
    })),
  )

test.beforeEach(async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/', { waitUntil: 'networkidle' })
})

test('a guest drops three files, copies the Markdown of all and takes them into a new account', async ({ page }) => {
  const files = await transferOf(page, await pngs(3))
  await zone(page).dispatchEvent('dragenter', { dataTransfer: files })
  await expect(zone(page)).toHaveText('Drop to upload')
  await zone(page).dispatchEvent('drop', { dataTransfer: files })
  await expect(heading(page)).toHaveText('3 images uploaded')

  await zone(page).locator('label', { hasText: 'Markdown' }).click()
  await zone(page).getByRole('button', { name: 'Copy all' }).click()
  await expect(toast(page, '3 images copied as Markdown')).toBeVisible()
  const markdown = await clipboard(page)
  expect(markdown.split('\n')).toEqual([1, 2, 3].map((at) => expect.stringMatching(`^!\\[photo${at}\\]\\(http`)))

  await test.step('a reload lists the batch together, with the format that was used last', async () => {
    await page.reload()
    await expect(recent(page).getByRole('heading', { name: '3 images uploaded together' })).toBeVisible()
    await expect(recent(page).getByRole('listitem')).toHaveCount(3)
    await page.evaluate(() => navigator.clipboard.writeText(''))
    await recent(page).getByRole('button', { name: 'Copy all' }).click()
    await expect.poll(() => clipboard(page)).toBe(markdown)
    await expect(page.getByRole('button', { name: 'Choose image' })).toBeVisible()
  })

  await test.step('the whole batch moves into a new account', async () => {
    const email = `user-${crypto.randomUUID()}@example.com`
    await page.goto('/register')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill('a new user')
    await page.getByRole('main').getByRole('button', { name: 'Register' }).click()
    await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible()
    await page.getByLabel('Password', { exact: true }).fill('a new user')
    await page.getByRole('main').getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('button', { name: 'Move them' }).click()
    await expect(toast(page, '3 images moved into your account')).toBeVisible()
    const images = await page.evaluate(async () => {
      const headers = { authorization: `Bearer ${localStorage.getItem('token')}` }
      return (await (await fetch('/api/images', { headers })).json()) as { original_name: string }[]
    })
    expect(images.map(({ original_name }) => original_name).toSorted()).toEqual([
      'photo1.png',
      'photo2.png',
      'photo3.png',
    ])
    expect(await page.evaluate(() => localStorage.getItem('guest_images'))).toBe('[]')
  })
})

test('a row of a batch is copied and shared by itself, and an only image as after a single upload', async ({
  page,
}) => {
  await pick(page, ...(await pngs(2)))
  const row = zone(page).getByRole('group', { name: 'Actions for photo2.png' })
  await row.getByRole('button', { name: 'Copy URL' }).click()
  await expect(toast(page, 'URL copied to clipboard!')).toBeVisible()
  expect(await clipboard(page)).toMatch(/^http.*\/photo2-[\w-]{22}\.png$/)
  await row.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitemradio', { name: 'Markdown' }).click()
  await expect.poll(() => clipboard(page)).toMatch(/^!\[photo2\]\(http/)
  await expect(row.getByRole('button', { name: 'Copy Markdown' })).toBeVisible()

  await row.getByRole('button', { name: 'Share' }).click()
  const sheet = page.getByRole('dialog', { name: 'Share' })
  await expect(sheet.getByRole('textbox', { name: 'Title' })).toBeFocused()
  await page.keyboard.type('Boats')
  await page.keyboard.press('Enter')
  await expect(sheet.getByText('Saved')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(row.getByRole('button', { name: 'Share' })).toBeFocused()
  await row.getByRole('button', { name: 'Copy Markdown' }).click()
  await expect.poll(() => clipboard(page)).toMatch(/^!\[Boats\]\(http/)

  await zone(page).getByRole('button', { name: 'Upload more' }).click()
  await drop(page, ...(await pngs(1)), { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('words') })
  await expect(heading(page)).toHaveText('1 image uploaded')
  await expect(zone(page).getByRole('button', { name: 'Copy all' })).toHaveCount(0)
  await expect(zone(page).getByRole('button', { name: 'Copy Markdown' })).toHaveCount(2)
  await expect(zone(page).getByText('Share', { exact: true })).toBeVisible()
})

test('more files than allowed are not uploaded until the guest takes the first 50', async ({ page }) => {
  const sent: string[] = []
  await page.route(uploads, (route) => void sent.push(route.request().url()))
  await drop(page, ...(await pngs(51)))
  await expect(heading(page)).toHaveText('Too many files')
  await expect(zone(page)).toContainText('Up to 50 at once without an account, and these are 51.')
  await expect(page.getByRole('region', { name: 'Messages' }).getByRole('alert')).toHaveCount(0)
  expect(sent).toEqual([])
  await zone(page).getByRole('button', { name: 'Take the first 50' }).click()
  await expect(heading(page)).toHaveText('Uploading 1 of 50')
  await expect.poll(() => sent.length).toBe(2)
  await zone(page).getByRole('button', { name: 'Cancel all' }).click()
  await expect(page.getByRole('button', { name: 'Choose image' })).toBeVisible()
})

test('a dropped folder is uploaded, and its other files are named and left out', async ({ page }) => {
  const folder = await mkdtemp(join(tmpdir(), 'image-host-folder-'))
  await mkdir(join(folder, 'deeper'))
  await writeFile(join(folder, 'one.png'), await png(80, 60))
  await writeFile(join(folder, 'deeper', 'two.png'), await png(90, 60))
  await writeFile(join(folder, 'notes.txt'), 'words')
  await writeFile(join(folder, '.DS_Store'), 'clutter')
  const box = (await zone(page).boundingBox())!
  const devTools = await page.context().newCDPSession(page)
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await devTools.send('Input.dispatchDragEvent', {
      type,
      x: box.x + box.width / 2,
      y: box.y + box.height / 2,
      data: { items: [], files: [folder], dragOperationsMask: 1 },
    })
  await expect(heading(page)).toHaveText('2 images uploaded')
  await expect(zone(page)).toContainText('Left out: notes.txt. File type must be PNG, JPG, JPEG or WebP')
  await expect(zone(page).getByRole('listitem')).toHaveCount(2)
  await zone(page).getByRole('button', { name: 'Upload more' }).click()
  await expect(page.getByRole('button', { name: 'Choose image' })).toBeVisible()
  await rm(folder, { recursive: true })
})

test.describe('without a connection', () => {
  // The browser may ask for the icon of the page meanwhile.
  test.use({ expectedConsole: [/net::ERR_INTERNET_DISCONNECTED/] })

  test('a batch waits for the connection and continues by itself', async ({ page, context }) => {
    // Waits until the scripts of a batch have loaded.
    await pick(page, ...(await pngs(2)))
    await expect(heading(page)).toHaveText('2 images uploaded')
    await context.setOffline(true)
    await drop(page, ...(await pngs(4)).slice(2))
    await expect(zone(page)).toContainText('You are offline. Uploads continue when the connection is back.')
    await context.setOffline(false)
    await expect(heading(page)).toHaveText('2 images uploaded')
    await expect(recent(page).getByRole('listitem')).toHaveCount(4)
  })

  test('files that are dropped offline are taken once the connection is back', async ({ page, context }) => {
    await context.setOffline(true)
    await drop(page, ...(await pngs(2)))
    await expect(zone(page)).toContainText('Waiting for the connection')
    await context.setOffline(false)
    await expect(heading(page)).toHaveText('2 images uploaded')
  })
})

test('a reload in the middle of a batch continues it, as one batch', async ({ page }) => {
  page.on('dialog', (dialog) => dialog.accept())
  let passed = 0
  let isHeld = true
  await page.route(uploads, async (route) => {
    // The first hangs, the second arrives.
    if (!isHeld || passed++ === 1) await route.continue()
  })
  await pick(page, ...(await pngs(4)))
  await expect(heading(page)).toHaveText('Uploading 2 of 4')
  await expect.poll(() => passed).toBeGreaterThan(2)
  await expect.poll(() => stored(page)).toBe(3)
  isHeld = false
  await page.reload()
  await expect(heading(page)).toHaveText('4 images uploaded')
  const names = (await zone(page).getByRole('listitem').allTextContents()).map((text) => /photo\d/.exec(text)?.[0])
  expect(names, 'in the order in which they were chosen').toEqual(['photo1', 'photo2', 'photo3', 'photo4'])
  await expect(zone(page).getByRole('button', { name: 'Copy all' })).toBeVisible()
  await expect(recent(page).getByRole('heading', { name: '4 images uploaded together' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Choose image' })).toBeVisible()
})

test.describe('what a batch has left out', () => {
  test.use({ expectedConsole: [/status of 415/] })

  test('is still named after a reload, and not when all is over', async ({ page }) => {
    page.on('dialog', (dialog) => dialog.accept())
    let isHeld = true
    let passed = 0
    await page.route(uploads, async (route) => {
      if (!isHeld || passed++ === 0) await route.continue()
    })
    const broken = { name: 'broken.png', mimeType: 'image/png', buffer: Buffer.from('no image at all') }
    const text = { name: 'photo.heic', mimeType: 'image/heic', buffer: Buffer.from('words') }
    const [one, two] = await pngs(2)
    await drop(page, broken, text, one!, two!)
    await expect(zone(page).getByText('This file is something else.')).toBeVisible()
    await expect.poll(() => stored(page)).toBe(4)
    isHeld = false
    await page.reload()
    await expect(heading(page)).toHaveText('2 of 3 uploaded')
    await expect(zone(page)).toContainText('Left out: photo.heic. File type must be PNG, JPG, JPEG or WebP')
    await expect(zone(page).getByRole('listitem').filter({ hasText: 'broken.png' })).toContainText(
      'This file is something else.',
    )
    await expect.poll(() => stored(page)).toBe(0)
    await page.reload()
    await expect(page.getByRole('button', { name: 'Choose image' })).toBeVisible()
    await expect(zone(page)).not.toContainText('photo.heic')
  })
})

test('a second tab leaves a batch to the first', async ({ page, context }) => {
  page.on('dialog', (dialog) => dialog.accept())
  let isHeld = true
  await page.route(uploads, async (route) => {
    if (!isHeld) await route.continue()
  })
  await pick(page, ...(await pngs(4)))
  await expect(heading(page)).toHaveText('Uploading 1 of 4')
  await expect.poll(() => stored(page)).toBe(4)
  await page.reload()
  await expect(heading(page)).toHaveText('Uploading 1 of 4')

  const other = await context.newPage()
  // It has looked for a batch without a tab by then.
  await other.goto('/', { waitUntil: 'networkidle' })
  await expect(other.getByRole('button', { name: 'Choose image' })).toBeVisible()
  isHeld = false
  await page.reload()
  await expect(heading(page)).toHaveText('4 images uploaded')
  await expect(recent(page).getByRole('heading', { name: '4 images uploaded together' })).toBeVisible()
  await other.close()
})

test.describe('what the server refuses', () => {
  test.use({ expectedConsole: [/status of (415|429|500)/] })

  test('a broken file is told from a lost connection, and another one can be chosen', async ({ page }) => {
    await pick(page, { name: 'broken.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no image at all') })
    const refusal = /^File type must be PNG, JPG/
    await expect(page.getByRole('alert').filter({ hasText: refusal })).toBeVisible()
    await expect(zone(page).getByText(refusal)).toContainText('This file is something else.')
    await expect(zone(page).getByRole('button')).toHaveText(['Choose another'])
    const dialog = page.waitForEvent('filechooser')
    await zone(page).getByRole('button', { name: 'Choose another' }).click()
    await (await dialog).setFiles(await pngs(2))
    await expect(heading(page)).toHaveText('2 images uploaded')
  })

  test('a broken file of a batch says so, and the others are uploaded', async ({ page }) => {
    const broken = { name: 'broken.png', mimeType: 'image/png', buffer: Buffer.from('no image at all') }
    await drop(page, broken, ...(await pngs(2)))
    await expect(heading(page)).toHaveText('2 of 3 uploaded')
    await expect(zone(page).getByRole('listitem').filter({ hasText: 'broken.png' })).toContainText(
      'This file is something else.',
    )
    await expect(zone(page).getByRole('button', { name: /^Try/ })).toHaveCount(0)
    await expect(zone(page).getByRole('button', { name: 'Copy all' })).toBeVisible()
  })

  test('a batch waits for the next uploads of the hour, with an explanation', async ({ page }) => {
    let asked = 0
    const json = { error: 'Too many requests', code: 'too_many_requests' }
    await page.route(uploads, (route) =>
      ++asked === 3 ? route.fulfill({ status: 429, headers: { 'retry-after': '900' }, json }) : route.continue(),
    )
    await pick(page, ...(await pngs(5)))
    await expect(zone(page)).toContainText(
      /Waiting until \d+:\d\d [AP]M: upload limit reached\. It continues by itself\. Keep this page open\./,
    )
    expect(asked).toBeLessThanOrEqual(4)
    await expect(page.getByRole('region', { name: 'Messages' }).getByRole('alert')).toHaveCount(0)
  })
})
