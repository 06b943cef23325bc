// Journeys of a guest on a phone: 360 px wide, touch.
import { jpeg } from './e2e-images.ts'
import { logIn } from './log-in.ts'
import { expect, test } from './test.ts'
import { deletion, shownLink, toast, uploadFor } from './upload.ts'

test.use({ viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true })

test('a guest on a phone uploads from the album and copies the link', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/')

  await test.step('the drop zone is directly below the headline, within the first screen', async () => {
    const choose = page.getByRole('button', { name: 'Choose image' })
    await expect(choose).toBeInViewport()
    const [chooseBox, startBox] = [
      await choose.boundingBox(),
      await page.getByRole('link', { name: 'Get Started' }).boundingBox(),
    ]
    expect(chooseBox?.y).toBeLessThan(startBox?.y ?? 0)
  })

  const dialog = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose image' }).tap()
  await (await dialog).setFiles({ name: 'IMG_0001.jpg', mimeType: 'image/jpeg', buffer: await jpeg() })
  const link = await shownLink(page)
  await page.getByRole('group', { name: 'Upload an image' }).getByRole('button', { name: 'Copy URL' }).tap()
  await expect(toast(page, 'URL copied to clipboard!')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link)

  await test.step('touch targets are large enough', async () => {
    const small = await page
      .getByRole('button')
      .or(page.getByRole('link'))
      .evaluateAll((elements) =>
        elements
          .filter((element) => element.checkVisibility())
          .map((element) => ({ element, box: element.getBoundingClientRect() }))
          // The skip link is off-screen until it has the keyboard focus.
          .filter(({ box }) => box.bottom > 0 && (box.width < 24 || box.height < 24))
          .map(({ element, box }) => `${element.textContent} ${box.width}x${box.height}`),
      )
    expect(small).toEqual([])
    const buttons = await page
      .getByRole('main')
      .getByRole('button')
      .evaluateAll((elements) =>
        elements
          .filter((element) => element.checkVisibility())
          .map((element) => ({
            name: element.getAttribute('aria-label') ?? element.textContent,
            box: element.getBoundingClientRect(),
          }))
          .filter(({ box }) => box.height < 44)
          .map(({ name, box }) => `${name} ${Math.round(box.width)}x${Math.round(box.height)}`),
      )
    expect(buttons, 'buttons under 44 pixels').toEqual([])
  })

  const item = page.getByRole('listitem').filter({ hasText: 'IMG_0001.jpg' })
  await item.getByRole('button', { name: 'Delete' }).tap()
  await expect(deletion(page, 'Image deleted successfully')).toBeVisible()
  await expect(item).toHaveCount(0)
})

test('the buttons of a user are large enough for a finger', async ({ page }) => {
  await uploadFor(page, await logIn(page), 'harbour.jpg', '365d')
  for (const [path, shown] of [
    ['/dashboard', 'More actions'],
    ['/account', 'Show all shortcuts'],
  ] as const) {
    await page.goto(path)
    const main = page.getByRole('main')
    await expect(main.getByRole('button', { name: shown })).toBeVisible()
    const sizes = await main.locator('button:not([role=switch])').evaluateAll((buttons) =>
      buttons
        .filter((button) => button.checkVisibility())
        .map((button) => ({ name: button.ariaLabel ?? button.textContent, box: button.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 1 && (box.width < 44 || box.height < 44))
        .map(({ name, box }) => `${name} ${Math.round(box.width)}x${Math.round(box.height)}`),
    )
    expect(sizes, `buttons under 44 pixels on ${path}`).toEqual([])
  }
})

test('the account menu works on a phone', async ({ page }) => {
  const email = `phone-${crypto.randomUUID()}@example.com`
  await page.goto('/register')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill('secret phone')
  await page.getByRole('main').getByRole('button', { name: 'Register' }).tap()
  await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible()
  await page.getByLabel('Password', { exact: true }).fill('secret phone')
  await page.getByRole('main').getByRole('button', { name: 'Log in', exact: true }).tap()
  await expect(page).toHaveURL('/dashboard')
  await page.getByRole('button', { name: 'Account menu' }).tap()
  await page.getByRole('button', { name: 'Logout' }).tap()
  await expect(page).toHaveURL('/login')
})

test.describe('enlarged to 400 %', () => {
  test.use({ viewport: { width: 320, height: 256 }, isMobile: false, hasTouch: false, deviceScaleFactor: 1 })

  test('the selection and what stays in place leave room for the images', async ({ page }) => {
    const token = await logIn(page)
    for (const name of ['one.jpg', 'two.jpg']) await uploadFor(page, token, name, '30d')
    await page.goto('/dashboard')
    await page.getByRole('link', { name: /^one\.jpg/ }).focus()
    await page.keyboard.press('Control+a')
    const bar = page.getByRole('region', { name: 'Selection' })
    await expect(bar).toContainText('2 selected')
    const free = await page.evaluate(() => {
      scrollTo(0, document.body.scrollHeight)
      const taken = [...document.querySelectorAll('header, .toolbar, .selection-bar, .bottom-bar')]
        .map((element) => element.getBoundingClientRect())
        .reduce((sum, { top, bottom }) => sum + Math.max(0, Math.min(bottom, innerHeight) - Math.max(top, 0)), 0)
      return innerHeight - taken
    })
    expect(free).toBeGreaterThan(120)
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    const last = bar.getByRole('button').last()
    await last.focus()
    await expect(last).toBeInViewport({ ratio: 1 })
  })
})
