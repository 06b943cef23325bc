// What happens on an ordinary day: a server that restarts, a line that breaks, a second tab.
import type { Page } from '@playwright/test'
import { png } from './e2e-images.ts'
import { logIn } from './log-in.ts'
import { expect, test } from './test.ts'
import { deletion, pick, tile, uploadFor, zone } from './upload.ts'

test.describe('thumbnails', () => {
  test.use({ expectedConsole: [/ERR_CONNECTION_FAILED|status of 410/] })

  test('that failed without a server come back by themselves, a few at a time, and a deleted one is not asked for again', async ({
    page,
  }) => {
    const token = await logIn(page)
    const ids: string[] = []
    for (let at = 0; at < 12; at++) ids.push(await uploadFor(page, token, `photo${at}.jpg`, '1h'))
    const [gone = ''] = ids
    let [isAway, underWay, most] = [true, 0, 0]
    const asked: string[] = []
    await page.route(/\/(thumbnail|uploads)\//, async (route) => {
      const request = route.request()
      asked.push(request.url())
      if (isAway) return route.abort('connectionfailed')
      // The image itself then takes it from the cache, which interception disables.
      if (request.resourceType() !== 'fetch') return route.continue()
      most = Math.max(most, ++underWay)
      await route.fulfill({ response: await route.fetch() })
      underWay--
    })
    await page.goto('/dashboard')
    await expect(tile(page, /photo/).locator('.thumb svg')).toHaveCount(12)
    await expect(tile(page, /photo/).locator('img')).toHaveCount(0)
    await page.request.delete(`/api/images/${gone}`, { headers: { authorization: `Bearer ${token}` }, data: {} })

    const before = asked.length
    await expect.poll(() => asked.length).toBeGreaterThan(before)
    expect(asked.length, 'one asks for all while none comes').toBeLessThan(before + 4)
    isAway = false
    await expect(tile(page, /photo/).locator('img.opacity-100')).toHaveCount(11)
    expect(most).toBeLessThanOrEqual(4)
    const askedForGone = () => asked.filter((url) => url.includes(gone)).length
    const times = askedForGone()
    await page.evaluate(() => dispatchEvent(new Event('online')))
    await page.waitForLoadState('networkidle')
    expect(askedForGone()).toBe(times)
  })

  test('of an image with limited views come back by themselves too', async ({ page }) => {
    const token = await logIn(page)
    const id = await uploadFor(page, token, 'secret.jpg', '1h')
    const headers = { authorization: `Bearer ${token}` }
    expect((await page.request.patch(`/api/images/${id}`, { headers, data: { max_views: 3 } })).status()).toBe(200)
    let isAway = true
    await page.route(`**/api/images/${id}/preview`, (route) =>
      isAway ? route.abort('connectionfailed') : route.continue(),
    )
    const refused = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/preview'))
    await page.goto('/dashboard')
    await refused
    await expect(tile(page, /secret/).locator('img')).toHaveAttribute('src', /^data:/)
    isAway = false
    await expect(tile(page, /secret/).locator('img')).toHaveAttribute('src', /^blob:/)
  })
})

test('a second tab shows what the first uploads, deletes and restores, without a reload', async ({ page, context }) => {
  const token = await logIn(page)
  await uploadFor(page, token, 'first.jpg', '30d')
  await page.goto('/dashboard')
  await expect(tile(page, /first/)).toHaveCount(1)
  const other = await context.newPage()
  await other.goto('/dashboard')
  await expect(tile(other, /first/)).toHaveCount(1)
  let lists = 0
  other.on('request', (request) => void (/\/api\/images\?/.test(request.url()) && lists++))

  await pick(page, ...(await photos(8)))
  await expect(page.getByRole('region', { name: 'Uploads', exact: true })).toContainText('8 images uploaded')
  await expect(tile(other, /photo/)).toHaveCount(8)
  expect(lists, 'not once for each').toBeLessThan(6)

  await tile(page, /first/).getByRole('link').first().focus()
  await page.keyboard.press('Delete')
  await expect(deletion(page)).toBeVisible()
  await expect(tile(other, /first/)).toHaveCount(0)
  await page.keyboard.press('ControlOrMeta+z')
  await expect(tile(page, /first/)).toHaveCount(1)
  await expect(tile(other, /first/)).toHaveCount(1)

  await test.step('the figures of the account follow', async () => {
    await other.goto('/account')
    await expect(other.getByRole('main')).toContainText(/Images\s*9/)
    await tile(page, /first/).getByRole('link').first().focus()
    await page.keyboard.press('Delete')
    await expect(deletion(page)).toBeVisible()
    await expect(other.getByRole('main')).toContainText(/Images\s*8/)
  })
})

test('a second tab with the albums or the tags shows what the first does with images', async ({ page, context }) => {
  const token = await logIn(page)
  const headers = { authorization: `Bearer ${token}` }
  const ids = [await uploadFor(page, token, 'first.jpg', '30d'), await uploadFor(page, token, 'second.jpg', '30d')]
  await page.request.post('/api/albums', { headers, data: { title: 'Italy', images: ids } })
  await page.request.post('/api/tags/images', { headers, data: { ids: ids.slice(0, 1), add: ['travel'] } })
  await page.goto('/dashboard')
  const [albums, tags] = [await context.newPage(), await context.newPage()]
  await albums.goto('/albums')
  await expect(albums.getByRole('link', { name: 'Italy, 2 images' })).toBeVisible()
  await tags.goto('/tags')
  const listed = tags.getByRole('list', { name: 'Your tags' }).getByRole('listitem')
  await expect(listed).toHaveText(['travel1 image'])

  await tile(page, /second/)
    .getByRole('link')
    .first()
    .focus()
  await page.keyboard.press('t')
  const dialog = page.getByRole('dialog', { name: 'Tags' })
  await dialog.getByRole('combobox', { name: 'Tags' }).fill('sea')
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(listed).toHaveText(['sea1 image', 'travel1 image'])

  await tile(page, /second/)
    .getByRole('link')
    .first()
    .focus()
  await page.keyboard.press('Delete')
  await expect(deletion(page)).toBeVisible()
  await expect(albums.getByRole('link', { name: 'Italy, 1 image' })).toBeVisible()
  await expect(listed).toHaveText(['travel1 image'])
  await page.keyboard.press('ControlOrMeta+z')
  await expect(albums.getByRole('link', { name: 'Italy, 2 images' })).toBeVisible()
  await expect(listed).toHaveText(['sea1 image', 'travel1 image'])
})

const photos = (count: number) =>
  Promise.all(
    Array.from({ length: count }, async (_, at) => ({
      name: `photo${at + 1}.png`,
      mimeType: 'image/png',
      buffer: await png(60 + at, 40),
    })),
  )

test.describe('a batch of a guest', () => {
  const tray = (page: Page) => page.getByRole('region', { name: 'Uploads', exact: true })

  /** Lets so many uploads pass, and the others when it is opened. */
  async function gate(page: Page, count: number) {
    let passed = 0
    const waiting: (() => void)[] = []
    await page.route('**/api/upload', async (route) => {
      if (passed++ >= count) await new Promise<void>((resolve) => waiting.push(resolve))
      await route.continue()
    })
    return () => {
      passed = -Infinity
      for (const open of waiting) open()
    }
  }

  test('goes on while other pages are open, which show it and ask before the tab is closed', async ({ page }) => {
    const open = await gate(page, 1)
    await page.goto('/')
    await pick(page, ...(await photos(6)))
    await expect(zone(page).getByRole('heading')).toHaveText('Uploading 2 of 6')
    await page.getByRole('banner').getByRole('link', { name: 'Login' }).click()
    await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible()
    await expect(tray(page)).toContainText('Uploading 2 of 6')

    const question = page.waitForEvent('dialog')
    const closing = page.close({ runBeforeUnload: true })
    const dialog = await question
    expect(dialog.type()).toBe('beforeunload')
    await dialog.dismiss()
    await closing

    open()
    await expect(tray(page)).toContainText('6 images uploaded')
    await tray(page).getByRole('link', { name: 'Recent uploads' }).click()
    await expect(page.getByRole('heading', { name: '6 images uploaded together' })).toBeVisible()
    await expect(tray(page)).toHaveCount(0)
  })

  test('goes on after a reload of another page', async ({ page }) => {
    page.on('dialog', (dialog) => dialog.accept())
    const open = await gate(page, 0)
    await page.goto('/')
    await pick(page, ...(await photos(4)))
    await page.getByRole('banner').getByRole('link', { name: 'Login' }).click()
    await expect(tray(page)).toContainText('Uploading 1 of 4')
    open()
    await page.reload()
    await expect(tray(page)).toContainText(/images uploaded/)
    await page.goto('/')
    await expect(page.getByRole('heading', { name: '4 images uploaded together' })).toBeVisible()
  })

  test('ends as it began after a login in another tab, and moves into the account as a whole', async ({
    page,
    context,
  }) => {
    const open = await gate(page, 3)
    await page.goto('/')
    await pick(page, ...(await photos(8)))
    await expect(zone(page).getByRole('heading')).toHaveText('Uploading 4 of 8')
    const other = await context.newPage()
    await logIn(other)
    await other.goto('/dashboard')
    const card = (of: Page) => of.getByRole('region', { name: 'Images from this browser' })
    await expect(card(other)).toContainText('3 images')
    open()
    await expect(card(other)).toContainText('8 images')
    await expect(card(page)).toContainText('8 images')
    await card(other).getByRole('button', { name: 'Move them' }).click()
    await expect(tile(other, /photo/)).toHaveCount(8)
    await expect(card(page)).toHaveCount(0)
    await expect(tile(page, /photo/)).toHaveCount(8)
  })

  test('ends as it began after a login in its own tab, which shows how far it is', async ({ page }) => {
    const open = await gate(page, 3)
    await page.goto('/')
    await pick(page, ...(await photos(8)))
    await expect(zone(page).getByRole('heading')).toHaveText('Uploading 4 of 8')
    const email = `user-${crypto.randomUUID()}@example.com`
    await page.request.post('/api/register', { data: { email, password: 'a new user' } })
    await page.getByRole('banner').getByRole('link', { name: 'Login' }).click()
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill('a new user')
    await page.getByRole('main').getByRole('button', { name: 'Log in', exact: true }).click()
    const card = page.getByRole('region', { name: 'Images from this browser' })
    await expect(card).toContainText('3 images')
    await expect(tray(page)).toContainText('5 left')
    open()
    await expect(tray(page)).toHaveCount(0)
    await expect(card).toContainText('8 images')
    await card.getByRole('button', { name: 'Move them' }).click()
    await expect(tile(page, /photo/)).toHaveCount(8)
  })
})

test.describe('a browser that claims to be online without a server', () => {
  test.use({ expectedConsole: [/ERR_CONNECTION_REFUSED/] })

  test('asks ever more rarely, with one upload of the queue, and goes on when asked to', async ({ page }) => {
    const times: number[] = []
    let isAway = true
    await page.route('**/api/upload', (route) => {
      times.push(Date.now())
      return isAway ? route.abort('connectionrefused') : route.continue()
    })
    await page.goto('/')
    await pick(page, ...(await photos(20)))
    await expect(zone(page)).toContainText('Waiting for the connection')
    await expect.poll(() => times.length).toBeGreaterThan(4)
    // Two at first, and then one after 1, 2, 4 s: 22 in 6.5 s were seen before.
    expect(times.filter((at) => at < times[0]! + 6500).length).toBeLessThanOrEqual(6)
    isAway = false
    await zone(page).getByRole('button', { name: 'Try again now' }).click()
    await expect(zone(page).getByRole('heading')).toHaveText('20 images uploaded')
  })
})
