// Journeys with the PIN of the database view, on a server of its own: wrong PINs lock the view for all users.
import type { Page } from '@playwright/test'
import { onOwnServer } from './own-server.ts'
import { logIn, unlock } from './log-in.ts'
import { expect } from './test.ts'

const test = onOwnServer({ DB_VIEW_PIN: '0472' })
// The browser logs rejected requests by itself.
test.use({ expectedConsole: [/status of (401|403|429)|net::ERR_FAILED/] })

const button = (page: Page) => page.getByRole('button', { name: 'Database View' })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Database View' })
const box = (page: Page, at: number) => dialog(page).getByLabel(`PIN digit ${at} of 4`)
const verify = (page: Page) => dialog(page).getByRole('button', { name: 'Verify' })
const toast = (page: Page) => page.getByRole('region', { name: 'Messages' }).locator('.toast:not(.toast-gone)')
const noSelection = (page: Page) => page.getByRole('heading', { name: 'No Collection Selected' })

async function values(page: Page): Promise<string> {
  return (await Promise.all([1, 2, 3, 4].map((at) => box(page, at).inputValue()))).map((digit) => digit || '_').join('')
}

/** Dispatches a paste event without the system clipboard, which all tests share. */
const paste = (page: Page, text: string) =>
  page.evaluate((value) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text', value)
    document.activeElement?.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    )
  }, text)

test('the view is unlocked after a wrong PIN and locked again by keyboard alone', async ({ page }) => {
  await page.clock.install()
  await logIn(page)
  await page.goto('/api-docs')
  await expect(button(page)).toHaveAttribute('aria-pressed', 'false')

  await test.step('the boxes accept digits only and move the focus forward and back', async () => {
    await button(page).focus()
    await page.keyboard.press('Enter')
    await expect(box(page, 1)).toBeFocused()
    await expect(verify(page)).toBeDisabled()
    await page.keyboard.type('1x2')
    await expect.poll(() => values(page)).toBe('12__')
    await expect(box(page, 3)).toBeFocused()
    await page.keyboard.press('Backspace')
    await expect.poll(() => values(page)).toBe('1___')
    await expect(box(page, 2)).toBeFocused()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.type('9')
    await expect.poll(() => values(page)).toBe('9___')
    await page.keyboard.press('Enter')
    await expect(dialog(page).getByRole('alert')).toHaveCount(0)
  })

  await test.step('pasting fills the boxes, and Cancel clears them', async () => {
    await paste(page, ' 12-34 ')
    await expect.poll(() => values(page)).toBe('1234')
    await expect(verify(page)).toBeEnabled()
    await dialog(page).getByRole('button', { name: 'Show PIN' }).press('Enter')
    await expect(dialog(page).getByRole('button', { name: 'Show PIN' })).toHaveAttribute('aria-pressed', 'true')
    await dialog(page).getByRole('button', { name: 'Cancel' }).press('Enter')
    await expect(dialog(page)).toHaveCount(0)
    await expect(button(page)).toBeFocused()
    await button(page).press('Enter')
    await expect.poll(() => values(page)).toBe('____')
  })

  await test.step('a wrong PIN is rejected after at least half a second, and the boxes are cleared', async () => {
    await page.keyboard.type('1234')
    await page.clock.pauseAt(Date.now() + 60_000)
    const response = page.waitForResponse((from) => from.url().endsWith('/db/unlock'))
    await page.keyboard.press('Enter')
    await (await response).finished()
    await page.clock.runFor(400)
    await expect(dialog(page).getByRole('button', { name: 'Verifying...' })).toBeDisabled()
    await page.clock.runFor(100)
    await page.clock.resume()
    await expect(dialog(page).getByRole('alert')).toHaveText('Incorrect PIN. Please try again.')
    await expect(toast(page)).toHaveText(/Access Denied.*Incorrect PIN\. Please try again\./)
    await expect(toast(page)).toHaveClass(/toast-error/)
    await expect.poll(() => values(page)).toBe('____')
    await expect(box(page, 1)).toBeFocused()
    await expect(verify(page)).toBeDisabled()
  })

  await test.step('the right PIN opens the view', async () => {
    await page.keyboard.type('0472')
    await page.keyboard.press('Enter')
    // First: it leaves after some seconds.
    await expect(toast(page)).toHaveText(/Access Granted.*Welcome to Database View/)
    await expect(noSelection(page)).toBeVisible()
    await expect(dialog(page)).toHaveCount(0)
    await expect(button(page)).toHaveAttribute('aria-pressed', 'true')
    const stored = await page.evaluate(() =>
      [localStorage, sessionStorage, location.href].map((all) => JSON.stringify(all)).join(),
    )
    expect(stored).not.toContain('0472')
  })

  await test.step('a reload keeps the view unlocked, and the button locks it', async () => {
    await page.reload()
    await expect(noSelection(page)).toBeVisible()
    const told = page.waitForResponse((response) => response.url().endsWith('/db/lock'))
    await button(page).press('Enter')
    await expect(button(page)).toHaveAttribute('aria-pressed', 'false')
    await expect(noSelection(page)).toHaveCount(0)
    expect([(await told).request().method(), (await told).status()]).toEqual(['POST', 200])
    await page.reload()
    await expect(button(page)).toHaveAttribute('aria-pressed', 'false')
    await expect(dialog(page)).toHaveCount(0)
  })
})

test('a link requires the PIN, and locking elsewhere or logging out locks the view', async ({ page }) => {
  const token = await logIn(page)
  const link = '/api-docs?db=linked&doc=first'
  const { headers, request } = await unlock(page, token, '0472')
  await request.post('/db/collections/linked/documents', { headers, data: { _id: 'first' } })
  await page.evaluate(() => sessionStorage.clear())
  await page.goto(link)
  await expect(box(page, 1)).toBeFocused()
  await page.keyboard.type('0472')
  await page.keyboard.press('Enter')
  const selected = page.getByRole('link', { name: 'linked' })
  await expect(selected).toHaveAttribute('aria-current', 'true')
  await expect(page).toHaveURL(link)

  await test.step('the next request detects that another tab locked the view', async () => {
    expect((await request.post('/db/lock', { headers })).status()).toBe(200)
    await page.getByRole('button', { name: 'Refresh collections' }).click()
    await expect(dialog(page)).toContainText('The database view was locked again')
    await expect(button(page)).toHaveAttribute('aria-pressed', 'false')
    await expect(page).toHaveURL(link)
    await expect(box(page, 1)).toBeFocused()
    await page.keyboard.type('0472')
    await page.keyboard.press('Enter')
    await expect(selected).toHaveAttribute('aria-current', 'true')
  })

  await test.step('logging out leaves no view open', async () => {
    await page.getByRole('button', { name: 'Logout' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'API Documentation' })).toHaveCount(0)
    await expect.poll(() => page.evaluate(() => sessionStorage.getItem('database'))).toBeNull()
  })
})

test('the unlock ends after 15 minutes', async ({ page }) => {
  await page.clock.install()
  const token = await logIn(page)
  await unlock(page, token, '0472')
  await page.goto('/api-docs')
  await expect(noSelection(page)).toBeVisible()
  await page.clock.fastForward('15:01')
  await expect(dialog(page)).toContainText('With the PIN you go on where you were.')
  await expect(noSelection(page)).toHaveCount(0)
})

test('five wrong PINs lock the user out', async ({ page }) => {
  const token = await logIn(page)
  const headers = { authorization: `Bearer ${token}` }
  for (let at = 0; at < 4; at += 1) await page.request.post('/db/unlock', { headers, data: { pin: '9999' } })
  await page.goto('/api-docs')
  await button(page).click()
  for (const said of ['Incorrect PIN. Please try again.', /^Too many wrong PINs\. Try again in 15 minutes$/]) {
    await page.keyboard.type('9999')
    await page.keyboard.press('Enter')
    await expect(dialog(page).getByRole('alert')).toHaveText(said)
    await expect(toast(page)).toContainText(said instanceof RegExp ? 'Too many wrong PINs' : said)
    await expect(box(page, 1)).toBeFocused()
  }
})

test('an unreachable server clears nothing', async ({ page }) => {
  await logIn(page)
  await page.goto('/api-docs')
  await button(page).click()
  await page.route('**/db/unlock', (route) => route.abort())
  await page.keyboard.type('0472')
  await verify(page).click()
  await expect(dialog(page).getByRole('alert')).toHaveText('Error connecting to the server')
  await expect(toast(page)).toHaveCount(0)
  await expect.poll(() => values(page)).toBe('0472')
  await page.unroute('**/db/unlock')
  await page.keyboard.press('Enter')
  await expect(noSelection(page)).toBeVisible()
})
