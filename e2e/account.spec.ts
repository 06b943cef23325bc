// Journeys of a visitor with an account: registering, logging in, uploading, logging out, and the failures.
import type { Page } from '@playwright/test'
import { gif, jpegOfSize } from './e2e-images.ts'
import { expect, test } from './test.ts'
import { deletion, pick, served, toast } from './upload.ts'

const password = 'correct horse'
const newEmail = () => `visitor-${crypto.randomUUID()}@example.com`

async function fill(page: Page, email: string, secret: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(secret)
}

async function register(page: Page, email: string): Promise<void> {
  await page.goto('/register')
  await fill(page, email, password)
  await page.getByRole('main').getByRole('button', { name: 'Register' }).click()
  await expect(toast(page, 'Registration successful! You can now log in.')).toBeVisible()
  // The URL changes before the page does, and both pages have these fields.
  await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible()
}

async function login(page: Page, email: string, secret = password): Promise<void> {
  await fill(page, email, secret)
  await page.getByRole('main').getByRole('button', { name: 'Log in', exact: true }).click()
}

test('a visitor registers, logs in, uploads, deletes and logs out', async ({ page }) => {
  const email = newEmail()
  await register(page, email)
  await test.step('registering leads to the login with the email filled in, without logging in', async () => {
    await expect(page).toHaveURL('/login')
    await expect(page.getByLabel('Email')).toHaveValue(email)
    await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible()
  })

  await login(page, email)
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByRole('heading', { name: `Hello, ${email}` })).toBeVisible()
  await expect(page.getByText('No images yet.')).toBeVisible()

  const item = page.getByRole('listitem').filter({ hasText: 'cat.gif' })
  await test.step('a user uploads a GIF, which guests cannot', async () => {
    await pick(page, { name: 'cat.gif', mimeType: 'image/gif', buffer: await gif() })
    await expect(toast(page, 'Image uploaded successfully!')).toBeVisible()
    await expect(item).toHaveCount(1)
    const link = await item.getByRole('link').first().getAttribute('href')
    expect(await served(link ?? '')).toMatchObject({ status: 200, type: 'image/gif', width: 64, height: 64 })
  })

  await test.step('the image is still listed after a reload, and the landing page redirects to the dashboard', async () => {
    await page.reload()
    await expect(item).toHaveCount(1)
    await page.goto('/')
    await expect(page).toHaveURL('/dashboard')
  })

  await test.step('the Delete key deletes the image', async () => {
    // A tile this small does not show the button. The keyboard does not need it.
    await item.getByRole('link').focus()
    await page.keyboard.press('Delete')
    await expect(deletion(page)).toBeVisible()
    await expect(item).toHaveCount(0)
  })

  await test.step('logging out ends the session', async () => {
    await page.getByRole('button', { name: 'Logout' }).click()
    await expect(page).toHaveURL('/login')
    expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
    await page.goto('/dashboard')
    await expect(page).toHaveURL('/login?next=%2Fdashboard')
  })
})

test('a guarded page opens after the login that it required', async ({ page }) => {
  const email = newEmail()
  await register(page, email)
  await page.goto('/dashboard')
  await expect(page).toHaveURL('/login?next=%2Fdashboard')
  await login(page, email)
  await expect(page).toHaveURL('/dashboard')
})

test('a login redirects only to pages of this site', async ({ page }) => {
  const email = newEmail()
  await register(page, email)
  await page.goto(`/login?next=${encodeURIComponent('//example.org/')}`)
  await login(page, email)
  await expect(page).toHaveURL('/dashboard')
})

test.describe('rejected credentials', () => {
  // The browser logs a 401 or a 409 by itself.
  test.use({ expectedConsole: [/status of 4(00|01|09)/] })

  test('a session that was ended elsewhere ends on this page too', async ({ page }) => {
    const email = newEmail()
    await register(page, email)
    await login(page, email)
    await expect(page).toHaveURL('/dashboard')
    await page.evaluate(async () => {
      const token = localStorage.getItem('token')
      await fetch('/api/logout', { method: 'POST', headers: { authorization: `Bearer ${token}` } })
    })
    await page.reload()
    await expect(page).toHaveURL(/\/login/)
  })

  test('a wrong password is reported inline and as a toast, and can be typed again at once', async ({ page }) => {
    const email = newEmail()
    await register(page, email)
    await login(page, email, 'wrong password')
    await expect(toast(page, 'Invalid email or password')).toBeVisible()
    await expect(page.getByRole('main').getByRole('alert')).toHaveText('Invalid email or password')
    await expect(page).toHaveURL('/login')
    const field = page.getByLabel('Password', { exact: true })
    await expect(field).toBeFocused()
    await expect(field).toHaveAccessibleDescription(/Invalid email or password/)
    // Selected: what is typed replaces it.
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/dashboard')
    await expect(toast(page, 'Invalid email or password')).toHaveCount(0)
  })

  test('registering a taken email fails without revealing that the email is taken', async ({ page }) => {
    const email = newEmail()
    await register(page, email)
    await page.goto('/register')
    await fill(page, email, password)
    await page.getByRole('main').getByRole('button', { name: 'Register' }).click()
    await expect(page.getByRole('main').getByRole('alert')).toContainText('Registration failed')
  })

  test('a password that is easy to guess is rejected at its field, and nowhere else', async ({ page }) => {
    await page.goto('/register')
    await fill(page, newEmail(), 'Password1')
    await page.getByRole('main').getByRole('button', { name: 'Register' }).click()
    await expect(page.getByRole('main').getByRole('alert')).toHaveText(/^This password is easy to guess/)
    await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
    await expect(toast(page, /easy to guess/)).toHaveCount(0)
  })

  test('a short password is rejected at its field', async ({ page }) => {
    await page.goto('/register')
    await fill(page, newEmail(), '12345')
    await page.getByRole('main').getByRole('button', { name: 'Register' }).click()
    await expect(page.getByText('Password must be at least 6 characters long')).toBeVisible()
    await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
    await expect(page).toHaveURL('/register')
  })
})

test('a user may upload an image above the guest limit', async ({ page }) => {
  const email = newEmail()
  await register(page, email)
  await login(page, email)
  await pick(page, { name: 'large.jpg', mimeType: 'image/jpeg', buffer: await jpegOfSize(6_000_000) })
  await expect(toast(page, 'Image uploaded successfully!')).toBeVisible()
})
