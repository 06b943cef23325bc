// Second factors, passkeys and login providers in the browser: Chromium's virtual authenticator, and a real provider.
import { readFile } from 'node:fs/promises'
import type { CDPSession, Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { startOidcProvider, testClient, type TestOidcProvider } from '../server/testing/oidc-provider.ts'
import { logIn } from './log-in.ts'
import { startServer, type RunningServer } from './server.ts'
import { expect, test as base } from './test.ts'
import { toast } from './upload.ts'

const admin = { email: 'admin@example.com', password: 'secret admin' }

const test = base.extend<object, { provider: TestOidcProvider; server: RunningServer }>({
  provider: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the used fixtures from the pattern
    async ({}, use) => {
      const provider = await startOidcProvider()
      await use(provider)
      await provider.stop()
    },
    { scope: 'worker' },
  ],
  server: [
    async ({ provider }, use) => {
      const company = { ...testClient, id: 'company', name: 'Company', issuer: provider.issuer, autoCreate: true }
      const down = { ...testClient, id: 'down', name: 'Down', issuer: 'http://127.0.0.1:9' }
      const env = {
        REQUIRE_2FA: 'admins',
        ADMIN_EMAIL: admin.email,
        ADMIN_PASSWORD: admin.password,
        OIDC_PROVIDERS: JSON.stringify([company, down]),
      }
      const server = await startServer({ env })
      provider.accept(`${siteOf(server)}/login/return`)
      await use(server)
      await server.stop()
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ server }, use) => use(siteOf(server)),
})
// The browser logs refusals by itself.
test.use({ expectedConsole: [/status of (401|403|409|503)/] })

/** Browsers have no passkeys at IP addresses. */
const siteOf = ({ url }: RunningServer) => url.replace('127.0.0.1', 'localhost')

const section = (page: Page) => page.getByRole('region', { name: 'Security' })
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })

async function openAccount(page: Page): Promise<{ email: string }> {
  const token = await logIn(page)
  const answer = await page.request.get('/api/me', { headers: { authorization: `Bearer ${token}` } })
  const { user } = (await answer.json()) as { user: { email: string } }
  await page.goto('/account')
  await expect(section(page).getByText('Authenticator app')).toBeVisible()
  return user
}

async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(heading(page, 'Login')).toBeVisible()
}

async function enterPassword(page: Page, email: string, password = 'secret screens'): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('main').getByRole('button', { name: 'Log in', exact: true }).click()
}

/** @param steps after the current one: a code is accepted once, and the next one early */
const codeOf = (secret: string, steps = 0) =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: Date.now() + steps * 30_000 })

/** @returns the secret of the app, and the recovery codes */
async function setUpApp(page: Page): Promise<{ secret: string; codes: string[] }> {
  await section(page).getByRole('button', { name: 'Set up' }).click()
  const dialog = page.getByRole('dialog', { name: 'Set up an authenticator app' })
  await expect(dialog.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible()
  const secret = await dialog.getByLabel('Or enter this key in the app').inputValue()
  const code = dialog.getByLabel('Code that the app shows')
  await expect(code).toBeFocused()
  await code.fill('000000')
  await code.press('Enter')
  await expect(dialog.getByRole('alert')).toHaveText('This code is wrong, has expired or was used before')
  await code.fill(codeOf(secret))
  await code.press('Enter')
  const saved = page.getByRole('alertdialog', { name: 'Save your recovery codes' })
  await expect(saved.getByRole('listitem')).toHaveCount(10)
  const codes = await saved.getByRole('listitem').allTextContents()
  const download = page.waitForEvent('download')
  await saved.getByRole('button', { name: 'Download' }).click()
  const file = await (await download).path()
  expect((await readFile(file, 'utf8')).split('\n')).toEqual(expect.arrayContaining(codes))
  await saved.getByRole('button', { name: 'I have saved them' }).click()
  await expect(section(page).getByText(/^On since /)).toBeVisible()
  return { secret, codes }
}

test('a user sets up an authenticator app, and logs in with a code and with a recovery code', async ({ page }) => {
  const { email } = await openAccount(page)
  const { secret, codes } = await setUpApp(page)
  await expect(section(page).getByText('10 codes left')).toBeVisible()

  await logOut(page)
  await enterPassword(page, email)
  await expect(heading(page, 'Two-step verification')).toBeVisible()
  await expect(page.getByLabel('Code', { exact: true })).toBeFocused()
  await page.getByLabel('Code', { exact: true }).fill('000000')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main').getByRole('alert')).toHaveText(/^This code is wrong/)
  await page.getByLabel('Code', { exact: true }).fill(codeOf(secret, 1))
  await page.keyboard.press('Enter')
  // The address changes before the page does: a logout in between shows the first step again.
  await expect(page).toHaveURL('/dashboard')

  await logOut(page)
  await enterPassword(page, email)
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.getByLabel('Recovery code', { exact: true }).fill(codes[0] ?? '')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/dashboard')
  await page.goto('/account')
  await expect(section(page).getByText('9 codes left')).toBeVisible()
})

test('a change after more than ten minutes is confirmed with a passkey where there is one', async ({ page }) => {
  await addAuthenticator(page)
  await openAccount(page)
  await addPasskey(page, 'Laptop')
  await page.route('**/api/me/totp', (route) =>
    route.fulfill({ status: 403, json: { code: 'password_required', error: 'Confirm this' } }),
  )
  await section(page).getByRole('button', { name: 'Set up' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Confirm that it is you' })
  await expect(dialog.getByLabel('Your password')).toBeVisible()
  await page.unroute('**/api/me/totp')
  await dialog.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page.getByRole('dialog', { name: 'Set up an authenticator app' })).toBeVisible()
})

/** Makes a passkey, and takes the recovery codes that come with the first factor. */
async function addPasskey(page: Page, name: string): Promise<void> {
  await section(page).getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'I have saved them' }).click()
  await expect(section(page).getByText(/^Added .*, never used/)).toBeVisible()
}

/** An authenticator that is unlocked and touched at once. */
async function addAuthenticator(page: Page): Promise<{ cdp: CDPSession; authenticatorId: string }> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { cdp, authenticatorId }
}

test('a passkey is made, used, renamed, noticed as a copy, and removed', async ({ page }) => {
  const { cdp, authenticatorId } = await addAuthenticator(page)
  const { email } = await openAccount(page)
  const part = section(page)
  await addPasskey(page, 'Laptop')
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' })

  await test.step('the same device is not added twice', async () => {
    await part.getByRole('button', { name: 'Add a passkey' }).click()
    await dialog.getByLabel('Name').fill('Again')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await expect(dialog.getByRole('alert')).toHaveText('This device already has a passkey for this account')
    await page.keyboard.press('Escape')
  })

  await test.step('it is a login of its own, and the second factor after a password', async () => {
    await logOut(page)
    await page.getByRole('button', { name: 'Log in with a passkey' }).click()
    await expect(page).toHaveURL('/dashboard')
    await logOut(page)
    await enterPassword(page, email)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await expect(page).toHaveURL('/dashboard')
  })

  await test.step('a copy, whose counter is behind, is refused', async () => {
    await logOut(page)
    const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId })
    const [credential] = credentials
    if (!credential) throw new Error('The authenticator has no passkey')
    const { credentialId } = credential
    await cdp.send('WebAuthn.removeCredential', { authenticatorId, credentialId })
    await cdp.send('WebAuthn.addCredential', { authenticatorId, credential: { ...credential, signCount: 0 } })
    await page.getByRole('button', { name: 'Log in with a passkey' }).click()
    await expect(page.getByRole('main').getByRole('alert')).toHaveText(/a copy of it/)
    await cdp.send('WebAuthn.removeCredential', { authenticatorId, credentialId })
    await cdp.send('WebAuthn.addCredential', { authenticatorId, credential: { ...credential, signCount: 100 } })
    await page.getByRole('button', { name: 'Log in with a passkey' }).click()
    await expect(page).toHaveURL('/dashboard')
  })

  await page.goto('/account')
  await part.getByRole('button', { name: 'Rename Laptop' }).click()
  const renaming = page.getByRole('dialog', { name: 'Rename the passkey' })
  await renaming.getByLabel('Name').fill('Old laptop')
  await page.keyboard.press('Enter')
  await part.getByRole('button', { name: 'Remove Old laptop' }).click()
  const removing = page.getByRole('alertdialog', { name: 'Remove the passkey "Old laptop"?' })
  await removing.getByRole('button', { name: 'Remove' }).click()
  await expect(toast(page, 'Passkey removed')).toBeVisible()
  await expect(part.getByText('Old laptop')).toHaveCount(0)
  await logOut(page)
  await page.getByRole('button', { name: 'Log in with a passkey' }).click()
  await expect(page.getByRole('main').getByRole('alert')).toHaveText(/not known here, or was removed/)
})

test('a login at a provider leads back to the page that required it, and says when it fails', async ({
  page,
  provider,
}) => {
  const sub = crypto.randomUUID()
  const email = `${sub}@example.com`
  provider.users.set(sub, { email, email_verified: true })
  await page.goto('/account')
  await expect(page).toHaveURL('/login?next=%2Faccount')

  await test.step('a provider that is down does not hinder the other ways', async () => {
    await page.getByRole('button', { name: 'Continue with Down' }).click()
    const text = 'Down cannot be reached. Try again later, or log in another way'
    await expect(page.getByRole('main').getByRole('alert')).toHaveText(text)
  })

  await test.step('a login that is cancelled there is explained', async () => {
    await page.getByRole('button', { name: 'Continue with Company' }).click()
    await expect(page).toHaveURL('/login/return')
    const text = 'Company did not confirm the login: it was cancelled there'
    await expect(page.getByRole('main').getByRole('alert')).toHaveText(text)
  })

  await page.context().addCookies([{ name: 'user', value: sub, url: provider.issuer }])
  await page.goto('/login?next=%2Faccount')
  await page.getByRole('button', { name: 'Continue with Company' }).click()
  await expect(page).toHaveURL('/account')
  await expect(section(page).getByText(email)).toBeVisible()
  await section(page).getByRole('button', { name: 'Disconnect Company' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Disconnect Company?' })
  await dialog.getByRole('button', { name: 'Disconnect' }).click()
  await expect(dialog.getByRole('alert')).toHaveText(/^You could not log in any more/)

  await test.step('an address of a login that was not started in this tab logs no user in', async () => {
    await page.goto('/login/return?code=x&state=y')
    await expect(page.getByRole('main').getByRole('alert')).toHaveText(/^This login was not started in this tab/)
  })
})

test('an admin sets up the second factor that the site requires before anything else', async ({ page }) => {
  await page.goto('/login')
  await enterPassword(page, admin.email, admin.password)
  await expect(page).toHaveURL('/account')
  await expect(section(page).getByRole('alert')).toHaveText(/^This site requires a second factor/)
  await page.goto('/admin')
  await expect(page).toHaveURL('/account')
  await setUpApp(page)
  await expect(section(page).getByRole('alert')).toHaveCount(0)
  await page.goto('/admin')
  await expect(heading(page, 'Admin')).toBeVisible()
})
