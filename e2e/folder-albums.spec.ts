// Journeys of a logged-in user who uploads folders: each can be kept as an album.
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type { Album } from '../contract/endpoints/albums.ts'
import type { Image } from '../contract/endpoints/images.ts'
import { png } from './e2e-images.ts'
import { logIn } from './log-in.ts'
import { expect, test } from './test.ts'
import { zone } from './upload.ts'

const tray = (page: Page) => page.getByRole('region', { name: 'Uploads' })
const heading = (page: Page) => tray(page).getByRole('heading')
const choice = (page: Page, name: string) => tray(page).getByRole('checkbox', { name: `Keep as album “${name}”` })

let root = ''

test.beforeEach(async ({ page }) => {
  root = join(tmpdir(), `image-host-folders-${crypto.randomUUID()}`)
  await mkdir(join(root, 'Holiday', 'day 2'), { recursive: true })
  await writeFile(join(root, 'Holiday', 'one.png'), await png(300, 200))
  await writeFile(join(root, 'Holiday', 'two.png'), await png(301, 200))
  await writeFile(join(root, 'Holiday', 'day 2', 'three.png'), await png(302, 200))
  await writeFile(join(root, 'Holiday', 'notes.txt'), 'words')
  await logIn(page)
  await page.goto('/dashboard')
  await expect(page.getByText('No images yet.')).toBeVisible()
})
test.afterEach(() => rm(root, { recursive: true }))

/** Drops folders and files of the disk, as a file manager does. */
async function dropFrom(page: Page, ...paths: string[]): Promise<void> {
  const box = (await zone(page).boundingBox())!
  const devTools = await page.context().newCDPSession(page)
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await devTools.send('Input.dispatchDragEvent', {
      type,
      x: box.x + box.width / 2,
      y: box.y + box.height / 2,
      data: { items: [], files: paths.map((path) => join(root, path)), dragOperationsMask: 1 },
    })
}

/** By the page, with its login. */
const ask = <T>(page: Page, path: string): Promise<T> =>
  page.evaluate(async (from) => {
    const headers = { authorization: `Bearer ${localStorage.getItem('token')}` }
    return (await (await fetch(from, { headers })).json()) as T
  }, path)

const albumsOf = async (page: Page) =>
  (await ask<Album[]>(page, '/api/albums')).map(({ title, images }) => `${title}: ${images}`).toSorted()

test('a folder is kept as an album by one click, which the next click takes back', async ({ page }) => {
  await dropFrom(page, 'Holiday')
  await expect(heading(page)).toHaveText('3 images uploaded')
  await expect(choice(page, 'Holiday')).not.toBeChecked()
  expect(await albumsOf(page)).toEqual([])

  await choice(page, 'Holiday').check()
  const open = tray(page).getByRole('link', { name: 'Open the album “Holiday”' })
  await expect(open).toBeVisible()
  expect(await albumsOf(page)).toEqual(['Holiday: 3'])

  await choice(page, 'Holiday').uncheck()
  await expect.poll(() => albumsOf(page)).toEqual([])
  await expect(open).toHaveCount(0)
  expect(await ask<Image[]>(page, '/api/images')).toHaveLength(3)

  await choice(page, 'Holiday').check()
  await open.click()
  await expect(page.getByRole('heading', { level: 1, name: 'Holiday' })).toBeVisible()
  await expect(page.getByRole('main').getByText('3 images')).toBeVisible()
})

for (const way of ['dropped', 'chosen'])
  test(`a folder that is ${way} is uploaded in the order of a file manager`, async ({ page }) => {
    const names = Array.from({ length: 12 }, (_, at) => `Screenshot ${at + 1}.png`)
    await mkdir(join(root, 'Shots'))
    for (const [at, name] of names.toReversed().entries())
      await writeFile(join(root, 'Shots', name), await png(300 + at, 200))
    if (way === 'dropped') await dropFrom(page, 'Shots')
    else await page.locator('input[webkitdirectory]').first().setInputFiles(join(root, 'Shots'))
    await expect(heading(page)).toHaveText('12 images uploaded')
    const rows = tray(page).getByRole('listitem').filter({ hasText: 'Screenshot' })
    expect((await rows.allInnerTexts()).map((text) => text.split('\n')[0])).toEqual(names)
  })

test('the choice is remembered for few folders, and asked again for many', async ({ page }) => {
  await dropFrom(page, 'Holiday')
  await expect(heading(page)).toHaveText('3 images uploaded')
  await choice(page, 'Holiday').check()
  await expect.poll(() => albumsOf(page)).toEqual(['Holiday: 3'])

  const names = ['a', 'b', 'c', 'd']
  for (const [at, name] of names.entries()) {
    await mkdir(join(root, name))
    for (const part of [1, 2]) await writeFile(join(root, name, `${part}.png`), await png(320 + 2 * at + part, 200))
  }
  await dropFrom(page, 'a', 'b')
  await expect(heading(page)).toHaveText('4 images uploaded')
  await expect(choice(page, 'a')).toBeChecked()
  await expect.poll(() => albumsOf(page)).toEqual(['Holiday: 3', 'a: 2', 'b: 2'])

  await dropFrom(page, ...names)
  await expect(heading(page)).toHaveText('8 images uploaded')
  const all = tray(page).getByRole('checkbox', { name: 'Keep the 4 folders as albums' })
  await expect(all).not.toBeChecked()
  expect(await albumsOf(page)).toHaveLength(3)
  await all.check()
  await expect.poll(async () => (await albumsOf(page)).length).toBe(7)
})

for (const way of ['dropped', 'chosen'])
  test(`of a folder that contains only folders, and is ${way}, these become albums`, async ({ page }) => {
    for (const [at, name] of ['Shots/Games', 'Shots/Work'].entries()) {
      await mkdir(join(root, name), { recursive: true })
      for (const part of [1, 2]) await writeFile(join(root, name, `${part}.png`), await png(350 + 2 * at + part, 200))
    }
    await writeFile(join(root, 'Shots', 'list.txt'), 'words')
    if (way === 'dropped') await dropFrom(page, 'Shots')
    else await page.locator('input[webkitdirectory]').first().setInputFiles(join(root, 'Shots'))
    await expect(heading(page)).toHaveText('4 images uploaded')
    await choice(page, 'Games').check()
    await choice(page, 'Work').check()
    await expect.poll(() => albumsOf(page)).toEqual(['Games: 2', 'Work: 2'])
  })

test('a single image of a folder, and files without one, offer no album', async ({ page }) => {
  await mkdir(join(root, 'Alone'))
  await writeFile(join(root, 'Alone', 'only.png'), await png(340, 200))
  await writeFile(join(root, 'loose.png'), await png(341, 200))
  await dropFrom(page, 'Alone', 'loose.png')
  await expect(heading(page)).toHaveText('2 images uploaded')
  await expect(tray(page).getByRole('checkbox')).toHaveCount(0)
})

test('a reload in the middle puts all images of the folder into the album', async ({ page }) => {
  page.on('dialog', (dialog) => dialog.accept())
  let passed = 0
  let isHeld = true
  await page.route('**/api/upload', async (route) => {
    if (!isHeld || passed++ < 1) await route.continue()
  })
  await dropFrom(page, 'Holiday')
  await expect.poll(async () => (await ask<Image[]>(page, '/api/images')).length).toBe(1)
  await expect(heading(page)).toHaveText('Uploading 2 of 3')
  await choice(page, 'Holiday').check()
  await expect.poll(() => albumsOf(page)).toEqual(['Holiday: 1'])

  isHeld = false
  await page.reload()
  await expect(heading(page)).toHaveText('3 images uploaded')
  await expect(choice(page, 'Holiday')).toBeChecked()
  await expect.poll(() => albumsOf(page)).toEqual(['Holiday: 3'])

  await test.step('what is over is not listed again', async () => {
    await page.reload()
    await expect(page.getByText('3 images ·')).toBeVisible()
    await expect(tray(page)).toHaveCount(0)
    expect(await albumsOf(page)).toEqual(['Holiday: 3'])
  })
})

test('a reload before the choice still offers all images of the folder', async ({ page }) => {
  page.on('dialog', (dialog) => dialog.accept())
  let passed = 0
  let isHeld = true
  await page.route('**/api/upload', async (route) => {
    if (!isHeld || passed++ < 2) await route.continue()
  })
  await dropFrom(page, 'Holiday')
  await expect(heading(page)).toHaveText('Uploading 3 of 3')
  isHeld = false
  await page.reload()
  await expect(heading(page)).toHaveText('3 images uploaded')
  await choice(page, 'Holiday').check()
  await expect.poll(() => albumsOf(page)).toEqual(['Holiday: 3'])
})
