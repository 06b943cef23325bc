// The journey of an admin who looks for who did what.
import { readFile } from 'node:fs/promises'
import { logInAsAdmin } from './log-in.ts'
import { expect, test } from './test.ts'

test('an admin finds a failed login by its email, follows the actor and exports the entries', async ({ page }) => {
  const email = `audit-${crypto.randomUUID()}@example.com`
  await page.request.post('/api/register', { data: { email, password: 'secret audit' } })
  await page.request.post('/api/login', { data: { email, password: 'wrong' } })
  await page.request.post('/api/login', { data: { email, password: 'secret audit' } })
  await logInAsAdmin(page)
  await page.goto('/admin?tab=audit')
  await expect(page.getByRole('table', { name: 'Audit log' })).toBeVisible()

  await page.getByRole('searchbox', { name: 'Target: ID or email' }).fill(email.toUpperCase())
  const rows = page.locator('tbody').getByRole('row')
  await expect(rows).toHaveCount(2)
  await expect(rows.first()).toContainText('Login failed')
  await expect(rows.first()).toContainText('code: wrong_credentials')
  await expect(rows.first()).toContainText('Guest')
  await expect(rows.last()).toContainText('User created')

  await rows
    .last()
    .getByRole('button', { name: `Show only entries by ${email}` })
    .click()
  await page.getByRole('searchbox', { name: 'Target: ID or email' }).fill('')
  await expect(rows.first()).toContainText('Logged in')
  await page.getByLabel('Action', { exact: true }).selectOption('Logged in')
  await expect(rows).toHaveCount(1)
  await expect(page).toHaveURL(/tab=audit&actor=[\w-]{22}&action=login$/)
  await page.reload()
  await expect(rows).toHaveCount(1)

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  expect((await download).suggestedFilename()).toMatch(/^audit-log-[\d-]{10}\.csv$/)
  const lines = (await readFile(await (await download).path(), 'utf8')).trimEnd().split('\r\n')
  expect(lines).toHaveLength(2)
  expect(lines[1]).toContain(`,login,`)
  expect(lines[1]).toContain(email)

  await page.getByLabel('To', { exact: true }).fill('2020-01-01')
  await expect(page.getByText('No entries match.')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page.getByRole('cell', { name: 'Audit log exported' }).first()).toBeVisible()
  await expect(page).toHaveURL(/tab=audit$/)
})

test('more entries follow on request, and the focus moves to the first of them', async ({ page }) => {
  const token = await logInAsAdmin(page)
  const headers = { authorization: `Bearer ${token}` }
  for (let n = 0; n < 60; n++) await page.request.get('/api/admin/audit/export?actor=none', { headers })
  await page.goto('/admin?tab=audit&action=audit_exported')
  const heads = page.getByRole('rowheader')
  await expect(heads).toHaveCount(50)
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect(heads.nth(50)).toBeFocused()
  expect(await heads.count()).toBeGreaterThanOrEqual(60)
})
