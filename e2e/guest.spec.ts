// Journeys of a visitor without an account: uploading by every way, using the links, and rejected files.
import { gif, gpsMark, jpeg, phonePhotograph, png, webp } from './e2e-images.ts'
import { expect, test } from './test.ts'
import { addressesOf, deletion, paste, pick, served, shownLink, toast, transferOf, zone } from './upload.ts'

const wrongType = 'File type must be PNG, JPG, JPEG or WebP'
const harbour = async () => ({ name: 'harbour.jpg', mimeType: 'image/jpeg', buffer: await jpeg() })

test.beforeEach(async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/')
})

test('the landing page describes the product and links to login and registration', async ({ page }) => {
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Host an image\.\s*Share it anywhere\./)
  await expect(page.getByText('Guest data is kept 60 days.')).toBeVisible()
  await expect(page.getByText('Drop, paste or choose an image')).toBeVisible()
  await expect(page.getByText('PNG, JPG/JPEG or WebP, up to 5 MB')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Why Create an Account' })).toBeVisible()
  for (const reason of ['Easy Upload', 'Instant Sharing', 'Long-term Storage', 'Secure Storage'])
    await expect(page.getByRole('heading', { name: reason })).toBeVisible()
  await page.getByRole('link', { name: 'Get Started' }).click()
  await expect(page).toHaveURL('/register')
  await page.goBack()
  await page.getByRole('main').getByRole('link', { name: 'Log in' }).click()
  await expect(page).toHaveURL('/login')
})

test('a guest uploads a photograph, uses its links, extends it and deletes it', async ({ page }) => {
  await pick(page, { name: 'Harbour at dusk.jpg', mimeType: 'image/jpeg', buffer: await phonePhotograph() })
  await expect(toast(page, 'Image uploaded successfully!')).toBeVisible()
  const link = await shownLink(page)
  expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/uploads\/harbour-at-dusk-[\w-]{22}\.jpg$/)

  await zone(page).getByRole('button', { name: 'Copy URL' }).click()
  await expect(toast(page, 'URL copied to clipboard!')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link)

  const addresses = addressesOf(link)
  await test.step('every URL serves the right size and type, upright and without GPS data', async () => {
    const expected = {
      original: ['image/jpeg', 1200, 1600],
      thumbnail: ['image/webp', 300, 400],
      resize: ['image/jpeg', 300, 400],
      box: ['image/jpeg', 200, 100],
      jpeg: ['image/jpeg', 300, 400],
      webp: ['image/webp', 300, 400],
    } as const
    for (const [name, [type, width, height]] of Object.entries(expected)) {
      const answer = await served(addresses[name as keyof typeof expected])
      expect.soft(answer, name).toMatchObject({ status: 200, type, width, height })
      expect.soft(answer.bytes.includes(gpsMark), `${name} holds the place`).toBe(false)
    }
  })

  const item = page.getByRole('listitem').filter({ hasText: 'Harbour at dusk.jpg' })
  await test.step('a reload keeps the image under Recent uploads', async () => {
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Recent uploads' })).toBeVisible()
    await expect(item).toHaveCount(1)
    await expect(item).toContainText('Expires on')
    await expect.poll(() => item.getByRole('img').evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(300)
  })

  await test.step('the image is extended to one year', async () => {
    const before = await item.innerText()
    await item.getByRole('button', { name: 'Extend' }).click()
    await expect(toast(page, 'Expiration extended to 1 year')).toBeVisible()
    await expect.poll(() => item.innerText()).not.toBe(before)
    await expect(item).toContainText(String(new Date(Date.now() + 365 * 86_400_000).getFullYear()))
  })

  await test.step('the embed code of the image is copied', async () => {
    await item.getByRole('button', { name: 'Embed code' }).click()
    const dialog = page.getByRole('dialog', { name: 'Embed code' })
    await expect(dialog.getByRole('tab', { name: 'HTML' })).toHaveAttribute('aria-selected', 'true')
    await dialog.getByRole('button', { name: /^Copy/ }).click()
    await expect(toast(page, 'HTML code copied!')).toBeVisible()
    const code = await page.evaluate(() => navigator.clipboard.readText())
    expect(code).toMatch(/^<img\s[^>]*alt="Harbour at dusk"/)
    expect(code).toContain(`${new URL(link).origin}/i/${/[\w-]{22}\.\w+$/.exec(link)?.[0]}?w=800&amp;fmt=auto`)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(item.getByRole('button', { name: 'Embed code' })).toBeFocused()
  })

  await test.step('deleting the image removes all its URLs', async () => {
    await item.getByRole('button', { name: 'Delete' }).click()
    await expect(deletion(page, 'Image deleted successfully')).toBeVisible()
    await expect(item).toHaveCount(0)
    for (const [name, address] of Object.entries(addresses)) expect.soft((await served(address)).status, name).toBe(410)
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Recent uploads' })).toBeHidden()
  })
})

test('a guest undoes deletions, by the bar and by the key, and the result of a deleted image goes', async ({
  page,
}) => {
  await page.goto('/')
  await pick(page, { name: 'first.jpg', mimeType: 'image/jpeg', buffer: await jpeg(600, 400) })
  const link = await shownLink(page)
  await page.getByRole('button', { name: 'Upload another' }).click()
  await pick(page, { name: 'second.png', mimeType: 'image/png', buffer: await jpeg(500, 400) })
  await expect(page.getByRole('heading', { name: 'Your link is ready' })).toBeVisible()
  const items = page.getByRole('region', { name: 'Recent uploads' }).getByRole('listitem')
  await expect(items).toHaveCount(2)
  const remove = (name: string) => items.filter({ hasText: name }).getByRole('button', { name: 'Delete' }).click()

  await remove('second.png')
  await expect(deletion(page, 'Image deleted successfully')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Your link is ready' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Choose image' })).toBeVisible()
  await remove('first.jpg')
  await expect(items).toHaveCount(0)
  expect((await served(link)).status).toBe(410)

  await page.getByRole('region', { name: 'Undo' }).getByRole('button', { name: 'Undo' }).click()
  await expect(toast(page, '1 image restored')).toBeVisible()
  expect((await served(link)).status).toBe(200)
  await page.keyboard.press('Control+z')
  await expect(items).toHaveCount(2)
  await expect(items.first()).toContainText('second.png')
  await page.reload()
  await expect(items).toHaveCount(2)
  // Its token is still there.
  await remove('first.jpg')
  await expect(items).toHaveCount(1)
})

test.describe('a refusal', () => {
  test.use({ expectedConsole: [/status of 507/] })

  test('to delete an image has its reason below it, for guests too', async ({ page }) => {
    await page.goto('/')
    await pick(page, { name: 'first.jpg', mimeType: 'image/jpeg', buffer: await jpeg(600, 400) })
    await shownLink(page)
    const reason = 'The server has no storage space left'
    await page.route(/\/api\/images\//, (route) =>
      route.fulfill({ status: 507, json: { error: reason, code: 'storage_full' } }),
    )
    await page.getByRole('region', { name: 'Recent uploads' }).getByRole('button', { name: 'Delete' }).click()
    await expect(toast(page, 'Failed to delete image')).toBeVisible()
    await expect(toast(page, reason)).toBeVisible()
  })
})

test('an image is stored in the browser before its upload is reported', async ({ page }) => {
  const storedWhenReported = page.evaluate(
    (text) =>
      new Promise<string | null>((resolve) => {
        const observer = new MutationObserver(() => {
          if (document.body.textContent.includes(text)) resolve(localStorage.getItem('guest_images'))
        })
        observer.observe(document.body, { subtree: true, childList: true, characterData: true })
      }),
    'Image uploaded successfully!',
  )
  await pick(page, await harbour())
  expect(await storedWhenReported).toContain('"delete_token":')
})

test('a dropped image is uploaded', async ({ page }) => {
  const files = await transferOf(page, [{ name: 'hills.webp', mimeType: 'image/webp', buffer: await webp() }])
  await zone(page).dispatchEvent('dragenter', { dataTransfer: files })
  await zone(page).dispatchEvent('dragover', { dataTransfer: files })
  await expect(page.getByText('Drop to upload')).toBeVisible()
  await zone(page).dispatchEvent('drop', { dataTransfer: files })
  await expect(toast(page, 'Image uploaded successfully!')).toBeVisible()
  expect(await served(await shownLink(page))).toMatchObject({ type: 'image/webp', width: 640, height: 480 })
})

test('a pasted image is uploaded', async ({ page }) => {
  await paste(page, await png())
  await expect(toast(page, 'Image uploaded successfully!')).toBeVisible()
  const link = await shownLink(page)
  expect(link).toMatch(/\/uploads\/pasted-image-\d+-[\w-]{22}\.png$/)
  expect(await served(link)).toMatchObject({ type: 'image/png', width: 320, height: 240 })
})

test('a second image can be uploaded after the first', async ({ page }) => {
  await pick(page, await harbour())
  await shownLink(page)
  await page.getByRole('button', { name: 'Upload another' }).click()
  await pick(page, { ...(await harbour()), name: 'second.jpg' })
  await expect.poll(() => shownLink(page)).toContain('second')
  await expect(page.getByRole('main').getByRole('listitem').filter({ hasText: '.jpg' })).toHaveCount(2)
})

// strings.spec.ts rejects files of the wrong size.
test('files of another type are rejected before any byte is sent', async ({ page }) => {
  await page.route('**/api/upload', () => Promise.reject(new Error('nothing may be sent')))
  await pick(page, { name: 'cat.gif', mimeType: 'image/gif', buffer: await gif() })
  await expect(toast(page, wrongType)).toHaveCount(1)

  const files = await transferOf(page, [{ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('text') }])
  await zone(page).dispatchEvent('dragenter', { dataTransfer: files })
  await expect(zone(page)).toContainText(wrongType)
  await zone(page).dispatchEvent('drop', { dataTransfer: files })
  await expect(toast(page, wrongType)).toHaveCount(2)
})

test.describe('files rejected by the server', () => {
  test.use({ expectedConsole: [/status of 4(15|22)/] })

  test('a text file named as an image is rejected with the reason', async ({ page }) => {
    await pick(page, { name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('not a picture, just words\n') })
    await expect(toast(page, wrongType)).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Recent uploads' })).toBeHidden()
  })

  test('a truncated photograph is rejected with the reason', async ({ page }) => {
    const whole = await jpeg()
    const buffer = whole.subarray(0, whole.length / 2)
    await pick(page, { name: 'half.jpg', mimeType: 'image/jpeg', buffer })
    await expect(page.getByRole('alert').filter({ hasText: 'The image is broken or incomplete' })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Recent uploads' })).toBeHidden()
  })
})
