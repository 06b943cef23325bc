// Screens before the login.
import type { Page } from '@playwright/test'
import { expect } from '../test.ts'
import { loginProviders, openWith, route, siteByName, type Screens } from './open-screen.ts'

export const loginScreens: Screens = {
  login: route('/login'),
  'login-methods': openLoginMethods,
  'login-second-factor': async (page) => {
    const json = { code: 'second_factor_required', error: '', challenge: 'x', factors: ['totp', 'passkey'] }
    await page.route('**/api/login', (answer) => answer.fulfill({ status: 401, json }))
    await openLoginMethods(page)
    await page.getByLabel('Email').fill('dana@example.com')
    await page.getByLabel('Password', { exact: true }).fill('secret screens')
    await page.getByRole('main').getByRole('button', { name: 'Log in', exact: true }).click()
    await expect(page.getByLabel('Code', { exact: true })).toBeVisible()
  },
  'login-return': route('/login/return'),
  register: async (page) => {
    await page.goto('/register')
    await page.getByLabel('Password', { exact: true }).fill('tiger7')
    await expect(page.getByText('8 or more characters are safer')).toBeVisible()
  },
  'reset-password': (page) => openWith(page, '/reset-password', { mail: true }),
  'reset-password-choose': route('/reset-password#a-token'),
  'confirm-email': route('/confirm-email#a-token'),
}

/** The login page of a site with passkeys and providers. */
async function openLoginMethods(page: Page): Promise<void> {
  await openWith(page, `${siteByName}/login`, { loginProviders })
  await expect(page.getByRole('button', { name: 'Log in with a passkey' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Continue with Example Company' })).toBeVisible()
}
