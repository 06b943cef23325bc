// Journeys of a logged-in user who uploads: conversion to WebP, one file or a queue of several.
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import type { Image } from '../contract/endpoints/images.ts'
import { gif, jpeg, phonePhotograph, png, webp } from './e2e-images.ts'
import { keepToken, logIn } from './log-in.ts'
import { expect, test } from './test.ts'
import { drop, paste, pick, served, toast, transferOf, zone } from './upload.ts'

const uploads = '**/api/upload'
const tray = (page: Page) => page.getByRole('region', { name: 'Uploads' })
const row = (page: Page, name: string) => tray(page).getByRole('listitem').filter({ hasText: name })

test.beforeEach(async ({ page }) => {
  await logIn(page)
  await page.goto('/dashboard')
  await expect(page.getByText('No images yet.')).toBeVisible()
})

/** Lists the images of the account, by the browser: it repeats a request whose idle connection the server has ended. */
const listed = (page: Page): Promise<Image[]> =>
  page.evaluate(async () => {
    const headers = { authorization: `Bearer ${localStorage.getItem('token')}` }
    return (await (await fetch('/api/images', { headers })).json()) as Image[]
  })

const pngs = (count: number) =>
  Promise.all(
    Array.from({ length: count }, async (_, at) => ({
      name: `IMG_${at + 1}.png`,
      mimeType: 'image/png',
      buffer: await png(400, 300 + at),
    })),
  )

/** Records every toast that was ever shown, in order. */
async function recordToasts(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const said: string[] = []
    Object.assign(globalThis, { said })
    new MutationObserver(() => {
      for (const { textContent } of document.querySelectorAll('.toast')) {
        const text = (textContent ?? '').replace('Dismiss', '')
        if (said.at(-1) !== text) said.push(text)
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
  })
  return () => page.evaluate(() => (globalThis as unknown as { said: string[] }).said)
}

const conversionToasts = [
  'Converting image to WebP format...',
  'Image converted to WebP format',
  'Uploading image...',
  'Image uploaded successfully!',
]

test('a large PNG becomes a WebP of 3000 pixels, and the saved bytes are shown', async ({ page }) => {
  const said = await recordToasts(page)
  const drawn = await jpeg(500, 250)
  const buffer = await sharp(drawn).resize(4000, 2000, { kernel: 'nearest' }).png({ compressionLevel: 3 }).toBuffer()
  expect(buffer.length).toBeLessThan(10_485_760)
  await pick(page, { name: 'harbour.png', mimeType: 'image/png', buffer })
  await expect(zone(page).getByText(/^[\d.]+ [KM]B to [\d.]+ [KM]B, \d+% smaller$/)).toBeVisible({ timeout: 30_000 })
  await expect(toast(page, 'Image uploaded successfully!')).toBeVisible()
  expect(await said()).toEqual(conversionToasts)
  const [image] = await listed(page)
  expect(image?.original_name).toBe('harbour.webp')
  expect(await served(image?.url ?? '')).toMatchObject({ type: 'image/webp', width: 3000, height: 1500 })
})

test('a photograph with an EXIF rotation is converted upright', async ({ page }) => {
  await pick(page, { name: 'phone.jpg', mimeType: 'image/jpeg', buffer: await phonePhotograph() })
  await expect(toast(page, 'Image uploaded successfully!')).toBeVisible()
  const [image] = await listed(page)
  expect(image).toMatchObject({ mime: 'image/webp', width: 1200, height: 1600 })
})

test('photographs are kept as they are once their switch is on, also after a reload', async ({ page }) => {
  const buffer = await jpeg(3200, 1600)
  const keep = page.getByRole('switch', { name: 'Keep photographs as they are' })
  const upload = async (name: string) => {
    await pick(page, { name, mimeType: 'image/jpeg', buffer })
    await expect(page.getByRole('listitem').filter({ hasText: name.replace('.jpg', '') })).toHaveCount(1)
    const { url, mime } = (await listed(page))[0]!
    return {
      mime,
      pixels: await sharp((await served(url)).bytes)
        .raw()
        .toBuffer(),
    }
  }
  const original = await sharp(buffer).raw().toBuffer()

  const options = page.getByRole('button', { name: 'Upload options' })
  await options.click()
  await expect(keep).not.toBeChecked()
  await expect(keep).toHaveAccessibleDescription(/^Sent in full size and their own format, not as WebP\./)
  expect((await upload('first.jpg')).mime).toBe('image/webp')

  // The bar of an upload replaces them.
  await options.click()
  await keep.focus()
  await page.keyboard.press('Space')
  await expect(keep).toBeChecked()
  const kept = await upload('second.jpg')
  expect(kept.mime).toBe('image/jpeg')
  expect(kept.pixels.equals(original)).toBe(true)

  await page.reload()
  await options.click()
  await expect(keep).toBeChecked()
  expect((await upload('third.jpg')).mime).toBe('image/jpeg')
  await options.click()
  await keep.uncheck()
  expect((await upload('fourth.jpg')).mime).toBe('image/webp')
})

test.describe('a photograph that is too large as it is', () => {
  test.use({ expectedConsole: [/status of 422/] })

  test('is refused with the advice to switch off keeping it', async ({ page }) => {
    const error = 'The image exceeds a limit: it has 60 megapixels'
    await page.route(uploads, (route) => route.fulfill({ status: 422, json: { error, code: 'image_over_limit' } }))
    await page.getByRole('button', { name: 'Upload options' }).click()
    await page.getByRole('switch', { name: 'Keep photographs as they are' }).check()
    await pick(page, { name: 'harbour.jpg', mimeType: 'image/jpeg', buffer: await jpeg() })
    await expect(zone(page)).toContainText(`${error}. It may fit once “Keep photographs as they are” is off`)
  })
})

test('an image that conversion would enlarge is sent unchanged', async ({ page }) => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><rect width="40" height="30"/></svg>'
  await pick(
    page,
    { name: 'cat.gif', mimeType: 'image/gif', buffer: await gif() },
    { name: 'mark.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(svg) },
    { name: 'small.webp', mimeType: 'image/webp', buffer: await webp() },
    // A one-pixel PNG is smaller than any WebP of it.
    {
      name: 'dot.png',
      mimeType: 'image/png',
      buffer: await sharp({ create: { width: 1, height: 1, channels: 3, background: '#000' } })
        .png({ palette: true })
        .toBuffer(),
    },
  )
  await expect(tray(page).getByRole('heading')).toHaveText('4 images uploaded')
  const images = await listed(page)
  expect(images.map(({ original_name, mime }) => `${original_name} ${mime}`).toSorted()).toEqual([
    expect.stringMatching(/^cat\.gif image\/gif$/),
    expect.stringMatching(/^dot\./),
    expect.stringMatching(/^mark\.svg image\/svg\+xml$/),
    expect.stringMatching(/^small\.webp image\/webp$/),
  ])
})

test('a browser whose canvas cannot encode WebP encodes it with WebAssembly', async ({ page }) => {
  await page.route('**/assets/*webp-worker*.js', async (route) => {
    const response = await route.fetch()
    const cannot = "OffscreenCanvas.prototype.convertToBlob = async () => new Blob([], { type: 'image/png' });"
    await route.fulfill({ response, body: cannot + (await response.text()) })
  })
  const wasm = page.waitForRequest(/\.wasm$/)
  await pick(page, { name: 'harbour.jpg', mimeType: 'image/jpeg', buffer: await jpeg(3200, 1600) })
  await wasm
  await expect(toast(page, 'Image uploaded successfully!')).toBeVisible({ timeout: 30_000 })
  const [image] = await listed(page)
  expect(await served(image?.url ?? '')).toMatchObject({ type: 'image/webp', width: 3000, height: 1500 })
})

test('the original is sent when the worker is unavailable', async ({ page }) => {
  await page.route('**/assets/*webp-worker*.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: 'throw new Error("no worker")' }),
  )
  await page.evaluate(() => addEventListener('error', (event) => event.preventDefault()))
  await pick(page, { name: 'harbour.jpg', mimeType: 'image/jpeg', buffer: await jpeg() })
  await expect(toast(page, 'Image uploaded successfully!')).toBeVisible()
  expect((await listed(page))[0]).toMatchObject({ mime: 'image/jpeg', original_name: 'harbour.jpg' })
})

test('a queue of six is shown, cancelled, and continued on another page', async ({ page }) => {
  const pictures = await pngs(6)
  let letGo = () => {}
  const held = new Promise<void>((resolve) => (letGo = resolve))
  await page.route(uploads, async (route) => {
    await held
    await route.continue()
  })
  await pick(page, ...pictures)
  await expect(tray(page).getByRole('heading')).toHaveText('Uploading 1 of 6')
  await expect(tray(page).getByRole('listitem')).toHaveCount(6)
  await expect(row(page, 'IMG_1.png')).toContainText('Uploading image...')
  await expect(row(page, 'IMG_1.png').getByRole('progressbar')).toBeVisible()
  await expect(row(page, 'IMG_6.png')).toContainText('Waiting')
  await expect(page).toHaveTitle(/^\(\d+%\) Dashboard/)

  await test.step('one upload of the queue is cancelled', async () => {
    await tray(page).getByRole('button', { name: 'Cancel IMG_2.png' }).click()
    await expect(row(page, 'IMG_2.png')).toHaveCount(0)
    await expect(tray(page).getByRole('heading')).toHaveText('Uploading 1 of 5')
  })

  await test.step('the queue collapses to one line and opens again', async () => {
    await tray(page).getByRole('button', { name: 'Shrink uploads' }).click()
    await expect(tray(page)).toContainText('5 left')
    await tray(page).getByRole('button', { name: 'Show uploads' }).click()
  })

  await page.getByRole('link', { name: 'Contact Us' }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: 'Contact Us' })).toBeVisible()
  letGo()
  await expect(tray(page).getByRole('heading')).toHaveText('5 images uploaded')
  await expect(page).toHaveTitle(/^Contact Us/)
  await tray(page).getByRole('button', { name: 'Close' }).click()
  await expect(tray(page)).toHaveCount(0)
  expect((await listed(page)).map(({ original_name }) => original_name).toSorted()).toEqual(
    [1, 3, 4, 5, 6].map((at) => `IMG_${at}.webp`),
  )
  await page.getByRole('link', { name: 'Dashboard' }).first().click()
  await expect(page.getByText('5 images ·')).toBeVisible()
})

test.describe('uploads rejected by the server', () => {
  test.use({ expectedConsole: [/status of 50[37]/] })

  test('a busy server and a full one are asked again automatically', async ({ page }) => {
    const keys: string[] = []
    const answers = [503, 507]
    let goOn = () => {}
    const reasonSeen = new Promise<void>((resolve) => (goOn = resolve))
    await page.route(uploads, async (route) => {
      keys.push(route.request().headers()['idempotency-key'] ?? '')
      const status = answers.shift() ?? 201
      if (status === 201) {
        await reasonSeen
        return route.continue()
      }
      await route.fulfill({ status, json: { error: 'The disk is on holiday' } })
    })
    await pick(page, ...(await pngs(2)))
    await expect(tray(page)).toContainText('The disk is on holiday. It continues by itself once there is room.')
    goOn()
    await expect(tray(page).getByRole('heading')).toHaveText('2 images uploaded')
    expect(await listed(page)).toHaveLength(2)
    expect(keys).toHaveLength(4)
    expect(keys[0]).toMatch(/^[\da-f]{8}-/)
    expect(new Set(keys).size).toBe(2)
  })
})

test('files that cannot be uploaded are named and left out, the others are uploaded', async ({ page }) => {
  const [good] = await pngs(1)
  await drop(
    page,
    good!,
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('words') },
    { name: 'huge.png', mimeType: 'image/png', buffer: Buffer.alloc(10_485_761) },
  )
  await expect(tray(page).getByRole('heading')).toHaveText('1 image uploaded')
  await expect(tray(page)).toContainText('Left out: notes.txt. File type must be PNG, JPG, JPEG, WebP, GIF or SVG')
  await expect(tray(page)).toContainText('Left out: huge.png. File is larger than 10485760 bytes')
  await expect(tray(page).getByRole('listitem')).toHaveCount(1)
  expect(await listed(page)).toHaveLength(1)
})

test('a folder is uploaded without the files of the operating system', async ({ page }) => {
  const folder = join(tmpdir(), `image-host-folder-${crypto.randomUUID()}`)
  await mkdir(join(folder, 'deeper'), { recursive: true })
  await writeFile(join(folder, 'one.png'), await png())
  await writeFile(join(folder, 'deeper', 'two.png'), await png(330, 240))
  await writeFile(join(folder, '.DS_Store'), 'clutter')
  const dialog = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose folder' }).click()
  await (await dialog).setFiles(folder)
  await expect(tray(page).getByRole('heading')).toHaveText('2 images uploaded')
  await rm(folder, { recursive: true })
})

test('a reload neither loses nor repeats an upload', async ({ page }) => {
  const asked: string[] = []
  page.on('dialog', async (dialog) => {
    asked.push(dialog.type())
    await dialog.accept()
  })
  // The first upload reaches the server but its response is lost; the others do not arrive at all.
  let arrived = 0
  let isDown = true
  await page.route(uploads, async (route) => {
    if (!isDown) return route.continue()
    arrived++
    if (arrived === 1) await route.fetch()
  })
  await pick(page, ...(await pngs(4)))
  await expect.poll(() => arrived).toBe(3)
  await expect.poll(async () => (await listed(page)).length).toBe(1)
  // Not unroute(): it would let the held requests of this page go on before the reload.
  isDown = false
  await page.reload()
  expect(asked).toEqual(['beforeunload'])
  await expect(tray(page).getByRole('heading')).toHaveText('4 images uploaded')
  const names = (await listed(page)).map(({ original_name }) => original_name)
  expect(names.toSorted()).toEqual([1, 2, 3, 4].map((at) => `IMG_${at}.webp`))
  for (const at of [1, 2, 3, 4]) {
    await expect(
      page
        .getByRole('main')
        .getByRole('listitem')
        .filter({ hasText: `IMG_${at}.webp` }),
    ).toHaveCount(1)
  }
  await page.reload()
  await expect(page.getByText('4 images ·')).toBeVisible()
  await expect(tray(page)).toHaveCount(0)
})

test('logging out removes the uploads that were not sent', async ({ page }) => {
  page.on('dialog', (dialog) => dialog.accept())
  await page.route(uploads, () => {})
  await pick(page, ...(await pngs(2)))
  await expect(row(page, 'IMG_1.png')).toContainText('Uploading image...')
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/login')
  await expect(tray(page)).toHaveCount(0)
  await expect(page).toHaveTitle(/^Login/)
  const left = await page.evaluate(
    () =>
      new Promise((resolve) => {
        const request = indexedDB.open('image-host-uploads')
        request.onsuccess = () => {
          const count = request.result.transaction('uploads').objectStore('uploads').count()
          count.onsuccess = () => resolve(count.result)
        }
      }),
  )
  expect(left).toBe(0)
})

test('several dropped files are uploaded, and copied together in the format of choice', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const files = await transferOf(page, await pngs(3))
  await zone(page).dispatchEvent('dragenter', { dataTransfer: files })
  await expect(zone(page)).toHaveText('Drop to upload')
  await zone(page).dispatchEvent('drop', { dataTransfer: files })
  await expect(tray(page).getByRole('heading')).toHaveText('3 images uploaded')
  await tray(page).getByRole('radio', { name: 'Markdown' }).check({ force: true })
  await tray(page).getByRole('button', { name: 'Copy all' }).click()
  await expect(toast(page, '3 images copied as Markdown')).toBeVisible()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied.split('\n')).toEqual([1, 2, 3].map((at) => expect.stringMatching(`^!\\[IMG.*_${at}\\]\\(http`)))

  await row(page, 'IMG_2.png').getByRole('button', { name: 'Copy Markdown' }).click()
  await expect(toast(page, 'Markdown code copied!')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(copied.split('\n')[1])
  await row(page, 'IMG_2.png').getByRole('button', { name: 'Share' }).click()
  await expect(page.getByRole('dialog', { name: 'Share' }).getByRole('textbox', { name: 'Title' })).toBeFocused()
})

test('the queue waits while offline', async ({ page, context }) => {
  const pictures = await pngs(4)
  // Waits until the worker's scripts have loaded.
  await pick(page, ...pictures.slice(0, 2))
  await expect(tray(page).getByRole('heading')).toHaveText('2 images uploaded')
  await context.setOffline(true)
  await pick(page, ...pictures.slice(2))
  await expect(tray(page).getByText('You are offline. Uploads continue when the connection is back.')).toBeVisible()
  await expect(row(page, 'IMG_3.png')).toContainText('Waiting for the connection')
  await context.setOffline(false)
  await expect(tray(page).getByRole('heading')).toHaveText('2 images uploaded')
})

test.describe('pasting images', () => {
  test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

  test('one pasted image is processed, converted and sent with a message for each step', async ({ page }) => {
    const said = await recordToasts(page)
    await paste(page, await png())
    await expect(toast(page, 'Image uploaded successfully!')).toBeVisible()
    expect(await said()).toEqual(['Processing pasted image...', 'Image processed successfully!', ...conversionToasts])
    expect((await listed(page))[0]?.original_name).toMatch(/^pasted-image-\d{13}\.webp$/)
  })

  test('an image that is pasted during an upload joins the queue', async ({ page }) => {
    let letGo = () => {}
    const held = new Promise<void>((resolve) => (letGo = resolve))
    await page.route(uploads, async (route) => {
      await held
      await route.continue()
    })
    await pick(page, { name: 'harbour.jpg', mimeType: 'image/jpeg', buffer: await jpeg() })
    await expect(zone(page)).toContainText('Uploading image...')
    await paste(page, await png())
    await expect(tray(page).getByRole('heading')).toHaveText('Uploading 1 of 1')
    letGo()
    await expect(tray(page).getByRole('heading')).toHaveText('1 image uploaded')
    await expect(toast(page, 'Image uploaded successfully!')).toBeVisible()
    expect(await listed(page)).toHaveLength(2)
  })

  test('several pasted images join the queue', async ({ page }) => {
    const clipboardData = await transferOf(page, await pngs(2))
    await page.evaluate((data) => {
      document.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
    }, clipboardData)
    await expect(tray(page).getByRole('heading')).toHaveText('2 images uploaded')
  })
})

test('cancelling stops an upload, and the next one starts', async ({ page }) => {
  await page.route(uploads, () => {})
  await pick(page, { name: 'harbour.jpg', mimeType: 'image/jpeg', buffer: await jpeg() })
  await expect(zone(page)).toContainText('Uploading image...')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('button', { name: 'Choose image' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Messages' }).getByText('Uploading image...')).toBeHidden()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await pick(page, { name: 'harbour.jpg', mimeType: 'image/jpeg', buffer: await jpeg() })
  await expect(toast(page, 'Image uploaded successfully!')).toBeVisible()
  expect(await listed(page)).toHaveLength(1)
})

test('the queue goes on with the token that another tab has stored', async ({ page, context }) => {
  let isHeld = true
  await page.route(uploads, (route) => (isHeld ? undefined : route.continue()))
  await pick(page, ...(await pngs(3)))
  await expect(tray(page)).toContainText('Uploading')
  const stored = () =>
    page.evaluate(
      () =>
        new Promise((resolve) => {
          indexedDB.open('image-host-uploads').onsuccess = ({ target }) => {
            const { result } = target as IDBOpenDBRequest
            result.transaction('uploads').objectStore('uploads').count().onsuccess = (counted) => {
              result.close()
              resolve((counted.target as IDBRequest<number>).result)
            }
          }
        }),
    )
  await expect.poll(stored).toBe(3)

  const authorization = `Bearer ${await page.evaluate(() => localStorage.getItem('token'))}`
  const me = await page.request.get('/api/me', { headers: { authorization } })
  const { user } = (await me.json()) as { user: { email: string } }
  const login = await page.request.post('/api/login', { data: { email: user.email, password: 'secret screens' } })
  const { token } = (await login.json()) as { token: string }
  isHeld = false
  await keepToken(await context.newPage(), token)
  await expect.poll(async () => (await listed(page)).length, { timeout: 20_000 }).toBe(3)
})

test.describe('a refusal', () => {
  test.use({ expectedConsole: [/status of 415/] })

  test('a broken file is told from a lost connection, and another one can be chosen', async ({ page }) => {
    await pick(page, { name: 'broken.png', mimeType: 'image/png', buffer: Buffer.from('no image') })
    const refusal = /^File type must be PNG, JPG/
    await expect(page.getByRole('alert').filter({ hasText: refusal })).toBeVisible()
    await expect(zone(page).getByText(refusal)).toContainText('This file is something else.')
    await expect(zone(page).getByRole('button')).toHaveText(['Choose another'])
    const dialog = page.waitForEvent('filechooser')
    await zone(page).getByRole('button', { name: 'Choose another' }).click()
    await (await dialog).setFiles({ name: 'harbour.jpg', mimeType: 'image/jpeg', buffer: await jpeg() })
    await expect(toast(page, 'Image uploaded successfully!')).toBeVisible()
    expect(await listed(page)).toHaveLength(1)
  })

  test('a refused file has no second attempt, and is not sent again after a reload', async ({ page }) => {
    const sent: string[] = []
    page.on('request', (request) => request.url().endsWith('/api/upload') && sent.push(request.url()))
    await pick(
      page,
      { name: 'broken.png', mimeType: 'image/png', buffer: Buffer.from('no image') },
      { name: 'broken.gif', mimeType: 'image/gif', buffer: Buffer.from('no image') },
    )
    await expect(row(page, 'broken.png')).toContainText('This file is something else.')
    await expect(row(page, 'broken.gif')).toContainText('This file is something else.')
    await expect(tray(page).getByRole('button', { name: /^Try/ })).toHaveCount(0)
    await page.reload()
    await expect(page.getByText('No images yet.')).toBeVisible()
    await expect(tray(page)).toHaveCount(0)
    expect(sent).toHaveLength(2)
  })
})
