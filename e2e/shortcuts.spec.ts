// Journeys with keyboard shortcuts, the command palette, the count in the header and the error screen.
import { AxeBuilder } from '@axe-core/playwright'
import { jpeg } from './e2e-images.ts'
import { logIn } from './log-in.ts'
import { expect, test } from './test.ts'
import { dialogByKey, keysAreHeard, uploadFor } from './upload.ts'

test('? lists the shortcuts and can switch off those of a single letter', async ({ page }) => {
  await page.goto('/terms')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('?')
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(list).toBeVisible()
  await list.getByRole('switch', { name: 'Single-key shortcuts' }).click()
  await page.keyboard.press('Escape')
  await expect(list).toHaveCount(0)

  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('?')
  await page.keyboard.press('ControlOrMeta+k')
  await expect(page.getByRole('combobox')).toBeFocused()
  await expect(list, 'off, and remembered').toHaveCount(0)

  await page.keyboard.type('keyboard')
  await page.keyboard.press('Enter')
  await list.getByRole('switch', { name: 'Single-key shortcuts' }).click()
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await expect(list).toBeVisible()
})

test('the list has every letter of the lightbox', async ({ page }) => {
  await uploadFor(page, await logIn(page), 'harbour.jpg', '30d')
  await page.goto('/dashboard')
  const image = page.getByRole('link', { name: /^harbour\.jpg/ })
  await expect(image).toBeVisible()
  await page.keyboard.press('?')
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  const keysOfImage = list.getByRole('region', { name: 'One image' }).locator('kbd')
  await expect(keysOfImage.first()).toBeVisible()
  const listed = await keysOfImage.allTextContents()
  await page.keyboard.press('Escape')
  await expect(list).toHaveCount(0)
  await image.click()
  const viewer = page.getByRole('dialog', { name: 'Image viewer' })
  await expect(viewer.getByRole('button', { name: 'Extend' })).toBeVisible()
  const keys = await viewer
    .locator('[aria-keyshortcuts]')
    .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-keyshortcuts') ?? ''))
  const letters = keys.map((key) => key.toUpperCase()).filter((key) => /^[A-Z]$/.test(key))
  expect(letters.length).toBeGreaterThan(6)
  expect(listed).toEqual(expect.arrayContaining(letters))
})

test('a shortcut letter in a text field is typed', async ({ page }) => {
  await page.goto('/login')
  await page.getByLabel('Email').pressSequentially('u?gd/')
  await expect(page.getByLabel('Email')).toHaveValue('u?gd/')
  await expect(page).toHaveURL('/login')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('U chooses an image on any page', async ({ page }) => {
  await logIn(page)
  await page.goto('/dashboard')
  await expect(page.getByRole('button', { name: 'Choose image' })).toBeVisible()
  await keysAreHeard(page)
  await dialogByKey(page, 'u')
  await page.goto('/account')
  await expect(page.getByRole('heading', { name: 'Profile' })).toBeVisible()
  await page.keyboard.press('u')
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByRole('button', { name: 'Choose image' })).toBeFocused()
})

test('G and a letter opens a page', async ({ page }) => {
  await logIn(page)
  await page.goto('/account')
  await expect(page.getByRole('heading', { name: 'Profile' })).toBeVisible()
  for (const [letter, path] of [
    ['n', '/notifications'],
    ['k', '/api-keys'],
    ['d', '/dashboard'],
  ] as const) {
    await page.keyboard.press('g')
    await page.keyboard.press(letter)
    await expect(page).toHaveURL(path)
  }
})

test('the command palette opens pages and images and returns the focus', async ({ page }) => {
  const token = await logIn(page)
  const sent = await page.request.post('/api/upload', {
    headers: { authorization: `Bearer ${token}` },
    multipart: { image: { name: 'lighthouse.jpg', mimeType: 'image/jpeg', buffer: await jpeg() } },
  })
  const { id } = (await sent.json()) as { id: string }
  await page.goto('/account')
  const email = page.getByRole('button', { name: 'Account menu' })
  await email.focus()

  await page.keyboard.press('ControlOrMeta+k')
  const field = page.getByRole('combobox', { name: 'Find a page, a command or an image' })
  await expect(field).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(email).toBeFocused()
  await expect(field).toHaveCount(0)

  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('theme')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('option', { name: 'Theme: dark' })).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(field).toHaveCount(0)

  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('lightho')
  await expect(page.getByRole('option', { name: 'lighthouse.jpg' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/dashboard?image=${id}`)
  await expect(field).toHaveCount(0)
  const viewer = page.getByRole('dialog', { name: 'Image viewer' })
  await expect(viewer).toBeVisible()
  // Over a dialog the palette does not open.
  await page.keyboard.press('Escape')
  await expect(viewer).toHaveCount(0)
  await expect(page).toHaveURL('/dashboard')

  await page.keyboard.press('ControlOrMeta+k')
  await expect(field).toBeFocused()
  await page.keyboard.type('logo')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/login')
})

test('the header shows the number of images that expire soon', async ({ page }) => {
  const token = await logIn(page)
  for (const name of ['one.jpg', 'two.jpg']) {
    const answer = await page.request.post('/api/upload', {
      headers: { authorization: `Bearer ${token}` },
      multipart: { expires_in: '1d', image: { name, mimeType: 'image/jpeg', buffer: await jpeg() } },
    })
    expect(answer.ok()).toBe(true)
  }
  await page.goto('/account')
  const link = page.getByRole('banner').getByRole('link', { name: 'Notifications, 2 images expiring soon' })
  await expect(link).toHaveText('Notifications2')

  await test.step('the bottom bar of a phone shows the number of images that expire soon', async () => {
    await page.setViewportSize({ width: 360, height: 740 })
    const bar = page.getByRole('navigation', { name: 'Main' })
    await expect(bar.getByRole('link', { name: 'Notifications, 2 images expiring soon' })).toBeVisible()
    await bar.getByRole('button', { name: 'Menu' }).click()
    await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible()
    await page.keyboard.press('Escape')
    await bar.getByRole('button', { name: 'Upload' }).click()
    await expect(page).toHaveURL('/dashboard')
    await expect(page.getByRole('button', { name: 'Choose image' })).toBeFocused()
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    const [footer, top] = [await page.getByRole('contentinfo').boundingBox(), await bar.boundingBox()]
    expect((footer?.y ?? 0) + (footer?.height ?? 0), 'nothing ends under the bar').toBeLessThanOrEqual(
      (top?.y ?? 0) + 1,
    )
  })
})

test.describe('failures of the page itself', () => {
  test.use({ expectedConsole: [/Failed to load resource|dynamically imported module/] })

  test('a page whose script fails to load offers a reload, and the rest of the site works', async ({ page }) => {
    await page.goto('/')
    await page.route('**/assets/contact-*.js', (route) => route.abort())
    await page.getByRole('link', { name: 'Contact Us' }).click()
    await expect(page.getByRole('heading', { name: 'Unexpected Application Error!' })).toBeVisible()
    await expect(page.getByText(/^Error id: \w+$/)).toBeVisible()
    await expect(page.getByRole('main').getByRole('link', { name: 'Return Home' })).toBeVisible()
    await expect(page.getByRole('banner')).toBeVisible()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.screenshot({ path: `test-results/screens/broken-1280-${colorScheme}.png` })
      expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
    }

    await page.getByRole('link', { name: 'About Us' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/About/)
    await page.goBack()
    await page.unroute('**/assets/contact-*.js')
    await page.getByRole('button', { name: 'Reload page' }).click()
    await expect(page.getByRole('heading', { name: 'Contact Us', level: 1 })).toBeVisible()
  })

  test('a page that is opened directly and whose script fails to load offers a reload', async ({ page }) => {
    await page.route('**/assets/contact-*.js', (route) => route.abort())
    await page.goto('/contact')
    await expect(page.getByRole('heading', { name: 'Unexpected Application Error!' })).toBeVisible()
    await expect(page.getByRole('banner')).toBeVisible()
    await page.unroute('**/assets/contact-*.js')
    await page.getByRole('button', { name: 'Reload page' }).click()
    await expect(page.getByRole('heading', { name: 'Contact Us', level: 1 })).toBeVisible()
    await test.step('after a reload of the next page, Back shows it again', async () => {
      await page.getByRole('link', { name: 'About Us' }).click()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(/About/)
      await page.reload()
      await page.goBack()
      await expect(page.getByRole('heading', { name: 'Contact Us', level: 1 })).toBeVisible()
    })
  })
})

test('losing and regaining the connection is shown', async ({ page }) => {
  await page.goto('/')
  const told = page.getByText('You are offline. Uploads continue when the connection is back.')
  await expect(told).toHaveCount(0)
  await page.context().setOffline(true)
  await expect(told).toBeVisible()
  await page.context().setOffline(false)
  await expect(told).toHaveCount(0)
})

test('after Ctrl+A the keys of the selected images are heard wherever the focus is, except in a text', async ({
  page,
}) => {
  const token = await logIn(page)
  for (const name of ['one.jpg', 'two.jpg']) await uploadFor(page, token, name, '30d')
  await page.goto('/dashboard')
  await expect(page.getByRole('link', { name: /^one\.jpg/ })).toBeVisible()
  await keysAreHeard(page)
  const bar = page.getByRole('region', { name: 'Selection' })
  await page.keyboard.press('Control+a')
  await expect(bar).toContainText('2 selected')
  await page.keyboard.press('b')
  const dialog = page.getByRole('dialog', { name: 'Add 2 images to album' })
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)

  const search = page.locator('main input[type=search]')
  await search.pressSequentially('b')
  await expect(dialog, 'it was typed').toHaveCount(0)
  await search.fill('')
  await expect(page.getByRole('link', { name: /^one\.jpg/ })).toBeVisible()

  await page.getByRole('button', { name: 'List', exact: true }).focus()
  await page.keyboard.press('Control+a')
  await expect(bar).toContainText('2 selected')
  await page.keyboard.press('Delete')
  await expect(page.getByRole('region', { name: 'Undo' })).toContainText('2 images deleted')
  await page.keyboard.press('Control+z')
  await expect(page.getByRole('link', { name: /^one\.jpg/ })).toBeVisible()
})
