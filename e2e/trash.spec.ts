// Journeys of a user who deletes images and wants them back, or wants them gone for good.
import type { Page } from '@playwright/test'
import { logIn } from './log-in.ts'
import { onOwnServer } from './own-server.ts'
import { expect, test } from './test.ts'
import { tile, toast, uploadFor } from './upload.ts'

const heading = (page: Page) => page.getByRole('heading', { level: 1, name: 'Recently deleted' })
const undoBar = (page: Page) => page.getByRole('region', { name: 'Undo' })
const listed = (page: Page) => page.getByRole('region', { name: 'Deleted images' }).getByRole('listitem')
const restore = (page: Page, name: string) => page.getByRole('button', { name: `Restore ${name}` })

/** Logs in a new user and uploads. @returns the token, and the bytes of each image by its address */
async function open(page: Page, names: readonly string[]) {
  const token = await logIn(page)
  const images: { id: string; url: string; bytes: Buffer }[] = []
  for (const name of names) {
    await uploadFor(page, token, name, '365d')
    const headers = { authorization: `Bearer ${token}` }
    const [image] = (await (await page.request.get('/api/images?limit=1', { headers })).json()) as {
      id: string
      url: string
    }[]
    const { pathname } = new URL(image?.url ?? '')
    images.push({ id: image?.id ?? '', url: pathname, bytes: await (await page.request.get(pathname)).body() })
  }
  await page.goto('/dashboard')
  return { token, images }
}

async function remove(page: Page, name: string): Promise<void> {
  await tile(page, name).getByRole('link').first().focus()
  await page.keyboard.press('Delete')
  await expect(tile(page, name)).toHaveCount(0)
}

test('a deleted image is found under Recently deleted, and restored at the same address with the same bytes', async ({
  page,
}) => {
  const { token, images } = await open(page, ['alpha.jpg', 'beta.jpg'])
  const [alpha] = images
  const headers = { authorization: `Bearer ${token}` }
  await page.request.patch(`/api/images/${alpha!.id}`, { headers, data: { title: 'Boats' } })
  await page.reload()
  await remove(page, 'Boats')
  await expect.poll(async () => (await page.request.get(alpha!.url)).status()).toBe(410)
  await undoBar(page).getByRole('link', { name: 'Recently deleted' }).click()
  await expect(heading(page)).toBeVisible()
  await expect(listed(page)).toHaveCount(1)
  await expect(listed(page)).toContainText('Boats')
  await expect(listed(page)).toContainText('7 days left')
  const picture = listed(page).locator('img')
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)

  await restore(page, 'Boats').click()
  await expect(toast(page, '1 image restored')).toBeVisible()
  await expect(page.getByText('Nothing here')).toBeVisible()
  await expect(heading(page)).toBeFocused()
  const back = await page.request.get(alpha!.url)
  expect([back.status(), (await back.body()).equals(alpha!.bytes)]).toEqual([200, true])
  await page.getByRole('link', { name: 'Back to your images' }).click()
  await expect(tile(page, 'Boats')).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()
  await expect(page.getByText('2 images', { exact: false }).first()).toBeVisible()
})

test('several are restored together, and the rest is deleted for good after a question', async ({ page }) => {
  const { token, images } = await open(page, ['alpha.jpg', 'beta.jpg', 'gamma.jpg', 'delta.jpg'])
  for (const name of ['alpha.jpg', 'beta.jpg', 'gamma.jpg', 'delta.jpg']) await remove(page, name)
  await page.getByRole('button', { name: /Account/ }).click()
  const menu = page.getByRole('navigation', { name: 'Account menu' })
  await menu.getByRole('link', { name: 'Recently deleted' }).click()
  await expect(listed(page)).toHaveCount(4)

  const bar = page.getByRole('region', { name: 'Selection' })
  await page.getByRole('checkbox', { name: 'Select gamma.jpg' }).check()
  await page.keyboard.press('Escape')
  await expect(bar).toHaveCount(0)
  for (const name of ['alpha.jpg', 'beta.jpg']) await page.getByRole('checkbox', { name: `Select ${name}` }).check()
  await expect(bar.getByText('2 selected')).toBeVisible()
  await bar.getByRole('button', { name: 'Restore' }).click()
  await expect(toast(page, '2 images restored')).toBeVisible()
  await expect(listed(page)).toHaveCount(2)
  await expect(bar).toHaveCount(0)
  await expect(listed(page).first().getByRole('button').first()).toBeFocused()

  await page.getByRole('button', { name: 'Delete gamma.jpg for good' }).click()
  const question = page.getByRole('alertdialog')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(listed(page)).toHaveCount(2)
  await page.getByRole('button', { name: 'Delete gamma.jpg for good' }).click()
  await question.getByRole('button', { name: 'Delete for good' }).click()
  await expect(listed(page)).toHaveCount(1)
  await expect(listed(page).getByRole('button').first()).toBeFocused()

  await page.getByRole('button', { name: 'Empty Recently deleted' }).click()
  await question.getByRole('button', { name: 'Delete for good' }).click()
  await expect(page.getByText('Nothing here')).toBeVisible()
  await page.reload()
  await expect(page.getByText('Nothing here')).toBeVisible()
  const statuses = images.map(async ({ url }) => (await page.request.get(url)).status())
  expect(await Promise.all(statuses)).toEqual([200, 200, 410, 410])
  const me = await page.request.get('/api/me', { headers: { authorization: `Bearer ${token}` } })
  const { user } = (await me.json()) as { user: { imageCount: number; imageBytes: number } }
  expect([user.imageCount, user.imageBytes]).toEqual([2, images[0]!.bytes.length + images[1]!.bytes.length])
})

test('deleting several is one request, undoing it another, and another tab shows the same numbers', async ({
  page,
  context,
}) => {
  await open(page, ['alpha.jpg', 'beta.jpg', 'gamma.jpg'])
  const other = await context.newPage()
  await other.goto('/dashboard')
  await expect(other.getByText('3 images ·')).toBeVisible()
  await page.bringToFront()
  await tile(page, 'alpha.jpg').getByRole('link').first().focus()
  await page.keyboard.press('Control+a')
  const changes: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET') changes.push(`${request.method()} ${new URL(request.url()).pathname}`)
  })
  await page.keyboard.press('Delete')
  await expect(undoBar(page)).toContainText('3 images deleted')
  await page.keyboard.press('Control+z')
  await expect(toast(page, '3 images restored')).toBeVisible()
  await expect(tile(page, /jpg/)).toHaveCount(3)
  expect(changes).toEqual(['POST /api/trash', 'POST /api/trash/restore'])

  // As when the page of the other tab was loaded before the change and heard of it after.
  await other.bringToFront()
  const figures = other.waitForResponse('**/api/me')
  await other.evaluate(() => {
    const { sub: userId } = JSON.parse(atob(localStorage.getItem('token')!.split('.')[1]!)) as { sub: string }
    new BroadcastChannel('image-host').postMessage({ userId, subject: 'images', added: { images: -4, bytes: 0 } })
  })
  await figures
  await expect(other.getByText('3 images ·')).toBeVisible()
})

test('Ctrl+Z restores a deletion after its bar has gone, and the palette leads to the trash', async ({ page }) => {
  await page.clock.install()
  await open(page, ['alpha.jpg'])
  await remove(page, 'alpha.jpg')
  await expect(undoBar(page)).toBeVisible()
  await page.clock.runFor(11_000)
  await expect(undoBar(page)).toHaveCount(0)
  await page.clock.setFixedTime(Date.now() + 3_600_000)
  await page.keyboard.press('Control+z')
  await expect(tile(page, 'alpha.jpg')).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill('undelete')
  await page.keyboard.press('Enter')
  await expect(heading(page)).toBeVisible()
})

test('Ctrl+Z under Recently deleted undoes the last restore, and says where there is none', async ({ page }) => {
  const { images } = await open(page, ['alpha.jpg'])
  await remove(page, 'alpha.jpg')
  await undoBar(page).getByRole('link', { name: 'Recently deleted' }).click()
  await expect(listed(page)).toHaveCount(1)
  await page.keyboard.press('Control+z')
  await expect(toast(page, 'Nothing was restored here that could be undone')).toBeVisible()
  await restore(page, 'alpha.jpg').click()
  await expect(listed(page)).toHaveCount(0)
  await page.keyboard.press('Control+z')
  await expect(toast(page, '1 image deleted again')).toBeVisible()
  await expect(listed(page)).toHaveCount(1)
  expect((await page.request.get(images[0]!.url)).status()).toBe(410)
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })

  test('the offer to undo leads to Recently deleted too', async ({ page }) => {
    await open(page, ['alpha.jpg'])
    await remove(page, 'alpha.jpg')
    const middles = () =>
      undoBar(page)
        .getByRole('button')
        .evaluateAll((buttons) =>
          buttons.map((button) => {
            const { y, height } = button.getBoundingClientRect()
            return Math.round(y + height / 2)
          }),
        )
    // At one moment: the bar moves in.
    const [undo, dismiss] = await middles()
    expect(undo).toBe(dismiss)
    await undoBar(page).getByRole('link', { name: 'Recently deleted' }).click()
    await expect(heading(page)).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  })
})

test('what is deleted while another deletion is undone keeps its own offer', async ({ page }) => {
  await open(page, ['alpha.jpg', 'beta.jpg'])
  await remove(page, 'alpha.jpg')
  let letPass = () => {}
  const isDeleted = new Promise<void>((resolve) => (letPass = resolve))
  await page.route('**/restore', async (route) => {
    await isDeleted
    await route.continue()
  })
  await undoBar(page).getByRole('button', { name: 'Undo' }).click()
  await remove(page, 'beta.jpg')
  letPass()
  await expect(tile(page, 'alpha.jpg')).toBeVisible()
  await undoBar(page).getByRole('button', { name: 'Undo' }).click()
  await expect(tile(page, 'beta.jpg')).toBeVisible()
})

test.describe('what fails', () => {
  test.use({ expectedConsole: [/status of 503/] })

  test('is said: the list, a restore, a deletion', async ({ page }) => {
    await open(page, ['alpha.jpg'])
    await remove(page, 'alpha.jpg')
    const refuse = (path: string) =>
      page.route(path, (route) => route.fulfill({ status: 503, json: { success: false, error: 'The disk is gone' } }))
    await refuse('**/api/trash?*')
    await page.goto('/dashboard?deleted')
    await expect(page.getByRole('alert')).toContainText('Deleted images could not be loaded', { timeout: 30_000 })
    await page.unroute('**/api/trash?*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(listed(page)).toHaveCount(1)
    await refuse('**/api/trash/*')
    await restore(page, 'alpha.jpg').click()
    await expect(toast(page, 'The disk is gone')).toBeVisible()
    await page.getByRole('button', { name: 'Delete alpha.jpg for good' }).click()
    const question = page.getByRole('alertdialog')
    await question.getByRole('button', { name: 'Delete for good' }).click()
    await expect(question.getByRole('alert')).toHaveText('The disk is gone')
    await expect(listed(page)).toHaveCount(1)
  })
})

onOwnServer({ TRASH_DAYS: '0' })(
  'where TRASH_DAYS is 0, a deletion can be undone as before, and there is no trash',
  async ({ page }) => {
    await open(page, ['alpha.jpg'])
    await page.getByRole('button', { name: /Account/ }).click()
    await expect(page.getByRole('link', { name: 'Developers' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Recently deleted' })).toHaveCount(0)
    await page.keyboard.press('Escape')
    await remove(page, 'alpha.jpg')
    await expect(undoBar(page).getByRole('link')).toHaveCount(0)
    await undoBar(page).getByRole('button', { name: 'Undo' }).click()
    await expect(tile(page, 'alpha.jpg')).toBeVisible()
    await page.goto('/dashboard?deleted')
    await expect(tile(page, 'alpha.jpg')).toBeVisible()
  },
)
