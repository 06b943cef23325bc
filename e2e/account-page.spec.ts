// Journeys on the account page: name, password, sessions, mails, theme, own data, deletion.
import type { Page } from '@playwright/test'
import { logIn } from './log-in.ts'
import { openWith } from './screens/open-screen.ts'
import { expect, test } from './test.ts'
import { toast } from './upload.ts'

const oldPassword = 'secret screens'
const section = (page: Page, name: string) => page.getByRole('region', { name })

test.beforeEach(async ({ page }) => {
  await logIn(page)
  await page.goto('/account')
  await expect(page.getByRole('heading', { name: 'Account', exact: true })).toBeVisible()
})

test('a user changes their name, and an empty name is rejected', async ({ page }) => {
  const profile = section(page, 'Profile')
  await expect(profile.getByText('Member since')).toBeVisible()
  await profile.getByLabel('Name').fill('  Dana Field ')
  await profile.getByRole('button', { name: 'Save' }).click()
  await expect(toast(page, 'Name saved')).toBeVisible()
  await expect(profile.getByRole('status')).toHaveText('Name saved')
  await page.reload()
  await expect(profile.getByLabel('Name')).toHaveValue('Dana Field')

  await profile.getByLabel('Name').fill('  ')
  await profile.getByRole('button', { name: 'Save' }).click()
  await expect(profile.getByRole('alert')).toHaveText('Name is required')
  await expect(profile.getByLabel('Name')).toBeFocused()
})

test.describe('changing the password and ending sessions', () => {
  test.use({ expectedConsole: [/status of 40[013]/] })

  test('a new password keeps this session and invalidates the old password', async ({ page, request }) => {
    const part = section(page, 'Password')
    const current = part.getByLabel('Current password')
    const next = part.getByLabel('New password')
    const change = part.getByRole('button', { name: 'Change password' })
    const email = (await page.getByRole('button', { name: 'Account menu' }).locator('span').first().textContent()) ?? ''

    await test.step('a short password is rejected at its field', async () => {
      await current.fill(oldPassword)
      await next.fill('12345')
      await change.click()
      await expect(part.getByRole('alert')).toHaveText('Password must be at least 6 characters long')
      await expect(next).toBeFocused()
    })

    await test.step('a common password is rejected at its field', async () => {
      await next.fill('Password1')
      await change.click()
      await expect(part.getByRole('alert')).toHaveText(/^This password is easy to guess/)
      await expect(next).toBeFocused()
    })

    await test.step('a wrong current password is reported and does not log the user out', async () => {
      await current.fill('not my password')
      await next.fill('a better secret')
      await change.click()
      await expect(part.getByRole('alert')).toHaveText('The current password is wrong')
      await expect(toast(page, 'The current password is wrong')).toHaveCount(0)
      await expect(current).toBeFocused()
      await expect(page).toHaveURL('/account')
    })

    await current.fill(oldPassword)
    await change.click()
    await expect(toast(page, 'Password changed')).toBeVisible()
    await expect(part.getByRole('status')).toHaveText('Password changed')
    await expect(current).toHaveValue('')
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Profile' })).toBeVisible()

    const login = (password: string) => request.post('/api/login', { data: { email, password } })
    expect((await login(oldPassword)).status()).toBe(401)
    expect((await login('a better secret')).status()).toBe(200)
  })

  test('logging out everywhere ends the session of another device', async ({ page, request }) => {
    const email = (await page.getByRole('button', { name: 'Account menu' }).locator('span').first().textContent()) ?? ''
    const other = await request.post('/api/login', { data: { email, password: oldPassword } })
    const { token } = (await other.json()) as { token: string }
    const me = () => request.get('/api/me', { headers: { authorization: `Bearer ${token}` } })
    expect((await me()).status()).toBe(200)

    await page.getByRole('button', { name: 'Log out everywhere' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Log out everywhere?' })
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await dialog.getByRole('button', { name: 'Log out everywhere' }).click()
    await expect(toast(page, 'You are logged out everywhere')).toBeVisible()
    await expect(page).toHaveURL('/login')
    expect((await me()).status()).toBe(401)
  })

  test('API keys end with a new password and with logging out everywhere, unless a checkbox keeps them', async ({
    page,
    request,
  }) => {
    const keep = page.getByRole('checkbox', { name: 'Keep my API keys' })
    const newKey = async () => {
      const token = await page.evaluate(() => localStorage.getItem('token'))
      const made = await request.post('/api/api-keys', { headers: { authorization: `Bearer ${token}` }, data: {} })
      return ((await made.json()) as { key: string }).key
    }
    const statusOf = async (key: string) =>
      (await request.get('/api/images', { headers: { authorization: `Bearer ${key}` } })).status()
    const part = section(page, 'Password')
    const change = async (from: string, to: string) => {
      await part.getByLabel('Current password').fill(from)
      await part.getByLabel('New password').fill(to)
      await part.getByRole('button', { name: 'Change password' }).click()
      await expect(part.getByRole('status')).toHaveText('Password changed')
    }

    const key = await newKey()
    await keep.check()
    await change(oldPassword, 'a better secret')
    expect(await statusOf(key)).toBe(200)
    await expect(keep).not.toBeChecked()
    await change('a better secret', 'the best secret')
    expect(await statusOf(key)).toBe(401)

    const other = await newKey()
    await page.getByRole('button', { name: 'Log out everywhere' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Log out everywhere?' })
    await expect(dialog.getByRole('checkbox', { name: 'Keep my API keys' })).not.toBeChecked()
    await dialog.getByRole('button', { name: 'Log out everywhere' }).click()
    await expect(page).toHaveURL('/login')
    expect(await statusOf(other)).toBe(401)
  })

  test('a session that ends while the page is open is reported and leads to the login and back', async ({ page }) => {
    // No other request may meet the end of the session.
    await page.waitForLoadState('networkidle')
    await page.evaluate(async () => {
      const headers = { authorization: `Bearer ${localStorage.getItem('token')}` }
      await fetch('/api/logout', { method: 'POST', headers })
    })
    await page.getByRole('link', { name: 'Dashboard' }).click()
    await expect(toast(page, 'Authentication required')).toBeVisible()
    await expect(page).toHaveURL('/login?next=%2Fdashboard')
    expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
  })
})

test('a user sees other sessions, ends one of them, then all', async ({ page, request }) => {
  const email = (await page.getByRole('button', { name: 'Account menu' }).locator('span').first().textContent()) ?? ''
  const logInWith = async (userAgent: string) => {
    const answer = await request.post('/api/login', {
      data: { email, password: oldPassword },
      headers: { 'user-agent': userAgent },
    })
    return ((await answer.json()) as { token: string }).token
  }
  const statusOf = async (token: string) =>
    (await request.get('/api/me', { headers: { authorization: `Bearer ${token}` } })).status()
  const tokens = [await logInWith('curl/8.14.1'), await logInWith('Wget/1.25'), await logInWith('Mozilla/5.0 (Linux)')]
  await page.reload()
  const part = section(page, 'Sessions')
  const rows = part.getByRole('listitem')
  await expect(rows).toHaveCount(4)
  await expect(rows.first()).toContainText('This session')

  const end = part.getByRole('button', { name: /^End the session: curl/ })
  await end.focus()
  await page.keyboard.press('Enter')
  await expect(toast(page, 'The session has ended')).toBeVisible()
  await expect(rows).toHaveCount(3)
  await expect(part.getByRole('button', { name: /^End the session/ }).last()).toBeFocused()
  expect(await Promise.all(tokens.map(statusOf))).toEqual([401, 200, 200])

  await part.getByRole('button', { name: 'End all other sessions' }).click()
  await expect(rows).toHaveCount(1)
  await expect(part.getByRole('button', { name: 'Log out everywhere' })).toBeFocused()
  expect(await Promise.all(tokens.map(statusOf))).toEqual([401, 401, 401])
  await page.reload()
  await expect(rows).toHaveCount(1)
})

test('a user downloads all data', async ({ page }) => {
  const download = page.waitForEvent('download')
  await section(page, 'Your data').getByRole('button', { name: 'Download all my data' }).click()
  expect((await download).suggestedFilename()).toMatch(/^image-host-data-[\d-]+\.tar$/)
  expect(await (await download).failure()).toBeNull()
})

test('a user asks for the deletion of the account, keeps it, then deletes it at once', async ({ page, request }) => {
  const token = await page.evaluate(() => localStorage.getItem('token'))
  const part = section(page, 'Your data')
  const dialog = page.getByRole('alertdialog', { name: 'Delete your account?' })
  const ask = part.getByRole('button', { name: 'Delete my account' })
  await ask.click()
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await expect(dialog.getByRole('radio', { name: 'In 7 days' })).toBeChecked()
  await dialog.getByRole('button', { name: 'Delete in 7 days' }).click()
  await expect(toast(page, 'Your account will be deleted in 7 days')).toBeVisible()
  await page.reload()
  await expect(part.getByText('Your account will be deleted on')).toBeVisible()
  await part.getByRole('button', { name: 'Keep my account' }).click()
  await expect(part.getByRole('status')).toHaveText('Your account will not be deleted')

  await ask.click()
  await dialog.getByRole('radio', { name: 'Now' }).check()
  await dialog.getByRole('button', { name: 'Delete now' }).click()
  await expect(toast(page, 'Your account has been deleted')).toBeVisible()
  await expect(page).toHaveURL('/login')
  expect((await request.get('/api/me', { headers: { authorization: `Bearer ${token}` } })).status()).toBe(401)
})

test('a user switches off mails about expiring images, where the site sends mail', async ({ page }) => {
  const mail = page.getByRole('switch', { name: 'Mail about expiring images' })
  await expect(page.getByText('This site sends no mail, so there is nothing to switch on.')).toBeVisible()
  await expect(mail).not.toBeChecked()

  await openWith(page, '/account', { mail: true })
  await expect(mail).toBeChecked()
  await mail.click()
  await expect(toast(page, 'Mails about expiring images are off')).toBeVisible()
  await expect(mail).not.toBeChecked()
  await page.reload()
  await expect(mail).not.toBeChecked()
})

test('the chosen theme survives a reload', async ({ page }) => {
  await page.getByRole('radio', { name: 'Dark' }).check({ force: true })
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await page.reload()
  await expect(page.getByRole('radio', { name: 'Dark' })).toBeChecked()
})
