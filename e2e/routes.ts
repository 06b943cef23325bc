// Lists the screens that screens.spec.ts checks for accessibility and layout, each with how to open it.
import type { Page } from '@playwright/test'
import type { OwnSession } from '../contract/endpoints/sessions.ts'
import { keepToken, logIn, logInAsAdmin, unlock } from './log-in.ts'
import { jpeg } from './e2e-images.ts'
import { expect } from './test.ts'
import { analyze, pick, shownLink, tile } from './upload.ts'

interface Screen {
  name: string
  open: (page: Page) => Promise<void>
}

const notFound = 'not-found'
/** Only the screen `notFound` may show the page for unknown addresses. */
const route = (path: string, name = path.slice(1)): Screen => ({
  name,
  async open(page) {
    await page.goto(path)
    const heading = page.getByRole('heading', { level: 1 })
    await expect(heading).toBeVisible()
    if (name === notFound) await expect(heading).toHaveText('Page Not Found')
    else await expect(heading).not.toHaveText('Page Not Found')
  },
})

export const screens: Screen[] = [
  route('/', 'landing'),
  route('/login'),
  { name: 'login-methods', open: openLoginMethods },
  {
    name: 'login-second-factor',
    async open(page) {
      const json = { code: 'second_factor_required', error: '', challenge: 'x', factors: ['totp', 'passkey'] }
      await page.route('**/api/login', (answer) => answer.fulfill({ status: 401, json }))
      await openLoginMethods(page)
      await page.getByLabel('Email').fill('dana@example.com')
      await page.getByLabel('Password', { exact: true }).fill('secret screens')
      await page.getByRole('main').getByRole('button', { name: 'Login' }).click()
      await expect(page.getByLabel('Code', { exact: true })).toBeVisible()
    },
  },
  route('/login/return', 'login-return'),
  {
    name: 'register',
    async open(page) {
      await page.goto('/register')
      await page.getByLabel('Password', { exact: true }).fill('tiger7')
      await expect(page.getByText('8 or more characters are safer')).toBeVisible()
    },
  },
  { name: 'reset-password', open: (page) => openWith(page, '/reset-password', { mail: true }) },
  route('/reset-password#a-token', 'reset-password-choose'),
  route('/confirm-email#a-token', 'confirm-email'),
  route('/about'),
  route('/contact'),
  route('/report'),
  route('/privacy'),
  route('/tools'),
  route('/tools?client=sharex', 'tools-guest'),
  route('/terms'),
  route('/nowhere', notFound),
  { name: 'share', open: (page) => openShared(page, 'harbour.jpg', { title: 'Harbour at dusk' }) },
  { name: 'share-long', open: (page) => openShared(page, `${'a-name-without-end'.repeat(8)}.jpg`, {}) },
  route('/i/missing', 'share-missing'),
  { name: 'result', open: openResult },
  {
    name: 'embed',
    async open(page) {
      await openResult(page)
      await page.getByRole('listitem').getByRole('button', { name: 'Embed code' }).first().click()
      await expect(page.getByRole('dialog', { name: 'Embed code' })).toBeVisible()
    },
  },
  {
    name: 'contact-problems',
    async open(page) {
      await page.goto('/contact')
      await page.getByRole('button', { name: 'Send message' }).click()
      await expect(page.getByText('Name is required')).toBeVisible()
      // The focus scrolled to the field, which puts parts of the form under the header by design.
      await page.evaluate(() => scrollTo(0, 0))
    },
  },
  {
    name: 'report-problems',
    async open(page) {
      await page.goto('/report')
      await page.getByRole('button', { name: 'Send report' }).click()
      await expect(page.getByText('Image address is required')).toBeVisible()
      await page.evaluate(() => scrollTo(0, 0))
    },
  },
  { name: 'notifications', open: (page) => openNotifications(page, ['1d', '5d']) },
  { name: 'notifications-empty', open: (page) => openNotifications(page, []) },
  {
    name: 'api-keys',
    async open(page) {
      const limits = { expiresAt: '2999-01-31T12:00:00Z', uploadsPerHour: 60, maxBytes: 1024 ** 3 }
      await openApiKeys(page, [
        { name: 'CI bot', scopes: ['upload'], ...limits },
        { name: 'a key with a name '.repeat(5) },
        { name: 'Static site', scopes: ['read'] },
      ])
    },
  },
  {
    name: 'api-key-options',
    async open(page) {
      await openApiKeys(page, [])
      await page.getByLabel('Expires').selectOption('On a date...')
      await page.getByText('Limits', { exact: true }).click()
      await page.getByLabel('Uploads an hour').fill('0')
      await page.getByRole('button', { name: 'Create' }).click()
      await expect(page.getByText('Choose a day that is not over')).toBeVisible()
      await expect(page.getByText('Enter a whole number from 1 to 100,000')).toBeVisible()
    },
  },
  { name: 'tools-key', open: (page) => openTools(page, 'flameshot') },
  {
    name: 'tools-works',
    async open(page) {
      await openTools(page, 'greenshot')
      const key = /ik_[\w-]+/.exec(await page.getByRole('group', { name: 'Argument' }).innerText())?.[0] ?? ''
      await uploadFor(page, key, `${'a-name-without-end'.repeat(6)}.jpg`, '365d')
      await expect(page.getByText('It works')).toBeVisible({ timeout: 10_000 })
      await expect(page.getByRole('link', { name: 'Open the image' })).toBeVisible()
    },
  },
  { name: 'api-keys-empty', open: (page) => openApiKeys(page, []) },
  { name: 'webhooks', open: (page) => openWebhooks(page) },
  {
    name: 'webhook-options',
    async open(page) {
      await openWebhooks(page)
      await page.getByRole('button', { name: 'Add webhook' }).click()
      await page.getByRole('button', { name: 'Save' }).click()
      await expect(page.getByText('Enter a URL that begins with https:// or http://')).toBeVisible()
    },
  },
  {
    name: 'webhook-deliveries',
    async open(page) {
      await openWebhooks(page)
      await page.getByRole('button', { name: 'Send test: unknown.example' }).click()
      await expect(page.getByRole('dialog').getByText('its host is unknown')).toBeVisible({ timeout: 15_000 })
    },
  },
  {
    name: 'new-key',
    async open(page) {
      await openApiKeys(page, [])
      await page.getByLabel('Name').fill('CI bot')
      await page.getByRole('button', { name: 'Create' }).click()
      await expect(page.getByRole('alertdialog', { name: 'Copy your API key' })).toBeVisible()
    },
  },
  {
    name: 'delete-key',
    async open(page) {
      await openApiKeys(page, [{ name: 'CI bot' }])
      await page.getByRole('button', { name: 'Delete CI bot' }).click()
      await expect(page.getByRole('alertdialog', { name: 'Delete API key' })).toBeVisible()
    },
  },
  {
    name: 'analysis',
    async open(page) {
      await uploadFor(page, await logIn(page), 'harbour.jpg', '365d')
      await page.goto('/dashboard')
      await analyze(page)
      await expect(page.getByRole('dialog', { name: 'Image analysis' }).getByText('API endpoints')).toBeVisible()
      await page.getByRole('button', { name: 'Compare them' }).click()
    },
  },
  {
    name: 'lightbox',
    async open(page) {
      await uploadFor(page, await logIn(page), 'harbour.jpg', '365d')
      await page.goto('/dashboard')
      await page.getByRole('main').getByRole('link', { name: 'harbour.jpg' }).first().click()
      const viewer = page.getByRole('dialog', { name: 'Image viewer' })
      await expect(viewer.getByRole('img', { name: 'harbour.jpg' })).toBeVisible()
      await viewer.getByRole('button', { name: 'Image details' }).click()
    },
  },
  {
    name: 'dashboard',
    async open(page) {
      const token = await logIn(page)
      const names = ['one', 'a picture with a name that is far too long to be shown whole anywhere']
      for (const name of names) await uploadFor(page, token, `${name}.jpg`, '365d')
      await page.goto('/dashboard')
      for (const name of names) await expect(tile(page, new RegExp(`^${name}`))).toBeVisible()
    },
  },
  {
    name: 'dashboard-empty',
    async open(page) {
      await logIn(page)
      await page.goto('/dashboard')
      await expect(page.getByText('No images yet. Drop, paste or choose your first image.')).toBeVisible()
    },
  },
  {
    name: 'dashboard-unconfirmed',
    async open(page) {
      await logIn(page)
      await openWith(page, '/dashboard', { mail: true })
      await expect(page.getByRole('region', { name: 'Email address' })).toBeVisible()
    },
  },
  {
    name: 'account-unconfirmed-admin',
    async open(page) {
      await logInAsAdmin(page)
      await openWith(page, '/account', { mail: true })
      await expect(page.getByRole('alert').filter({ hasText: 'Confirm your address: you are an admin' })).toBeVisible()
    },
  },
  {
    name: 'dashboard-list',
    async open(page) {
      await openGallery(page)
      await page.getByRole('button', { name: 'List', exact: true }).click()
      await expect(page.getByText('900x600').first()).toBeVisible()
    },
  },
  {
    name: 'dashboard-selection',
    async open(page) {
      await openGallery(page)
      await page.getByRole('link', { name: /^picture-2d/ }).focus()
      await page.keyboard.press('x')
      await page.keyboard.press('ArrowLeft')
      await page.keyboard.press('Delete')
      await expect(page.getByRole('region', { name: 'Undo' })).toBeVisible()
      await expect(page.getByRole('region', { name: 'Selection' })).toBeVisible()
      // The undo offer stays while it has the focus.
      await page.getByRole('button', { name: 'Undo', exact: true }).focus()
    },
  },
  {
    name: 'image-sheet',
    async open(page) {
      await openGallery(page, `${'a-name-without-end'.repeat(6)}.jpg`)
      await page.getByRole('button', { name: 'List', exact: true }).click()
      await page.setViewportSize({ width: 360, height: 740 })
      await page.getByRole('button', { name: 'More actions' }).first().click()
      await expect(page.getByRole('dialog', { name: /^a-name/ })).toBeVisible()
    },
  },
  {
    name: 'views',
    async open(page) {
      await page.route('**/api/images/*/views', (answer) => answer.fulfill({ json: viewsOfMonth() }))
      await uploadFor(page, await logIn(page), 'harbour.jpg', '365d')
      await page.goto('/dashboard')
      await page.getByRole('button', { name: 'List', exact: true }).click()
      const row = page.getByRole('main').getByRole('listitem')
      await row.hover()
      const more = row.getByRole('button', { name: 'More actions' })
      const isNarrow = await more.isVisible()
      if (isNarrow) await more.click()
      await (isNarrow ? page.getByRole('dialog') : row).getByRole('button', { name: 'Views' }).click()
      await expect(page.getByRole('dialog', { name: 'Views' }).getByText('2,312 views in all')).toBeVisible()
    },
  },
  {
    name: 'dashboard-filters',
    async open(page) {
      await openGallery(page)
      await page.setViewportSize({ width: 360, height: 740 })
      await page.getByRole('button', { name: 'Filters' }).click()
      await expect(page.getByRole('dialog', { name: 'Filters' })).toBeVisible()
    },
  },
  {
    name: 'account',
    async open(page) {
      await page.route('**/api/sessions', (answer) => answer.fulfill({ json: { sessions: ownSessions() } }))
      await logIn(page)
      await page.goto('/account')
      await expect(page.getByRole('button', { name: 'Show all 7' })).toBeVisible()
    },
  },
  {
    name: 'account-deletion',
    async open(page) {
      const authorization = `Bearer ${await logIn(page)}`
      await page.request.delete('/api/me', { headers: { authorization }, data: {} })
      await page.goto('/account')
      await page.getByRole('button', { name: 'Keep my account' }).scrollIntoViewIfNeeded()
      await expect(page.getByText('Your account will be deleted on')).toBeVisible()
      await page.evaluate(() => scrollTo(0, 0))
    },
  },
  {
    name: 'delete-account',
    async open(page) {
      await logIn(page)
      await page.goto('/account')
      await page.getByRole('button', { name: 'Delete my account' }).click()
      await expect(page.getByRole('alertdialog', { name: 'Delete your account?' })).toBeVisible()
    },
  },
  {
    name: 'account-security',
    open: openSecurity,
  },
  {
    name: 'account-totp',
    async open(page) {
      await openSecurity(page, { totp: null })
      await page.getByRole('button', { name: 'Set up' }).click()
      await expect(page.getByRole('dialog', { name: 'Set up an authenticator app' })).toBeVisible()
    },
  },
  {
    name: 'account-recovery-codes',
    async open(page) {
      const recoveryCodes = Array.from({ length: 10 }, (_, at) => `k3vq-7mzd-x2pa-t6wn-b4ce-y5h${'abcdefghij'[at]}`)
      await page.route('**/api/me/recovery-codes', (answer) => answer.fulfill({ status: 201, json: { recoveryCodes } }))
      await openSecurity(page)
      await page.getByRole('button', { name: 'Create new codes' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Create new codes' }).click()
      await expect(page.getByRole('alertdialog', { name: 'Save your recovery codes' })).toBeVisible()
    },
  },
  {
    name: 'account-menu',
    async open(page) {
      await logIn(page)
      await page.goto('/account')
      await page.getByRole('button', { name: 'Account menu' }).click()
      await expect(page.getByRole('link', { name: 'API keys' })).toBeVisible()
    },
  },
  {
    name: 'log-out-everywhere',
    async open(page) {
      await logIn(page)
      await page.goto('/account')
      await page.getByRole('button', { name: 'Log out everywhere' }).click()
      await expect(page.getByRole('alertdialog', { name: 'Log out everywhere?' })).toBeVisible()
    },
  },
  { name: 'api-docs', open: (page) => openDocs(page, '#overview') },
  { name: 'api-docs-roles', open: (page) => openDocs(page, '#authentication/roles') },
  { name: 'api-docs-endpoints', open: (page) => openDocs(page, '?category=images#endpoints') },
  { name: 'api-docs-none', open: (page) => openDocs(page, '?category=auth&q=nothing#endpoints') },
  { name: 'api-docs-examples', open: (page) => openDocs(page, '#examples') },
  { name: 'endpoint', open: (page) => openDocs(page, '?e=post-api-images-id-extend-expiration#endpoints') },
  { name: 'endpoint-parameters', open: (page) => openDocs(page, '?e=post-api-users&show=parameters#endpoints') },
  { name: 'endpoint-responses', open: (page) => openDocs(page, '?e=post-api-upload&show=responses#endpoints') },
  {
    name: 'endpoint-try',
    async open(page) {
      await openDocs(page, '?e=put-api-users-userid&show=try#endpoints')
      await page.getByRole('button', { name: 'Send request' }).click()
      await expect(page.getByText('This is required')).toBeVisible()
    },
  },
  {
    name: 'endpoint-answer',
    async open(page) {
      await openDocs(page, '?e=get-api-limits&show=try#endpoints')
      await page.getByRole('button', { name: 'Send request' }).click()
      await page.getByText('Headers (').click()
      await expect(page.getByText('content-type')).toBeVisible()
    },
  },
  {
    name: 'admin',
    async open(page) {
      await logInAsAdmin(page)
      await page.route('**/api/database/stats', (answer) => answer.fulfill({ json: figures() }))
      await page.goto('/admin')
      await expect(page.getByRole('heading', { name: 'Storage by owner' })).toBeVisible()
    },
  },
  { name: 'admin-users', open: openUsers },
  {
    name: 'admin-user',
    async open(page) {
      await openUsers(page)
      await page.getByRole('button', { name: /^Edit dana/ }).click()
      const form = page.getByRole('dialog', { name: 'Edit user' })
      await form.getByLabel('New password').fill('secret dana')
      await expect(form.getByLabel('Your password')).toBeVisible()
    },
  },
  {
    name: 'confirm-identity',
    async open(page) {
      const refusal = { error: 'Confirm this with your password, or log in again', code: 'password_required' }
      await page.route('**/api/admin/promote', (answer) => answer.fulfill({ status: 403, json: refusal }))
      await openUsers(page)
      await page
        .getByRole('button', { name: /^Make admin/ })
        .first()
        .click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Make admin' }).click()
      const dialog = page.getByRole('alertdialog', { name: 'Confirm that it is you' })
      await expect(dialog.getByLabel('Your password')).toBeFocused()
    },
  },
  { name: 'admin-invites', open: openInvites },
  {
    name: 'admin-invite',
    async open(page) {
      await openInvites(page)
      await page.getByRole('button', { name: 'Create invitation' }).click()
      const form = page.getByRole('dialog', { name: 'Create an invitation' })
      await form.getByLabel('Role').selectOption('Admin')
      await form.getByLabel('Accounts').fill('0')
      await form.getByRole('button', { name: 'Create' }).click()
      await expect(form.getByText('Enter a whole number from 1 to 1,000')).toBeVisible()
    },
  },
  { name: 'admin-images', open: openAdminImages },
  {
    name: 'admin-images-selection',
    async open(page) {
      await openAdminImages(page)
      await page.getByRole('button', { name: /^View one/ }).focus()
      await page.keyboard.press('x')
      await expect(page.getByRole('region', { name: 'Selected images' })).toBeVisible()
    },
  },
  {
    name: 'admin-image',
    async open(page) {
      await openAdminImages(page)
      await page.getByRole('button', { name: /^View one/ }).click()
      await expect(page.getByRole('dialog').getByRole('img', { name: /^one/ })).toBeVisible()
    },
  },
  {
    name: 'admin-image-block',
    async open(page) {
      await openAdminImages(page)
      await page.getByRole('button', { name: /^View one/ }).click()
      await page.getByRole('button', { name: 'Remove and block' }).click()
      await expect(page.getByRole('alertdialog', { name: 'Remove and block this image?' })).toBeVisible()
    },
  },
  {
    name: 'admin-reports',
    async open(page) {
      await openReports(page, '')
      await page
        .getByRole('checkbox', { name: /^Select one/ })
        .first()
        .check()
      await expect(page.getByRole('region', { name: 'Selected reports' })).toBeVisible()
    },
  },
  { name: 'admin-reports-decided', open: (page) => openReports(page, '&status=decided') },
  {
    name: 'admin-report-decision',
    async open(page) {
      await openReports(page, '')
      await page.getByRole('button', { name: /^Remove one/ }).click()
      await expect(page.getByRole('alertdialog', { name: 'Remove this image?' })).toBeVisible()
    },
  },
  { name: 'admin-blocked-images', open: (page) => openBlocklist(page, 'images') },
  {
    name: 'admin-blocked-networks',
    async open(page) {
      await openBlocklist(page, 'networks')
      await page.getByRole('checkbox', { name: 'Select 198.51.100.0/24' }).check()
      await expect(page.getByRole('region', { name: 'Selected blocks' })).toContainText('1 selected')
    },
  },
  {
    name: 'admin-block-networks',
    async open(page) {
      await openBlocklist(page, 'networks')
      await page.getByRole('button', { name: 'Block', exact: true }).click()
      await page.getByRole('textbox', { name: 'Networks' }).fill('198.51.100.0/24\n2001:db8::/48')
    },
  },
  { name: 'admin-backups', open: openBackups },
  {
    name: 'admin-cleanup',
    async open(page) {
      await logInAsAdmin(page)
      await page.goto('/admin?tab=cleanup')
      await expect(page.getByText('Expired images now')).toBeVisible()
    },
  },
  {
    name: 'admin-audit',
    async open(page) {
      await logInAsAdmin(page)
      await page.route('**/api/admin/audit*', (answer) => answer.fulfill({ json: auditEntries() }))
      await page.goto('/admin?tab=audit')
      await expect(page.getByRole('rowheader')).toHaveCount(auditEntries().length)
    },
  },
  {
    name: 'palette',
    async open(page) {
      await logIn(page)
      await page.goto('/account')
      await expect(page.getByRole('heading', { name: 'Profile' })).toBeVisible()
      await page.keyboard.press('ControlOrMeta+k')
      await expect(page.getByRole('option', { name: 'Dashboard' })).toBeVisible()
    },
  },
  {
    name: 'shortcuts',
    async open(page) {
      await page.goto('/terms')
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await page.keyboard.press('?')
      await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
    },
  },
  {
    name: 'offline',
    async open(page) {
      await page.goto('/')
      // The page loads more after its first paint; wait until those requests are done.
      await page.waitForLoadState('networkidle')
      await page.context().setOffline(true)
      await expect(page.getByText('You are offline.')).toBeVisible()
    },
  },
  { name: 'uploads', open: openTray },
  {
    name: 'database-pin',
    async open(page) {
      await logIn(page)
      await page.goto('/api-docs')
      await page.getByRole('button', { name: 'Database View' }).click()
      await expect(page.getByRole('dialog', { name: 'Database View' })).toBeVisible()
    },
  },
  { name: 'database-empty', open: (page) => openDatabase(page, '') },
  { name: 'database', open: (page) => openDatabase(page, '?db=makes') },
  {
    name: 'database-selection',
    async open(page) {
      await openDatabase(page, '?db=makes')
      await page.getByRole('checkbox', { name: 'Select make-1', exact: true }).check()
      await page.getByRole('button', { name: 'GUI', exact: true }).click()
      await expect(page.getByText('1 selected')).toBeVisible()
    },
  },
  {
    name: 'document',
    async open(page) {
      await openDatabase(page, '?db=makes&doc=make-1')
      await expect(page.getByRole('treeitem', { name: /"completed"/ })).toBeVisible()
    },
  },
  {
    name: 'document-edit',
    async open(page) {
      await openDatabase(page, '?db=makes&doc=make-1')
      await page.getByRole('button', { name: 'Edit', exact: true }).click()
      await page.getByRole('group', { name: 'Edit document' }).getByLabel('name').fill('Changed')
      await expect(page.getByText('1 change, kept as a draft')).toBeVisible()
    },
  },
  {
    name: 'delete-collection',
    async open(page) {
      await openDatabase(page, '?db=makes')
      await page.getByRole('button', { name: 'Delete makes' }).click()
      await expect(page.getByRole('alertdialog', { name: 'Delete this collection?' })).toBeVisible()
    },
  },
]

/** Opens a page of a site with other settings. */
async function openWith(page: Page, path: string, site: object): Promise<void> {
  await page.route(path, async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replace(
      /(id="site">)([^<]*)/,
      (_, tag: string, json: string) => tag + JSON.stringify({ ...(JSON.parse(json) as object), ...site }),
    )
    await route.fulfill({ response, body })
  })
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
}

async function openInvites(page: Page): Promise<void> {
  const headers = { authorization: `Bearer ${await logInAsAdmin(page)}` }
  const of = (note: string, more: object = {}) =>
    page.request.post('/api/admin/invites', { headers, data: { note, ...more } })
  const listed = await page.request.get('/api/admin/invites', { headers })
  if (((await listed.json()) as object[]).length === 0) {
    await of('')
    await of('The Lovelace family', { maxUses: 25, days: 365 })
    await of('a note without end '.repeat(5), { maxUses: 1000 })
  }
  await page.goto('/admin?tab=invites')
  await expect(page.getByRole('rowheader', { name: 'The Lovelace family' }).first()).toBeVisible()
}

const loginProviders = ['Example Company', 'University of Somewhere'].map((name, at) => ({
  id: `provider-${at}`,
  name,
}))

/** The login page of a site with passkeys and providers. */
async function openLoginMethods(page: Page): Promise<void> {
  await openWith(page, `${siteByName}/login`, { loginProviders })
  await expect(page.getByRole('button', { name: 'Log in with a passkey' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Continue with Example Company' })).toBeVisible()
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

/** The tests' server at a host name: browsers have no passkeys at IP addresses. */
const siteByName = (process.env.E2E_URL ?? '').replace('127.0.0.1', 'localhost')

/** Of every length: an id, emails, no target, many ids. */
function auditEntries() {
  const long = `${'an.address.without.end'.repeat(4)}@example.com`
  const of = (n: number, action: string, values: object) => ({
    id: `entry-${n}`,
    created_at: new Date(Date.UTC(2026, 10, 22, 12, n)).toISOString(),
    action,
    actor: 'm5Jc8dPsUoK1wVtBx9ZeHA',
    actor_email: 'admin@example.com',
    target: null,
    target_label: null,
    address: '203.0.113.7',
    details: {},
    ...values,
  })
  return [
    of(1, 'image_deleted', { target: 'q7Xn2vTfRkG0aYhLz4WbEg', details: { owner: 'guest' } }),
    of(2, 'login_failed', {
      actor: 'guest',
      actor_email: null,
      target_label: long,
      address: 'c'.repeat(64),
      details: { code: 'wrong_credentials' },
    }),
    of(3, 'role_changed', { target: 'x', target_label: 'dana@example.com', details: { from: 'user', to: 'admin' } }),
    of(4, 'documents_deleted', {
      actor_email: long,
      target: 'a_collection_with_a_name_of_sixty_four_characters_and_no_space_',
      details: { ids: Array.from({ length: 30 }, (_, at) => `document-${at}`) },
    }),
    of(5, 'api_key_deleted', {
      target: 'q7Xn2vTfRkG0aYhLz4WbEh',
      target_label:
        'A key with a name as long as it may be, which is a hundred characters, for the camera in the hallway',
      details: { owner: 'm5Jc8dPsUoK1wVtBx9ZeHA', scopes: ['upload'], expiresAt: null, uploadsPerHour: 5 },
    }),
    of(6, 'role_changed', {
      actor: 'command_line',
      actor_email: null,
      target: 'x',
      target_label: 'dana@example.com',
      address: null,
      details: { from: 'user', to: 'admin' },
    }),
    of(7, 'settings_changed', {
      actor: 'server',
      actor_email: null,
      address: null,
      details: { RATE_LIMIT: { from: 60, to: 120 } },
    }),
  ]
}

/** Opens the database view of a new user, unlocked through the API. @param search for example '?db=makes&doc=make-1' */
async function openDatabase(page: Page, search: string): Promise<void> {
  const token = await logIn(page)
  const { request, headers } = await unlock(page, token)
  const data = Array.from({ length: 12 }, (_, at) => ({
    _id: `make-${at}`,
    name: `Make ${at}`,
    completed: at % 2 === 0,
  }))
  // Rejected when another screen created them first.
  await request.post('/db/collections/makes/documents', { headers, data })
  await page.goto(`/api-docs${search}`)
  await expect(page.getByText(search === '' ? 'No Collection Selected' : 'Make 1').first()).toBeVisible()
  await expect(page.getByRole('link', { name: 'makes' })).toBeVisible()
}

/** Opens a gallery of some images, one of them expiring soon; `first` is listed before them. */
async function openGallery(page: Page, first?: string): Promise<void> {
  const token = await logIn(page)
  for (const lifetime of ['365d', '2d', '365d']) await uploadFor(page, token, `picture-${lifetime}.jpg`, lifetime)
  if (first !== undefined) await uploadFor(page, token, first, '365d')
  await page.goto('/dashboard')
  await expect(page.getByRole('link', { name: /^picture-2d/ })).toBeVisible()
}

async function openNotifications(page: Page, lifetimes: readonly string[]): Promise<void> {
  const token = await logIn(page)
  for (const [at, lifetime] of lifetimes.entries()) await uploadFor(page, token, `picture-${at}.jpg`, lifetime)
  await page.goto('/notifications')
  await expect(page.getByRole('button', { name: /^Extend picture/ })).toHaveCount(lifetimes.length)
  if (lifetimes.length === 0) await expect(page.getByText('No images expiring soon')).toBeVisible()
}

async function openApiKeys(page: Page, keys: readonly object[]): Promise<void> {
  const token = await logIn(page)
  const headers = { authorization: `Bearer ${token}` }
  for (const data of keys) await page.request.post('/api/api-keys', { headers, data })
  await page.goto('/api-keys')
  await expect(page.getByRole('rowheader')).toHaveCount(keys.length)
  if (keys.length === 0) await expect(page.getByText("You don't have any API keys yet.")).toBeVisible()
}

/** Opens the set-up of a client with a new key. */
async function openTools(page: Page, client: string): Promise<void> {
  await logIn(page)
  await page.goto(`/tools?client=${client}`)
  await page.getByRole('button', { name: /^Create a key for / }).click()
  await expect(page.getByText(/^Waiting for an upload from /)).toBeVisible()
}

/** Two webhooks, of which one is off. */
async function openWebhooks(page: Page): Promise<void> {
  const token = await logIn(page)
  const headers = { authorization: `Bearer ${token}` }
  const long = `https://hooks.example.com/${'a-long-path/'.repeat(8)}`
  const all = ['image.uploaded', 'image.expiring', 'image.expired', 'image.deleted']
  const made = await page.request.post('/api/webhooks', { headers, data: { url: long, events: all } })
  const { id } = (await made.json()) as { id: string }
  await page.request.patch(`/api/webhooks/${id}`, { headers, data: { isActive: false } })
  const data = { url: 'https://unknown.example/hooks', events: ['image.uploaded'] }
  await page.request.post('/api/webhooks', { headers, data })
  await page.goto('/api-keys')
  await expect(page.getByText('Switched off by you.')).toBeVisible()
  await page.locator('#webhooks').scrollIntoViewIfNeeded()
}

/** Opens the documentation at the part that the URL names. */
async function openDocs(page: Page, address: string): Promise<void> {
  await logIn(page)
  await page.goto(`/api-docs${address}`)
  await expect(page.getByRole('tabpanel').first()).toBeVisible()
  if (address.includes('e=')) await expect(page.getByRole('dialog')).toBeVisible()
}

/** Uploads through the API, the only way to set the expiry. */
/** @returns the id of the image */
export async function uploadFor(page: Page, token: string, name: string, lifetime: string): Promise<string> {
  const image = { name, mimeType: 'image/jpeg', buffer: await jpeg() }
  // The field precedes the file, which the server reads last.
  const multipart = { expires_in: lifetime, image }
  const answer = await page.request.post('/api/upload', { headers: { authorization: `Bearer ${token}` }, multipart })
  expect(answer.status()).toBe(201)
  return ((await answer.json()) as { id: string }).id
}

/** Opens the upload tray with three running uploads, one queued and one rejected. */
async function openTray(page: Page): Promise<void> {
  await logIn(page)
  await page.route('**/api/upload', () => {})
  await page.goto('/dashboard')
  await page.getByRole('switch', { name: 'Upload several' }).check()
  const dialog = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose images' }).click()
  const buffer = await jpeg()
  const pictures = ['one', 'two', 'three', 'four'].map((name) => ({
    name: `${name}.jpg`,
    mimeType: 'image/jpeg',
    buffer,
  }))
  const words = { name: 'a text with a long name.txt', mimeType: 'text/plain', buffer: Buffer.from('words') }
  await (await dialog).setFiles([words, ...pictures])
  const tray = page.getByRole('region', { name: 'Uploads' })
  await expect(tray.getByText('Uploading image...')).toHaveCount(3)
}

async function openShared(page: Page, name: string, texts: object): Promise<void> {
  const token = await logIn(page)
  const id = await uploadFor(page, token, name, '5d')
  const headers = { authorization: `Bearer ${token}` }
  await page.request.patch(`/api/images/${id}`, { headers, data: { ...texts, alt: 'Boats under a red sky' } })
  await page.goto(`/i/${id}`)
  await expect(page.getByRole('img', { name: 'Boats under a red sky' })).toBeVisible()
}

async function openResult(page: Page): Promise<void> {
  await page.goto('/')
  await pick(page, { name: 'harbour.jpg', mimeType: 'image/jpeg', buffer: await jpeg() })
  await shownLink(page)
  await expect(page.getByRole('heading', { name: 'Recent uploads' })).toBeVisible()
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

/** Creates accounts under a domain of their own and opens the list filtered to them. */
async function openUsers(page: Page): Promise<void> {
  const headers = { authorization: `Bearer ${await logInAsAdmin(page)}` }
  const domain = `${crypto.randomUUID().slice(0, 8)}.example.com`
  const password = 'secret screens'
  const rows = [
    { email: `dana@${domain}`, name: 'Dana <b>Okafor</b>', role: 'admin' },
    { email: `omar@${domain}`, status: 'Inactive' },
    { email: `${'a-name-without-end'.repeat(3)}@${domain}`, name: 'Name '.repeat(18).trim() },
  ]
  for (const row of rows) await page.request.post('/api/users', { headers, data: { password, ...row } })
  await page.goto(`/admin?tab=users&q=${domain}`)
  await expect(page.getByRole('rowheader')).toHaveCount(rows.length)
}

/** Lists the images of a new user, one of them quarantined. */
async function openAdminImages(page: Page): Promise<void> {
  const token = await logIn(page)
  for (const name of ['one', 'two', 'a-name-without-end'.repeat(6)]) await uploadFor(page, token, `${name}.jpg`, '365d')
  const { user } = await (await page.request.get('/api/me', { headers: { authorization: `Bearer ${token}` } })).json()
  const headers = { authorization: `Bearer ${await logInAsAdmin(page)}` }
  const listed = await page.request.get('/api/admin/images', { headers, params: { q: user.email } })
  const [, two] = (await listed.json()) as { id: string }[]
  await page.request.post('/api/admin/images/moderate', { headers, data: { action: 'quarantine', ids: [two?.id] } })
  await page.goto(`/admin?tab=images&q=${encodeURIComponent(user.email)}`)
  await expect(page.getByText('Quarantined', { exact: true }).last()).toBeVisible()
  await expect(page.getByRole('listitem').filter({ has: page.getByRole('checkbox') })).toHaveCount(3)
}

/** Lists reports of images of a new user; reports.spec.ts tests sending them, of which an address may send few. */
async function openReports(page: Page, search: string): Promise<void> {
  const token = await logIn(page)
  for (const name of ['one.jpg', `${'a-name-without-end'.repeat(6)}.jpg`]) await uploadFor(page, token, name, '365d')
  const { user } = await (await page.request.get('/api/me', { headers: { authorization: `Bearer ${token}` } })).json()
  const headers = { authorization: `Bearer ${await logInAsAdmin(page)}` }
  const listed = await page.request.get('/api/admin/images', { headers, params: { q: user.email } })
  const images = (await listed.json()) as { id: string; original_name: string; owner: object; created_at: string }[]
  const decision = { action: 'dismiss', note: 'A licence exists', by: 'admin@example.com', decided_at: new Date() }
  const reported = images.map(({ id, original_name, owner, created_at }, at) => ({
    id,
    image_id: id,
    original_name,
    image: images[at],
    owner,
    opened_at: created_at,
    count: 24,
    reports: [
      { reason: 'copyright', comment: 'This is mine.\nSee my site.', email: 'eve@example.com', created_at },
      { reason: 'spam', comment: '', email: null, created_at },
      { reason: 'harassment', comment: 'Shows me', email: null, created_at },
      { reason: 'other', comment: 'comment-without-end'.repeat(20), email: null, created_at },
    ],
    decision: search === '' ? null : decision,
  }))
  const removed = { id: 'gone', image_id: 'gone', original_name: 'removed.jpg', image: null, owner: null, count: 1 }
  const closed = search === '' ? {} : { decision: { ...decision, action: 'image_gone', note: '', by: null } }
  const json = [...reported, { ...reported[0], ...removed, ...closed, reports: [] }]
  await page.route('**/api/admin/reports?*', (answer) => answer.fulfill({ json }))
  await page.goto(`/admin?tab=reports${search}`)
  await expect(page.getByRole('heading', { level: 3 })).toHaveCount(json.length)
}

/** Lists blocks of files and networks that no other test uses. */
async function openBlocklist(page: Page, list: 'images' | 'networks'): Promise<void> {
  const headers = { authorization: `Bearer ${await logInAsAdmin(page)}` }
  const note = 'A note without end '.repeat(10).trim()
  const post = (path: string, data: object) => page.request.post(`/api/admin/blocked-${path}`, { headers, data })
  await post('images', { images: ['a'.repeat(64), 'b'.repeat(64)], reason: note })
  await post('networks', { networks: ['198.51.100.0/24'], note, expires_at: '2999-01-01T00:00:00Z' })
  await post('networks', { networks: ['2001:db8:1111:2222:3333:4444:5555:6666'] })
  await page.goto(`/admin?tab=blocklist&list=${list}`)
  await expect(page.getByRole('rowheader')).toHaveCount(2)
}

function viewsOfMonth(): object {
  const days = daysOfMonth.map((date, at) => ({
    date,
    views: Math.round(60 + 40 * Math.sin(at / 4) + ((at * 31) % 17)),
  }))
  return { isCounted: true, total: 2312, days }
}

const dayMs = 24 * 3_600_000
const daysOfMonth = Array.from({ length: 30 }, (_, at) =>
  new Date(Date.now() - (29 - at) * dayMs).toISOString().slice(0, 10),
)

/** Figures of an instance in use: the real ones depend on the tests that ran before. */
function figures(): object {
  const uploadsPerDay = daysOfMonth.map((date, at) => ({
    date,
    uploads: Math.round(420 + 260 * Math.sin(at / 3) + ((at * 7919) % 130)),
  }))
  const stats = {
    totalUsers: 1284,
    activeUsers: 1251,
    totalImages: 48_213,
    totalStorage: 31_400_000_000,
    storageLimit: 100 * 1024 ** 3,
    guestImages: 9120,
    guestBytes: 5_210_000_000,
    guestStorageLimit: 20 * 1024 ** 3,
    expiredImages: 37,
    expiredBytes: 118_000_000,
    variants: { files: 91_400, bytes: 2_900_000_000 },
    uploadsPerDay,
    viewsPerDay: uploadsPerDay.map(({ date, uploads }) => ({ date, views: uploads * 37 })),
    lastBackup: new Date(Date.now() - 2 * 3_600_000).toISOString(),
    warnings: ['open_database_view', 'untrusted_proxy'],
    version: '0.3.0',
    newerVersion: '0.4.0',
  }
  return { ...stats, stats }
}

/** Lists one backup of each status; admin.spec.ts tests creating them. */
async function openBackups(page: Page): Promise<void> {
  await logInAsAdmin(page)
  const created_at = new Date(Date.now() - 90_000).toISOString()
  const backups = [
    { id: 'Kx3fPZ0cQ2mV7bT1aR9sLw', size: 52_000_000, created_at, status: 'running', place: 'disk', progress: 42 },
    { id: 'Zp8dYH4eW6nB2vC5xM0qJt', size: 431_000_000, created_at, status: 'completed', place: 'disk' },
    { id: 'Wm5cXE2dT8kP1gN7yU4zHs', size: 2_300_000, created_at, status: 'completed', place: 's3' },
    {
      id: 'Ra7gUK1iO3lS9hF6jD4kNy',
      size: 0,
      created_at,
      status: 'failed',
      place: 'disk',
      error: 'no space '.repeat(20).trim(),
    },
  ]
  await page.route('**/api/database/backups', (answer) => answer.fulfill({ json: { backups } }))
  await page.goto('/admin?tab=backups')
  await expect(page.getByRole('rowheader')).toHaveCount(backups.length)
}
