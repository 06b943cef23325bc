// Journeys of an admin: figures, accounts, backups, cleanup; and that other roles do not see the page.
import { open } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { callApi, tokenOf, uploadTo } from './api-calls.ts'
import { keepToken } from './log-in.ts'
import { type RunningServer, startServer } from './server.ts'
import { expect, test } from './test.ts'
import { toast } from './upload.ts'

const admin = { email: 'boss@example.com', password: 'secret boss' }
let server: RunningServer
const tokens = { admin: '', user: '' }

test.describe.configure({ mode: 'serial' })

test.beforeAll(async () => {
  server = await startServer({ env: { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password } })
  tokens.admin = await tokenOf(server.url, 'login', admin)
  tokens.user = await tokenOf(server.url, 'register', { email: 'dana@example.com', password: 'secret dana' })
})
test.afterAll(async () => void (await server?.stop()))

const asAdmin = (path: string, more: object = {}) => callApi(server.url, path, { token: tokens.admin, ...more })

async function uploadAs(token: string, lifetime: string): Promise<void> {
  const answer = await uploadTo(server.url, { token, name: 'own.jpg', fields: { expires_in: lifetime } })
  expect(answer.status).toBe(201)
}

/** Creates an expired image: the images of a deleted account expire at once. */
async function leaveExpired(): Promise<void> {
  const email = `${crypto.randomUUID()}@example.com`
  await uploadAs(await tokenOf(server.url, 'register', { email, password: 'secret-1' }), '1d')
  const [user] = (await (await asAdmin(`/api/users?q=${email}`)).json()) as { id: string }[]
  expect((await asAdmin(`/api/users/${user?.id}`, { method: 'DELETE' })).status).toBe(200)
}

async function openAs(page: Page, token: string, path: string): Promise<void> {
  await keepToken(page, token, server.url)
  await page.goto(server.url + path)
}

const row = (page: Page, email: string) => page.getByRole('row').filter({ hasText: email })

test.describe('without the role', () => {
  // The document requests the list before it knows who the user is.
  test.use({ expectedConsole: [/status of 403/] })

  test('guests and users get the Page Not Found screen on /admin', async ({ page }) => {
    await page.goto(`${server.url}/admin`)
    await expect(page.getByRole('heading', { name: 'Page Not Found' })).toBeVisible()
    await openAs(page, tokens.user, '/admin?tab=users')
    await expect(page.getByRole('heading', { name: 'Page Not Found' })).toBeVisible()
    await page.getByRole('button', { name: 'Account menu' }).click()
    await expect(page.getByRole('link', { name: 'Developers' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Admin' })).toHaveCount(0)
  })
})

test('the overview shows the figures, and the keyboard moves through the chart', async ({ page }) => {
  await uploadAs(tokens.user, '30d')
  await openAs(page, tokens.admin, '/account')
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('link', { name: 'Admin', exact: true }).click()
  await expect(page).toHaveURL(`${server.url}/admin`)
  const figures = page.getByRole('tabpanel', { name: 'Overview' })
  await expect(figures).toContainText('2 new in 30 days, 1 admin')
  await expect(figures).toContainText('1 upload in 30 days')
  const tops = await figures
    .locator('.figures > *')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top))
  expect(new Set(tops).size, 'the figures stand in one row').toBe(1)
  await expect(figures).toContainText('1 image, ')
  const day = page.getByRole('slider', { name: 'Uploads per day' })
  await day.focus()
  await expect(day).toHaveAttribute('aria-valuetext', /: 1 upload$/)
  await page.keyboard.press('ArrowLeft')
  await expect(day).toHaveAttribute('aria-valuetext', /: 0 uploads$/)
  await page.getByText('Show as a table').first().click()
  await expect(page.getByRole('table').getByRole('row')).toHaveCount(31)
})

test('the selected tab is in view, also after the window became narrow', async ({ page }) => {
  await openAs(page, tokens.admin, '/admin?tab=cleanup')
  const tab = page.getByRole('tab', { name: 'Cleanup' })
  await expect(tab).toBeInViewport({ ratio: 1 })
  await page.setViewportSize({ width: 360, height: 740 })
  await expect(tab).toBeInViewport({ ratio: 1 })
})

test.describe('managing accounts', () => {
  // The browser logs rejected requests and the ended session by itself.
  test.use({ expectedConsole: [/status of (400|401|403|409)/] })

  test('an admin finds, creates, edits, promotes, deactivates and deletes accounts', async ({ page, browser }) => {
    await uploadAs(tokens.user, '30d')
    await openAs(page, tokens.admin, '/admin?tab=users')
    await expect(page.getByText('2 users')).toBeVisible()

    await test.step('admins cannot change or delete their own account', async () => {
      const own = row(page, admin.email)
      await expect(own).toContainText('You')
      const button = own.getByRole('button', { name: /^Delete boss@example.com/ })
      await expect(button).toHaveAccessibleName(/You cannot change your own role/)
      await expect(button).toBeDisabled()
    })

    await test.step('creating a user shows each error at its field', async () => {
      await page.getByRole('button', { name: 'New user' }).click()
      const form = page.getByRole('dialog', { name: 'New user' })
      await form.getByLabel('Email').fill('omar@example')
      await form.getByLabel('Password', { exact: true }).fill('12345')
      await form.getByRole('button', { name: 'Create user' }).click()
      await expect(form.getByText('Password must be at least 6 characters long')).toBeVisible()
      await expect(form.getByLabel('Password', { exact: true })).toBeFocused()
      await form.getByLabel('Email').fill('dana@example.com')
      await form.getByLabel('Password', { exact: true }).fill('secret omar')
      await form.getByRole('button', { name: 'Create user' }).click()
      await expect(form.getByRole('alert')).toContainText('An account with this email already exists')
      await form.getByLabel('Email').fill('omar@example.com')
      await form.getByRole('textbox', { name: 'Name', exact: true }).fill('<b>Omar</b> عمر')
      await form.getByRole('button', { name: 'Create user' }).click()
      await expect(form).toHaveCount(0)
      await expect(toast(page, 'omar@example.com was created')).toBeVisible()
      await expect(row(page, 'omar@example.com')).toContainText('<b>Omar</b> عمر')
      await expect(page.getByText('3 users')).toBeVisible()
    })

    await test.step('editing a user updates the row', async () => {
      await page.getByRole('button', { name: 'Edit omar@example.com' }).click()
      const form = page.getByRole('dialog', { name: 'Edit user' })
      await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Omar')
      await form.getByLabel('First name').fill('Omar')
      await form.getByRole('button', { name: 'Save' }).click()
      await expect(form).toHaveCount(0)
      await expect(row(page, 'omar@example.com')).not.toContainText('<b>')
      await expect(page.getByRole('button', { name: 'Edit omar@example.com' })).toBeFocused()
    })

    await test.step("a new password requires the admin's own", async () => {
      await page.getByRole('button', { name: 'Edit omar@example.com' }).click()
      const form = page.getByRole('dialog', { name: 'Edit user' })
      await expect(form.getByLabel('Your password')).toHaveCount(0)
      await form.getByLabel('New password').fill('123456')
      await form.getByRole('button', { name: 'Save' }).click()
      await expect(form.getByText('Enter your own password')).toBeVisible()
      await form.getByLabel('Your password').fill(admin.password)
      await form.getByRole('button', { name: 'Save' }).click()
      await expect(form.getByText(/^This password is easy to guess/)).toBeVisible()
      await expect(form.getByLabel('New password')).toBeFocused()
      await form.getByLabel('New password').fill('secret omar')
      await form.getByRole('checkbox', { name: 'Keep their API keys' }).check()
      await form.getByRole('button', { name: 'Save' }).click()
      await expect(form).toHaveCount(0)
      const [entry] = (await (await asAdmin('/api/admin/audit?action=password_changed')).json()) as object[]
      expect(entry).toMatchObject({ target_label: 'omar@example.com', details: { keepApiKeys: true } })
    })

    await test.step('a quota of a user is set, and cleared again', async () => {
      await page.getByRole('button', { name: 'Edit omar@example.com' }).click()
      const form = page.getByRole('dialog', { name: 'Edit user' })
      await expect(form.getByText('Uses 0 images, 0 bytes')).toBeVisible()
      await expect(form.getByRole('meter', { name: 'Storage used' })).toBeVisible()
      await form.getByLabel('Storage in GB').fill('-1')
      await form.getByRole('button', { name: 'Save' }).click()
      await expect(form.getByText('Enter a number, or leave it empty')).toBeVisible()
      await form.getByLabel('Storage in GB').fill('2.5')
      await form.getByLabel('Number of images').fill('0')
      await form.getByRole('button', { name: 'Save' }).click()
      await expect(form).toHaveCount(0)
      const omar = async () => ((await (await asAdmin('/api/users?q=omar')).json()) as object[])[0]
      expect(await omar()).toMatchObject({ quotaBytes: 2_684_354_560, quotaImages: 0, quota: { bytes: 2_684_354_560 } })
      await page.getByRole('button', { name: 'Edit omar@example.com' }).click()
      await expect(form.getByLabel('Storage in GB')).toHaveValue('2.5')
      await form.getByLabel('Storage in GB').fill('')
      await form.getByLabel('Number of images').fill('')
      await form.getByRole('button', { name: 'Save' }).click()
      await expect(form).toHaveCount(0)
      expect(await omar()).toMatchObject({ quotaBytes: null, quotaImages: null })
    })

    await test.step('a user is made admin and back', async () => {
      const omar = row(page, 'omar@example.com')
      await omar.getByRole('button', { name: /^Make admin/ }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Make admin' }).click()
      const back = omar.getByRole('button', { name: /^Make user/ })
      await expect(back).toBeFocused()
      await expect(omar.getByText('Admin', { exact: true })).toBeVisible()
      await back.click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Make user' }).click()
      await expect(omar.getByText('User', { exact: true })).toBeVisible()
    })

    await test.step('search and filters are stored in the URL', async () => {
      await page.getByRole('searchbox').fill('DANA')
      await expect(page.getByText('1 user found')).toBeVisible()
      await expect(page).toHaveURL(/q=DANA/)
      await page.getByLabel('Role', { exact: true }).selectOption('Admin')
      await expect(page.getByText('No users match.')).toBeVisible()
      await page.reload()
      await expect(page.getByText('No users match.')).toBeVisible()
      await page.getByRole('button', { name: 'Clear filters' }).click()
      await expect(page.getByText('3 users')).toBeVisible()
    })

    await test.step('deactivating a user ends their session', async () => {
      const other = await browser.newPage()
      await openAs(other, tokens.user, '/dashboard')
      await expect(other.getByRole('heading', { name: /^Hello/ })).toBeVisible()
      await page.getByRole('button', { name: 'Deactivate dana@example.com' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Deactivate' }).click()
      await expect(row(page, 'dana@example.com')).toContainText('Inactive')
      await other.reload()
      await expect(other).toHaveURL(/\/login/)
      await other.close()
    })

    await test.step('the confirmation of a deletion states what is deleted with the user', async () => {
      await page.getByRole('button', { name: 'Delete dana@example.com' }).click()
      const asked = page.getByRole('alertdialog', { name: 'Delete this user?' })
      await expect(asked).toContainText(/\d images? \(.+\) will be deleted with them/)
      await expect(asked.getByRole('button', { name: 'Cancel' })).toBeFocused()
      await asked.getByRole('button', { name: 'Delete' }).click()
      await expect(row(page, 'dana@example.com')).toHaveCount(0)
      await expect(page.getByText('2 users')).toBeVisible()
      await expect(page.locator('body'), 'the focus is not lost').not.toBeFocused()
    })
  })
})

test.describe('the expired session of an admin', () => {
  test.use({ expectedConsole: [/status of 401/] })

  test('an admin whose session ends is led to the login and back', async ({ page }) => {
    const token = await tokenOf(server.url, 'login', admin)
    await openAs(page, token, '/admin?tab=cleanup')
    await expect(page.getByText('Expired images now')).toBeVisible()
    // A request that is still under way would lead to the login before the tab is pressed.
    await page.waitForLoadState('networkidle')
    await callApi(server.url, '/api/logout', { method: 'POST', token })
    await page.getByRole('tab', { name: 'Users' }).click()
    await expect(page).toHaveURL(`${server.url}/login?next=${encodeURIComponent('/admin?tab=users')}`)
  })
})

test('users beyond the first page are reachable', async ({ page }) => {
  for (let at = 0; at < 60; at += 10)
    await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        asAdmin('/api/users', { body: { email: `many-${at + n}@example.com`, password: 'secret many' } }),
      ),
    )
  await openAs(page, tokens.admin, '/admin?tab=users&q=many')
  await expect(page.getByText('25 of 60')).toBeVisible()
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect(page.getByRole('rowheader')).toHaveCount(60)
  await expect(page.getByRole('rowheader').nth(25)).toBeFocused()
  await expect(page.getByRole('button', { name: 'Show more' })).toHaveCount(0)
})

test('a backup is started, watched from another tab, downloaded and deleted', async ({ page }) => {
  await openAs(page, tokens.admin, '/admin?tab=backups')
  await expect(page.getByText('No backups yet')).toBeVisible()
  await page.getByRole('button', { name: 'Back up now' }).click()
  await page.getByRole('tab', { name: 'Users' }).click()
  await expect(toast(page, 'Backup completed')).toBeVisible({ timeout: 30_000 })
  await page.getByRole('tab', { name: 'Backups' }).click()
  const backup = page.getByRole('row').filter({ hasText: 'Completed' })
  await expect(backup).toBeVisible()
  await expect(page.getByRole('progressbar')).toHaveCount(0)

  const download = page.waitForEvent('download')
  await backup.getByRole('button', { name: /^Download/ }).click()
  expect((await download).suggestedFilename()).toMatch(/^backup-[\dT-]+\.tar$/)
  const file = await open(await (await download).path())
  const { buffer } = await file.read(Buffer.alloc(5), 0, 5, 257)
  await file.close()
  expect(buffer.toString(), 'the mark of a tar file').toBe('ustar')

  await backup.getByRole('button', { name: /^Delete/ }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('No backups yet')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Backups' })).toBeFocused()
})

test('a cleanup removes what its preview announced', async ({ page }) => {
  await openAs(page, tokens.admin, '/admin?tab=cleanup')
  await expect(page.getByText('Expired images now')).toBeVisible()
  // The sweep runs every minute and can be faster than the test.
  await expect(async () => {
    await leaveExpired()
    await page.reload()
    await page.getByRole('button', { name: 'Clean up' }).click({ timeout: 5000 })
    const asked = page.getByRole('alertdialog', { name: 'Remove expired images?' })
    const [, what = 'nothing', size = ''] =
      /^(.+) \((.+)\) will/.exec((await asked.getByRole('paragraph').textContent()) ?? '') ?? []
    await asked.getByRole('button', { name: 'Clean up' }).click()
    const panel = page.getByRole('tabpanel', { name: 'Cleanup' })
    await expect(panel.getByText(`Deleted ${what}, freed ${size}`)).toBeVisible({ timeout: 5000 })
    await expect(page.getByRole('heading', { name: 'Cleanup' })).toBeFocused()
  }).toPass({ timeout: 45_000 })
})

test.describe('failed requests of the admin page', () => {
  test.use({ expectedConsole: [/ERR_INTERNET_DISCONNECTED/] })

  test('a failed card shows its error and can be retried, and offline no action is available', async ({ page }) => {
    let isBroken = true
    await page.route('**/api/database/stats', (route) =>
      isBroken ? route.fulfill({ contentType: 'application/json', body: '?' }) : route.continue(),
    )
    await openAs(page, tokens.admin, '/admin')
    await expect(page.getByRole('alert')).toContainText('The statistics could not be loaded')
    await expect(page.getByRole('button', { name: 'Back up now' })).toBeEnabled()
    isBroken = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('heading', { name: 'Uploads per day' })).toBeVisible()
    await page.context().setOffline(true)
    await expect(page.getByText(/^You are offline\./)).toHaveText([/Nothing can be changed/])
    await expect(page.getByRole('button', { name: 'Back up now' })).toBeDisabled()
    await page.context().setOffline(false)
  })
})

test('an admin deactivates all accounts of a script that a search finds', async ({ page }) => {
  // More than the page loads first.
  for (let n = 0; n < 30; n++) {
    const body = { email: `bot${n}@spam.example`, password: 'a long secret of a bot' }
    expect((await asAdmin('/api/users', { method: 'POST', body })).status).toBe(201)
  }
  const [, second] = (await (await asAdmin('/api/users?q=spam.example')).json()) as { id: string }[]
  const inactive = { status: 'Inactive' }
  expect((await asAdmin(`/api/users/${second?.id}`, { method: 'PUT', body: inactive })).status).toBe(200)
  await openAs(page, tokens.admin, '/admin?tab=users')
  const all = page.getByRole('button', { name: 'Deactivate all found' })
  await expect(row(page, 'bot29@spam.example')).toBeVisible()
  await expect(all, 'without a search').toHaveCount(0)
  await page.getByRole('searchbox', { name: 'Search email or name' }).fill('spam.example')
  await all.click()
  const asked = page.getByRole('alertdialog', { name: 'Deactivate all users found?' })
  await expect(asked).toContainText('29 active users found for "spam.example"')
  await asked.getByRole('button', { name: 'Deactivate all' }).click()
  await expect(toast(page, '29 users are inactive now')).toBeVisible()
  await expect(row(page, 'bot29@spam.example')).toContainText('Inactive')
  const statuses = (await (await asAdmin('/api/users?q=spam.example')).json()) as { status: string }[]
  expect(statuses.map(({ status }) => status)).toEqual(Array.from({ length: 30 }, () => 'Inactive'))
})
