// The command palette: no key is lost while it loads, every place is found by other words, and images are acted on.
import type { CDPSession, Page } from '@playwright/test'
import { jpeg } from './e2e-images.ts'
import { logIn, logInAsAdmin } from './log-in.ts'
import { expect, test } from './test.ts'
import { tile } from './upload.ts'

const field = (page: Page) => page.getByRole('combobox', { name: /^Find a page/ })
const link = (page: Page, name: RegExp) => tile(page, name).getByRole('link', { name })
const options = (page: Page) => page.getByRole('dialog').getByRole('option')

async function uploadNamed(page: Page, token: string, ...names: string[]): Promise<void> {
  for (const name of names) {
    const image = { name, mimeType: 'image/jpeg', buffer: await jpeg() }
    await page.request.post('/api/upload', { headers: { authorization: `Bearer ${token}` }, multipart: { image } })
  }
}

/** A slow phone: 1.6 Mbit/s, 150 ms to the server, a quarter of the processor. */
async function slowDown(page: Page): Promise<CDPSession> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: 200_000,
    uploadThroughput: 93_750,
  })
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  return devtools
}

/** The script is on the way for two seconds, prefetched or not. @returns whether it has arrived */
async function delayCommands(page: Page): Promise<{ arrived: Promise<unknown> }> {
  await page.route(/site-commands[^/]*\.js/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 2000))
    await route.continue()
  })
  return { arrived: page.waitForResponse(/site-commands[^/]*\.js/) }
}

test.describe('on a slow phone', () => {
  // The service worker would have the script.
  test.use({ serviceWorkers: 'block' })

  test('what is typed from Ctrl+K on is in the field, and nothing else hears it', async ({ page }) => {
    const token = await logIn(page)
    await uploadNamed(page, token, 'example.jpg')
    await delayCommands(page)
    await page.goto('/dashboard')
    await link(page, /^example\.jpg/).focus()
    await slowDown(page)
    await page.keyboard.press('ControlOrMeta+k')
    await page.keyboard.type('exa', { delay: 25 })
    await expect(field(page)).toHaveValue('exa', { timeout: 20_000 })
    await page.keyboard.type('mple', { delay: 25 })
    await expect(field(page)).toHaveValue('example')
    await expect(page.locator('dialog[open]')).toHaveCount(1)
    await page.keyboard.press('Escape')
    await expect(page.locator('dialog[open]')).toHaveCount(0)
    await expect(link(page, /^example\.jpg/)).toBeFocused()
    await expect(page.locator('[data-selected]')).toHaveCount(0)
  })

  test('while the script of the keys hangs, Tab moves on, and Escape ends the wait', async ({ page }) => {
    let deliver = () => {}
    const held = new Promise<void>((resolve) => (deliver = resolve))
    await page.route(/\/keyboard-[^/]*\.js/, async (route) => {
      await held
      await route.continue()
    })
    const asked = page.waitForRequest(/\/keyboard-[^/]*\.js/)
    await page.goto('/')
    const start = page.getByRole('link', { name: 'Get Started' })
    await start.focus()
    await page.keyboard.press('ControlOrMeta+k')
    await asked
    await page.keyboard.type('x')
    await page.keyboard.press('Tab')
    await expect(start).not.toBeFocused()
    await page.keyboard.press('Shift+Tab')
    await expect(start).toBeFocused()
    await page.keyboard.press('Escape')
    const arrived = page.waitForResponse(/\/keyboard-[^/]*\.js/)
    deliver()
    await arrived
    // Its own key works by then, and what was typed before is gone.
    await page.keyboard.press('?')
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
    await expect(page.locator('dialog[open]')).toHaveCount(1)
    await expect(page.getByRole('heading', { name: 'Keyboard shortcuts' })).toBeFocused()
  })

  test('Escape before it is there closes it, and the keys are the page’s again', async ({ page }) => {
    const token = await logIn(page)
    await uploadNamed(page, token, 'example.jpg')
    const { arrived } = await delayCommands(page)
    await page.goto('/dashboard')
    await link(page, /^example\.jpg/).focus()
    await page.keyboard.press('ControlOrMeta+k')
    await page.keyboard.type('x')
    await page.keyboard.press('Escape')
    await page.keyboard.press('x')
    await expect(page.locator('[data-selected]')).toHaveCount(1)
    await arrived
    await expect(field(page)).toHaveCount(0)
  })
})

/** What is typed, the option that leads there, and the heading, button or row that has the focus then. */
const places: readonly [typed: string, option: RegExp, place: string][] = [
  ['2fa', /^Authenticator app/, 'Authenticator app'],
  ['totp', /^Authenticator app/, 'Authenticator app'],
  ['authenticator', /^Authenticator app/, 'Authenticator app'],
  ['passkey', /^Passkeys/, 'Passkeys'],
  ['sessions', /^Sessions/, 'Sessions'],
  ['export', /^Download all my data/, 'Download all my data'],
  ['delete account', /^Delete my account/, 'Delete my account'],
  ['digest', /^Mail/, 'Mail'],
  ['storage', /^Profile/, 'Profile'],
]

test('what was used last is the first next time, for each word of a page', async ({ page }) => {
  await logIn(page)
  for (const [typed, address] of [
    ['api docs', '/api-docs'],
    ['api keys', '/api-keys'],
    ['exports', '/account'],
  ] as const) {
    await page.goto('/dashboard')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.keyboard.press('ControlOrMeta+k')
    await expect(field(page)).toBeFocused()
    await page.keyboard.type(typed)
    await page.keyboard.press('Enter')
    await expect(page, typed).toHaveURL(address)
  }
  await page.keyboard.press('ControlOrMeta+k')
  const used = page.getByRole('group', { name: 'Recently used' }).getByRole('option')
  await expect(used).toHaveText([/Download all my data/, /API Key Management/, /API Documentation/])
  await expect(options(page).filter({ hasText: 'API Documentation' })).toHaveCount(1)
})

test('other words lead to each setting', async ({ page }) => {
  await logIn(page)
  await page.goto('/about')
  for (const [typed, option, place] of places) {
    await page.keyboard.press('ControlOrMeta+k')
    await expect(field(page)).toBeFocused()
    await page.keyboard.type(typed)
    await expect(options(page).first(), typed).toHaveAccessibleName(option)
    await page.keyboard.press('Enter')
    await expect(page.locator(':focus'), typed).toHaveText(place)
    await expect(page.locator(':focus')).toBeInViewport()
  }
})

test('other words lead to pages, tools and parts of the admin page', async ({ page }) => {
  await logInAsAdmin(page)
  await page.goto('/about')
  const pages: readonly [typed: string, address: string][] = [
    ['sharex', '/tools?client=sharex'],
    ['flameshot', '/tools?client=flameshot'],
    ['token', '/api-keys'],
    ['webhook', '/api-keys?tab=webhooks'],
    ['openapi', '/api-docs'],
    ['reports', '/admin?tab=reports'],
    ['users', '/admin?tab=users'],
    ['audit', '/admin?tab=audit'],
    ['backups', '/admin?tab=backups'],
    ['ban', '/admin?tab=blocklist'],
  ]
  for (const [typed, address] of pages) {
    await page.keyboard.press('ControlOrMeta+k')
    await expect(field(page)).toBeFocused()
    await page.keyboard.type(typed)
    await page.keyboard.press('Enter')
    await expect(page, typed).toHaveURL(address)
  }
})

test.describe('images', () => {
  test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

  test('that are recent, focused or selected are a key away, and others a search', async ({ page }) => {
    const token = await logIn(page)
    await uploadNamed(page, token, 'one.jpg', 'two.jpg')
    await page.goto('/dashboard')
    await expect(link(page, /^one\.jpg/)).toBeVisible()
    await page.keyboard.press('ControlOrMeta+k')
    await expect(page.getByRole('group', { name: 'Recent images' }).getByRole('option')).toHaveText([
      'two.jpg',
      'one.jpg',
    ])
    await page.keyboard.type('nothing like it')
    await expect(options(page)).toHaveText(['Search images for “nothing like it”'])
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\?q=nothing(%20|\+)like(%20|\+)it$/)

    await page.goto('/dashboard')
    await link(page, /^one\.jpg/).focus()
    await page.keyboard.press('ControlOrMeta+k')
    await expect(page.getByRole('group', { name: 'one.jpg', exact: true })).toBeVisible()
    await page.keyboard.type('copy')
    await expect(options(page).first()).toHaveText('Copy URL')
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('/uploads/one-')

    await page.keyboard.press('ControlOrMeta+a')
    await expect(page.locator('[data-selected]')).toHaveCount(2)
    await page.keyboard.press('ControlOrMeta+k')
    await expect(field(page)).toBeFocused()
    await page.keyboard.type('delete 2')
    await page.keyboard.press('Enter')
    await expect(page.getByText('2 images deleted')).toBeVisible()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(tile(page, /^two\.jpg/)).toBeVisible()
  })
})
