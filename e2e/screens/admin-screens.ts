// Screens of the admin page.
import type { Page } from '@playwright/test'
import type { DatabaseStats } from '../../contract/endpoints/operations.ts'
import { logIn, logInAsAdmin } from '../log-in.ts'
import { expect } from '../test.ts'
import { uploadFor } from '../upload.ts'
import { daysOfMonth, type Screens } from './open-screen.ts'

export const adminScreens: Screens = {
  admin: async (page) => {
    await logInAsAdmin(page)
    await page.route('**/api/database/stats', (answer) => answer.fulfill({ json: figures() }))
    await page.goto('/admin')
    await expect(page.getByRole('heading', { name: 'Storage by owner' })).toBeVisible()
  },
  'admin-users': openUsers,
  'admin-user': async (page) => {
    await openUsers(page)
    await page.getByRole('button', { name: /^Edit dana/ }).click()
    const form = page.getByRole('dialog', { name: 'Edit user' })
    await form.getByLabel('New password').fill('secret dana')
    await expect(form.getByLabel('Your password')).toBeVisible()
  },
  'confirm-identity': async (page) => {
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
  'admin-invites': openInvites,
  'admin-invite': async (page) => {
    await openInvites(page)
    await page.getByRole('button', { name: 'Create invitation' }).click()
    const form = page.getByRole('dialog', { name: 'Create an invitation' })
    await form.getByLabel('Role').selectOption('Admin')
    await form.getByLabel('Accounts').fill('0')
    await form.getByRole('button', { name: 'Create' }).click()
    await expect(form.getByText('Enter a whole number from 1 to 1,000')).toBeVisible()
  },
  'admin-invite-link': async (page) => {
    await openInvites(page)
    await page.getByRole('button', { name: 'Create invitation' }).click()
    await page.getByRole('dialog', { name: 'Create an invitation' }).getByRole('button', { name: 'Create' }).click()
    await expect(page.getByRole('alertdialog', { name: 'Copy the link' })).toBeVisible()
  },
  'admin-images': openAdminImages,
  'admin-images-selection': async (page) => {
    await openAdminImages(page)
    await page.getByRole('button', { name: /^View one/ }).focus()
    await page.keyboard.press('x')
    await expect(page.getByRole('region', { name: 'Selected images' })).toBeVisible()
  },
  'admin-image': async (page) => {
    await openAdminImages(page)
    await page.getByRole('button', { name: /^View one/ }).click()
    await expect(page.getByRole('dialog').getByRole('img', { name: /^one/ })).toBeVisible()
  },
  'admin-image-block': async (page) => {
    await openAdminImages(page)
    await page.getByRole('button', { name: /^View one/ }).click()
    await page.getByRole('button', { name: 'Remove and block' }).click()
    await expect(page.getByRole('alertdialog', { name: 'Remove and block this image?' })).toBeVisible()
  },
  'admin-block-uploader': async (page) => {
    await page.route('**/api/admin/images?*', async (answer) => {
      const images = (await (await answer.fetch()).json()) as object[]
      await answer.fulfill({ json: images.map((image) => ({ ...image, from_own_network: false })) })
    })
    await openAdminImages(page)
    await page.getByRole('button', { name: /^View one/ }).click()
    await page.getByRole('button', { name: 'Block this network' }).click()
    await expect(page.getByRole('alertdialog', { name: 'Block this network?' })).toBeVisible()
  },
  'admin-reports': async (page) => {
    await openReports(page, '')
    await page
      .getByRole('checkbox', { name: /^Select one/ })
      .first()
      .check()
    await expect(page.getByRole('region', { name: 'Selected reports' })).toBeVisible()
  },
  'admin-reports-decided': (page) => openReports(page, '&status=decided'),
  'admin-report-decision': async (page) => {
    await openReports(page, '')
    await page.getByRole('button', { name: /^Remove one/ }).click()
    await expect(page.getByRole('alertdialog', { name: 'Remove this image?' })).toBeVisible()
  },
  'admin-blocked-images': (page) => openBlocklist(page, 'images'),
  'admin-blocked-networks': async (page) => {
    await openBlocklist(page, 'networks')
    await page.getByRole('checkbox', { name: 'Select 198.51.100.0/24' }).check()
    await expect(page.getByRole('region', { name: 'Selected blocks' })).toContainText('1 selected')
  },
  'admin-block-networks': async (page) => {
    await openBlocklist(page, 'networks')
    await page.getByRole('button', { name: 'Block', exact: true }).click()
    await page.getByRole('textbox', { name: 'Networks' }).fill('198.51.100.0/24\n2001:db8::/48')
  },
  'admin-backups': openBackups,
  'admin-cleanup': async (page) => {
    await logInAsAdmin(page)
    await page.goto('/admin?tab=cleanup')
    await expect(page.getByText('Expired images now')).toBeVisible()
  },
  'admin-audit': async (page) => {
    await logInAsAdmin(page)
    await page.route('**/api/admin/audit*', (answer) => answer.fulfill({ json: auditEntries() }))
    await page.goto('/admin?tab=audit')
    await expect(page.getByRole('rowheader')).toHaveCount(auditEntries().length)
  },
  ...Object.fromEntries(
    Object.entries({
      users: '**/api/users*',
      invites: '**/api/admin/invites*',
      images: '**/api/admin/images*',
      reports: '**/api/admin/reports*',
      'blocklist&list=images': '**/api/admin/blocked-images*',
      'blocklist&list=networks': '**/api/admin/blocked-networks*',
      backups: '**/api/database/backups*',
      audit: '**/api/admin/audit*',
    }).map(([tab, url]) => [`admin-${tab.replace(/.*=/, 'blocked-')}-empty`, openEmpty(tab, url)]),
  ),
}

function openEmpty(tab: string, url: string) {
  return async (page: Page) => {
    await logInAsAdmin(page)
    await page.route(url, (answer) => answer.fulfill({ json: tab === 'backups' ? { backups: [] } : [] }))
    await page.goto(`/admin?tab=${tab}`)
    await expect(page.locator('.list-empty')).toHaveText(/^No /)
  }
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

/** Figures of an instance in use: the real ones depend on the tests that ran before. */
function figures(): object {
  const uploadsPerDay = daysOfMonth.map((date, at) => ({
    date,
    uploads: Math.round(420 + 260 * Math.sin(at / 3) + ((at * 7919) % 130)),
  }))
  const stats: DatabaseStats = {
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
    trashedImages: 412,
    trashedBytes: 260_000_000,
    variants: { files: 91_400, bytes: 2_900_000_000 },
    uploadsPerDay,
    viewsPerDay: uploadsPerDay.map(({ date, uploads }) => ({ date, views: uploads * 37 })),
    lastBackup: new Date(Date.now() - 2 * 3_600_000).toISOString(),
    warnings: ['disk_full', 'bucket_unavailable', 'mail_unavailable', 'open_database_view', 'untrusted_proxy'],
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
