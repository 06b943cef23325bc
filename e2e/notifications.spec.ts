// Journeys of a user with images that expire soon: sorting, extending one or all, failures.
import type { Page } from '@playwright/test'
import { logIn } from './log-in.ts'
import { expect, test } from './test.ts'
import { toast, uploadFor } from './upload.ts'

const rows = (page: Page) => page.getByRole('region', { name: 'Expiration Alerts' }).getByRole('listitem')
const extend = (page: Page, name: string) => page.getByRole('button', { name: `Extend ${name}` })
const red = /text-danger/

async function open(page: Page, lifetimes: Record<string, string>): Promise<string> {
  const token = await logIn(page)
  for (const [name, lifetime] of Object.entries(lifetimes)) await uploadFor(page, token, name, lifetime)
  await page.goto('/notifications')
  return token
}

test('the page reports that nothing expires soon', async ({ page }) => {
  await open(page, { 'kept.jpg': '30d' })
  await expect(page.getByText('No images expiring soon')).toBeVisible()
  const facts = page.getByRole('complementary', { name: 'About Image Expiration' }).getByRole('listitem')
  await expect(facts).toHaveText([
    'Images are kept 365 days by default.',
    'Users are notified when images are within 7 days of expiry.',
    'Any image can be extended to 1 year from today.',
    'Expired images are automatically removed.',
  ])
})

test('a user extends one image, then all others', async ({ page }) => {
  await open(page, { 'five.jpg': '5d', 'one.jpg': '1d', 'two.jpg': '2d', 'kept.jpg': '30d' })
  await test.step('images are sorted by date with their count, red at 2 days or less', async () => {
    await expect(page.getByText('3 image(s) expiring soon')).toBeVisible()
    await expect(rows(page)).toContainText(['one.jpg', 'two.jpg', 'five.jpg'])
    await expect(page.getByText('Expires tomorrow')).toHaveClass(red)
    await expect(page.getByText('Expires in 2 days')).toHaveClass(red)
    await expect(page.getByText('Expires in 5 days')).not.toHaveClass(red)
  })

  await test.step('extending one image shows a check mark and the new date, removes the image and moves the focus', async () => {
    await extend(page, 'one.jpg').click()
    await expect(toast(page, 'Expiration extended to 1 year')).toBeVisible()
    const first = rows(page).filter({ hasText: 'one.jpg' })
    await expect(first).toContainText(`Kept until ${inOneYear()}`)
    await expect(page.getByText('2 image(s) expiring soon')).toBeVisible()
    await expect(extend(page, 'two.jpg')).toBeFocused()
    await expect(first).toHaveCount(0)
    await expect(rows(page)).toHaveCount(2)
  })

  await test.step('extending all images empties the list', async () => {
    await page.getByRole('button', { name: 'Extend all' }).click()
    await expect(toast(page, 'Expiration extended to 1 year')).toBeVisible()
    await expect(page.getByText('No images expiring soon')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Expiration Alerts' })).toBeFocused()
    await page.reload()
    await expect(page.getByText('No images expiring soon')).toBeVisible()
  })
})

test('the button shows the running request, and a failure enables it again', async ({ page }) => {
  await open(page, { 'one.jpg': '1d' })
  let answer = () => {}
  const asked = new Promise<void>((resolve) => (answer = resolve))
  await page.route('**/extend-expiration', async (route) => {
    await asked
    await route.fulfill({ status: 200, contentType: 'application/json', body: 'no JSON' })
  })
  await extend(page, 'one.jpg').click()
  await expect(page.getByRole('button', { name: 'Extending...' })).toBeDisabled()
  answer()
  await expect(toast(page, 'Failed to extend expiration date')).toBeVisible()
  await expect(extend(page, 'one.jpg')).toBeEnabled()
  await expect(extend(page, 'one.jpg')).toBeFocused()
})

test('a list of notifications that failed to load can be retried', async ({ page }) => {
  await logIn(page)
  let isBroken = true
  await page.route('**/api/expiring-images', (route) =>
    isBroken ? route.fulfill({ status: 200, contentType: 'application/json', body: '?' }) : route.continue(),
  )
  await page.goto('/notifications')
  await expect(page.getByRole('alert').filter({ hasText: 'Failed to fetch expiring images' })).toBeVisible()
  // The badge asks for the same list, and would load it before the click.
  await page.waitForLoadState('networkidle')
  isBroken = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('No images expiring soon')).toBeVisible()
})

test('the page requires a login', async ({ page }) => {
  await page.goto('/notifications')
  await expect(page).toHaveURL('/login?next=%2Fnotifications')
})

function inOneYear(): string {
  const date = new Date()
  date.setDate(date.getDate() + 365)
  return date.toLocaleDateString('en-US', { day: 'numeric', month: 'short', year: 'numeric' })
}
