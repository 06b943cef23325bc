// Screens of an account and its notifications.
import type { Page } from '@playwright/test'
import type { OwnSession } from '../../contract/endpoints/sessions.ts'
import { keepToken, logIn, logInAsAdmin } from '../log-in.ts'
import { expect } from '../test.ts'
import { uploadFor } from '../upload.ts'
import { loginProviders, openWith, siteByName, type Screens } from './open-screen.ts'

export const accountScreens: Screens = {
  account: async (page) => {
    await page.route('**/api/sessions', (answer) => answer.fulfill({ json: { sessions: ownSessions() } }))
    await logIn(page)
    await page.goto('/account')
    await expect(page.getByRole('button', { name: 'Show all 7' })).toBeVisible()
  },
  'account-deletion': async (page) => {
    const authorization = `Bearer ${await logIn(page)}`
    await page.request.delete('/api/me', { headers: { authorization }, data: {} })
    await page.goto('/account')
    await page.getByRole('button', { name: 'Keep my account' }).scrollIntoViewIfNeeded()
    await expect(page.getByText('Your account will be deleted on')).toBeVisible()
    await page.evaluate(() => scrollTo(0, 0))
  },
  'delete-account': async (page) => {
    await logIn(page)
    await page.goto('/account')
    await page.getByRole('button', { name: 'Delete my account' }).click()
    await expect(page.getByRole('alertdialog', { name: 'Delete your account?' })).toBeVisible()
  },
  'account-security': openSecurity,
  'account-totp': async (page) => {
    await openSecurity(page, { totp: null })
    await page.getByRole('button', { name: 'Set up' }).click()
    await expect(page.getByRole('dialog', { name: 'Set up an authenticator app' })).toBeVisible()
  },
  'account-passkey': async (page) => {
    await openSecurity(page)
    await page.getByRole('button', { name: 'Rename Laptop' }).click()
    await expect(page.getByRole('dialog', { name: 'Rename the passkey' }).getByLabel('Name')).toHaveValue('Laptop')
  },
  'account-recovery-codes': async (page) => {
    const recoveryCodes = Array.from({ length: 10 }, (_, at) => `k3vq-7mzd-x2pa-t6wn-b4ce-y5h${'abcdefghij'[at]}`)
    await page.route('**/api/me/recovery-codes', (answer) => answer.fulfill({ status: 201, json: { recoveryCodes } }))
    await openSecurity(page)
    await page.getByRole('button', { name: 'Create new codes' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Create new codes' }).click()
    await expect(page.getByRole('alertdialog', { name: 'Save your recovery codes' })).toBeVisible()
  },
  'account-menu': async (page) => {
    await logIn(page)
    await page.goto('/account')
    await page.getByRole('button', { name: 'Account menu' }).click()
    await expect(page.getByRole('link', { name: 'Developers' })).toBeVisible()
  },
  'log-out-everywhere': async (page) => {
    await logIn(page)
    await page.goto('/account')
    await page.getByRole('button', { name: 'Log out everywhere' }).click()
    await expect(page.getByRole('alertdialog', { name: 'Log out everywhere?' })).toBeVisible()
  },
  'account-unconfirmed-admin': async (page) => {
    await logInAsAdmin(page)
    await openWith(page, '/account', { mail: true })
    await expect(page.getByRole('alert').filter({ hasText: 'Confirm your address: you are an admin' })).toBeVisible()
  },
  notifications: (page) => openNotifications(page, ['1d', '5d']),
  'notifications-empty': (page) => openNotifications(page, []),
}

/** The account page with everything set up. @param changes of what the server responds */
async function openSecurity(page: Page, changes: object = {}): Promise<void> {
  const token = await logIn(page)
  await keepToken(page, token, siteByName)
  const at = '2026-11-01T12:00:00.000Z'
  const passkey = (name: string, lastUsedAt: string | null, isSynced: boolean) => ({
    id: name,
    name,
    isSynced,
    createdAt: at,
    lastUsedAt,
  })
  const json = {
    hasPassword: true,
    totp: { createdAt: at },
    passkeys: [passkey('Laptop', at, true), passkey('A security key with a long name '.repeat(2).trim(), null, false)],
    recoveryCodes: 8,
    identities: [{ id: 'i', provider: 'provider-0', email: 'dana@example.com', createdAt: at, lastUsedAt: at }],
    ...changes,
  }
  await page.route('**/api/me/security', (answer) => answer.fulfill({ json }))
  await openWith(page, `${siteByName}/account`, { loginProviders })
  await expect(page.getByRole('button', { name: 'Remove Laptop' })).toBeVisible()
}

async function openNotifications(page: Page, lifetimes: readonly string[]): Promise<void> {
  const token = await logIn(page)
  for (const [at, lifetime] of lifetimes.entries()) await uploadFor(page, token, `picture-${at}.jpg`, lifetime)
  await page.goto('/notifications')
  await expect(page.getByRole('button', { name: /^Extend picture/ })).toHaveCount(lifetimes.length)
  if (lifetimes.length === 0) await expect(page.getByText('No images expiring soon')).toBeVisible()
}

/** More than the list shows at first, one of them unknown. */
function ownSessions(): OwnSession[] {
  const devices = ['Firefox on Windows', 'Safari on iOS', 'curl', null, 'Samsung Internet on Android']
  return Array.from({ length: 7 }, (_, n) => ({
    id: `session-${n}`,
    device: devices[n % devices.length] ?? null,
    network: n === 2 ? '2001:db8:85a3::/48' : `203.0.113.${n}/24`,
    created_at: '2026-01-01T12:00:00.000Z',
    last_used_at: new Date(Date.now() - n ** 4 * 60_000).toISOString(),
    current: n === 0,
  }))
}
