// Every action that is done through the API is found in the audit log: who, what, when, from where.
import { readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildCatalogue } from '../../../contract/derive/catalogue.ts'
import { requestOf } from '../../../contract/derive/samples/request.ts'
import { api } from '../../../contract/endpoints/api.ts'
import type { AuditEntry } from '../../../contract/endpoints/audit.ts'
import { type AuditAction, auditActions, otherActors } from '../../../contract/plain/audit-actions.ts'
import type { Endpoint } from '../../../contract/endpoints/endpoint.ts'
import { limits } from '../../../contract/plain/limits.ts'
import { type RouteName, routes } from '../../../contract/plain/routes.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { rows, type SampleHost, startSampleHost } from '../../testing/sample-rows.ts'
import { jpeg } from '../../testing/test-images.ts'
import { createMailLink } from '../accounts/email/mail-links.ts'
import { sweepExpired } from '../images/deletion/sweep.ts'
import { eraseFromAuditLog } from './erase-from-audit-log.ts'
import { unsubscribeUrl } from '../mail/unsubscribe.ts'

const adminLogin = { email: 'boss@example.com', password: 'boss-secret' }
const currentPassword = adminLogin.password
const pin = '4711'
let app: TestApp
let picture: Buffer
let admin: { id: string; token: string }
beforeAll(async () => {
  app = await startTestApp({ ADMIN_EMAIL: adminLogin.email, ADMIN_PASSWORD: adminLogin.password, DB_VIEW_PIN: pin })
  picture = await jpeg(20, 20)
  const { body } = await app.call('POST', '/api/login', { body: adminLogin })
  admin = { id: body.user.id, token: body.token }
})
afterAll(() => app.stop())

const asAdmin = (method: string, path: string, body?: unknown) => app.call(method, path, { token: admin.token, body })
const find = async (query: Record<string, string>): Promise<AuditEntry[]> =>
  (await asAdmin('GET', `/api/admin/audit?${new URLSearchParams(query).toString()}`)).body

async function unlock(token: string): Promise<Record<string, string>> {
  const { body } = await app.call('POST', '/db/unlock', { token, body: { pin } })
  return { 'x-db-token': body.token }
}
const inView = async (method: string, path: string, body?: unknown, token = admin.token) =>
  app.call(method, `/db/collections/${path}`, { token, headers: await unlock(token), body })

async function upload(token?: string): Promise<{ id: string; delete_token: string }> {
  return (await app.upload(picture, { token })).body
}

async function takeBackup(): Promise<string> {
  const { backupId } = (await asAdmin('POST', '/api/database/backup')).body
  for (;;) {
    const { body } = await asAdmin('GET', '/api/database/backups')
    if (body.backups[0].status === 'completed') return backupId
    await setTimeout(50)
  }
}

const moderate = (action: string, id: string, reason?: string) =>
  asAdmin('POST', '/api/admin/images/moderate', { action, ids: [id], reason })

async function newUserWithApp() {
  const user = await app.newUser()
  const { token } = user
  const { secret } = (await app.call('POST', '/api/me/totp', { token })).body
  const code = TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: app.deps.now() })
  await app.call('POST', '/api/me/totp/confirm', { token, body: { code } })
  return user
}

async function newAlbumMember(): Promise<{ album: string; member: { id: string; email: string } }> {
  const { id: album } = (await asAdmin('POST', '/api/albums', { title: 'Italy' })).body
  const email = `${crypto.randomUUID()}@example.com`
  const member = (await asAdmin('POST', `/api/albums/${album}/members`, { email, role: 'view' })).body
  return { album, member }
}

type Expected = Partial<AuditEntry>

/** What a key of the default options may do. */
const anyKey = { scopes: ['upload', 'read', 'manage'], expiresAt: null, uploadsPerHour: null, maxBytes: null }

/** Does something and returns what the log must have of it. */
const acts: [what: string, action: AuditAction, act: () => Promise<Expected>][] = [
  [
    'a registration',
    'user_created',
    async () => {
      const { id, email } = await app.newUser()
      return { actor: id, actor_email: email, target: id, target_label: email }
    },
  ],
  [
    'a login',
    'login',
    async () => {
      await app.call('POST', '/api/login', { body: adminLogin })
      return { actor: admin.id, actor_email: adminLogin.email, target: null }
    },
  ],
  [
    'a wrong password',
    'login_failed',
    async () => {
      const { id, email } = await app.newUser()
      await app.call('POST', '/api/login', { body: { email: email.toUpperCase(), password: 'wrong' } })
      return { actor: 'guest', target: id, target_label: email, details: { code: 'wrong_credentials' } }
    },
  ],
  [
    'a login without an account',
    'login_failed',
    async () => {
      await app.call('POST', '/api/login', { body: { email: 'nobody@example.com', password: 'wrong' } })
      return { actor: 'guest', target: null, target_label: 'nobody@example.com' }
    },
  ],
  [
    'a login with a password in the field of the email',
    'login_failed',
    async () => {
      await app.call('POST', '/api/login', { body: { email: 'Secret-1 of Ada', password: 'wrong' } })
      return { actor: 'guest', target: null, target_label: null }
    },
  ],
  [
    'a login to an inactive account',
    'login_failed',
    async () => {
      const { id, email } = await app.newUser()
      await asAdmin('PUT', `/api/users/${id}`, { status: 'Inactive' })
      await app.call('POST', '/api/login', { body: { email, password: 'secret-1' } })
      return { target: id, details: { code: 'inactive_account' } }
    },
  ],
  [
    'a wrong current password',
    'login_failed',
    async () => {
      const { id, email, token } = await app.newUser()
      await app.call('PUT', '/api/me', { token, body: { currentPassword: 'wrong', newPassword: 'secret-2' } })
      return { actor: id, target: id, target_label: email, details: { code: 'wrong_password' } }
    },
  ],
  [
    'the end of all sessions',
    'logout_everywhere',
    async () => {
      const { id, token } = await app.newUser()
      await app.call('POST', '/api/logout-everywhere', { token })
      return { actor: id }
    },
  ],
  [
    'a confirmation of the identity',
    'identity_confirmed',
    async () => {
      const { id, token } = await app.newUser()
      await app.call('POST', '/api/me/confirm', { token, body: { currentPassword: 'secret-1' } })
      return { actor: id }
    },
  ],
  [
    'a requested deletion of the own account',
    'deletion_requested',
    async () => {
      const { id, email, token } = await app.newUser()
      const { body } = await app.call('DELETE', '/api/me', { token, body: {} })
      return { actor: id, target: id, target_label: email, details: { at: body.deletion_at } }
    },
  ],
  [
    'its cancellation',
    'deletion_cancelled',
    async () => {
      const { id, token } = await app.newUser()
      await app.call('DELETE', '/api/me', { token, body: {} })
      await app.call('POST', '/api/me/restore', { token })
      return { actor: id, target: id }
    },
  ],
  [
    'a deletion of the own account, without the email',
    'user_deleted',
    async () => {
      const { id, token } = await app.newUser()
      await app.call('DELETE', '/api/me', { token, body: { immediately: true } })
      return { actor: id, actor_email: null, target: id, target_label: null, address: null }
    },
  ],
  [
    'a download of the own data',
    'own_data_downloaded',
    async () => {
      const { id, token } = await app.newUser()
      await app.call('GET', '/api/me/data', { token })
      return { actor: id }
    },
  ],
  [
    'a session ended by its user',
    'session_ended',
    async () => {
      const { id, token, email } = await app.newUser()
      await app.call('POST', '/api/login', { body: { email, password: 'secret-1' } })
      const { body } = await app.call('GET', '/api/sessions', { token })
      const other = body.sessions.find(({ current }: { current: boolean }) => !current)
      await app.call('DELETE', '/api/sessions', { token })
      return { actor: id, target: other.id, target_label: other.device }
    },
  ],
  [
    'a second factor',
    'factor_added',
    async () => {
      const { id } = await newUserWithApp()
      return { actor: id, target: id, details: { factor: 'totp' } }
    },
  ],
  [
    'the recovery codes that come with it',
    'recovery_codes_created',
    async () => {
      const { id } = await newUserWithApp()
      return { actor: id, target: id, details: {} }
    },
  ],
  [
    'the removal of a second factor',
    'factor_removed',
    async () => {
      const { id, token } = await newUserWithApp()
      await app.call('DELETE', '/api/me/totp', { token })
      return { actor: id, target: id, details: { factor: 'totp' } }
    },
  ],
  [
    'a wrong code',
    'login_failed',
    async () => {
      const { id, email } = await newUserWithApp()
      const { challenge } = (await app.call('POST', '/api/login', { body: { email, password: 'secret-1' } })).body
      await app.call('POST', '/api/login/code', { body: { challenge, code: '000000' } })
      return { actor: 'guest', target: id, target_label: email, details: { code: 'wrong_code' } }
    },
  ],
  [
    'a password changed by its user',
    'password_changed',
    async () => {
      const { id, token } = await app.newUser()
      await app.call('PUT', '/api/me', { token, body: { currentPassword: 'secret-1', newPassword: 'secret-2' } })
      return { actor: id, target: id, details: { keepApiKeys: false } }
    },
  ],
  [
    'a name changed by its user',
    'user_updated',
    async () => {
      const { id, token } = await app.newUser()
      await app.call('PUT', '/api/me', { token, body: { firstName: 'Ada' } })
      return { actor: id, target: id, details: { fields: ['firstName'] } }
    },
  ],
  [
    'a user created by an admin',
    'user_created',
    async () => {
      const { body } = await asAdmin('POST', '/api/users', { email: 'made@example.com', password: 'secret-1' })
      return { actor: admin.id, target: body.user.id, details: { role: 'user', status: 'Active' } }
    },
  ],
  [
    'a changed email',
    'user_updated',
    async () => {
      const { id, email } = await app.newUser()
      await asAdmin('PUT', `/api/users/${id}`, { email: 'Moved@example.com', name: 'Moved', currentPassword })
      const details = { fields: ['email', 'name'], email: { from: email, to: 'moved@example.com' } }
      return { actor: admin.id, target: id, target_label: 'moved@example.com', details }
    },
  ],
  [
    'a decision about reports',
    'report_decided',
    async () => {
      const { id } = await upload()
      for (const reason of ['spam', 'copyright'])
        await app.call('POST', '/api/reports', { body: { image: id, reason } })
      const [{ id: report }] = (await asAdmin('GET', '/api/admin/reports')).body
      await asAdmin('POST', `/api/admin/reports/${report}/decide`, { action: 'remove', note: 'A note' })
      return { actor: admin.id, target: id, details: { decision: 'remove', reportCase: report, reports: 2 } }
    },
  ],
  [
    'a dismissal of several reports',
    'report_decided',
    async () => {
      const { id } = await upload()
      await app.call('POST', '/api/reports', { body: { image: id, reason: 'spam' } })
      const [{ id: report }] = (await asAdmin('GET', '/api/admin/reports')).body
      await asAdmin('POST', '/api/admin/reports/dismiss', { caseIds: [report] })
      return { actor: admin.id, target: id, details: { decision: 'dismiss', reportCase: report, reports: 1 } }
    },
  ],
  [
    'an upload that the blocklist refuses',
    'refused_by_block',
    async () => {
      const blocked = await jpeg(22, 20)
      const { id } = (await app.upload(blocked)).body
      await asAdmin('POST', '/api/admin/blocked-images', { images: [id] })
      const { id: actor, token } = await app.newUser()
      await app.upload(blocked, { token })
      return { actor, target: null, details: { code: 'image_blocked' } }
    },
  ],
  [
    'the removal of a reported image',
    'image_blocked',
    async () => {
      const { id, token } = await app.newUser()
      const image = (await app.upload(await jpeg(21, 20), { token })).body
      await app.call('POST', '/api/reports', { body: { image: image.id, reason: 'spam' } })
      const [{ id: report }] = (await asAdmin('GET', '/api/admin/reports')).body
      await asAdmin('POST', `/api/admin/reports/${report}/decide`, { action: 'block' })
      return { actor: admin.id, target: image.id, details: { owner: id } }
    },
  ],
  [
    'a promotion',
    'role_changed',
    async () => {
      const { id } = await app.newUser()
      await asAdmin('POST', '/api/admin/promote', { userId: id })
      return { actor: admin.id, target: id, details: { from: 'user', to: 'admin' } }
    },
  ],
  [
    'a changed status in the database view',
    'status_changed',
    async () => {
      const { id } = await app.newUser()
      await inView('PATCH', `users/documents/${id}`, { status: 'Inactive' })
      return { actor: admin.id, target: id, details: { from: 'Active', to: 'Inactive' } }
    },
  ],
  [
    'a changed quota',
    'quota_changed',
    async () => {
      const { id } = await app.newUser()
      await asAdmin('PUT', `/api/users/${id}`, { quotaBytes: 5_000_000 })
      return { actor: admin.id, target: id, details: { quotaBytes: { from: null, to: 5_000_000 } } }
    },
  ],
  [
    'a password set by an admin',
    'password_changed',
    async () => {
      const { id } = await app.newUser()
      await asAdmin('PUT', `/api/users/${id}`, { password: 'secret-3', currentPassword })
      return { actor: admin.id, target: id }
    },
  ],
  [
    'a confirmed email',
    'email_confirmed',
    async () => {
      const { id, email } = await app.newUser()
      const link = { purpose: 'confirm', email, user_id: id, expires_at: app.deps.now() + 60_000 } as const
      const token = await createMailLink(app.deps, link)
      await app.call('POST', '/api/confirm-email', { body: { token, password: 'secret-1' } })
      return { actor: id, target: id, target_label: email, details: {} }
    },
  ],
  [
    'a password set by a link in a mail',
    'password_changed',
    async () => {
      const { id, email } = await app.newUser()
      const link = { purpose: 'reset', email, user_id: id, expires_at: app.deps.now() + 60_000 } as const
      const token = await createMailLink(app.deps, link)
      await app.call('PUT', '/api/password-reset', { body: { token, newPassword: 'secret-2' } })
      return { actor: id, target: id, details: { keepApiKeys: false, byMail: true } }
    },
  ],
  [
    'mails switched off by a link in one',
    'user_updated',
    async () => {
      const { id, email } = await app.newUser()
      await app.request(unsubscribeUrl(app.deps, id), { method: 'POST' })
      return { actor: 'guest', target: id, target_label: email, details: { fields: ['mailDigest'], byMail: true } }
    },
  ],
  [
    'a new invitation',
    'invite_created',
    async () => {
      const { body } = await asAdmin('POST', '/api/admin/invites', { note: 'Friends', maxUses: 3 })
      const details = { role: 'user', maxUses: 3, days: 7 }
      return { actor: admin.id, target: body.id, target_label: 'Friends', details }
    },
  ],
  [
    'an invited member of an album',
    'member_invited',
    async () => {
      const { album, member } = await newAlbumMember()
      return { actor: admin.id, target: album, target_label: member.email, details: { role: 'view' } }
    },
  ],
  [
    'another role of a member',
    'member_updated',
    async () => {
      const { album, member } = await newAlbumMember()
      await asAdmin('PATCH', `/api/albums/${album}/members/${member.id}`, { role: 'add' })
      return { actor: admin.id, target: album, target_label: member.email, details: { role: 'add' } }
    },
  ],
  [
    'a removed member',
    'member_removed',
    async () => {
      const { album, member } = await newAlbumMember()
      await asAdmin('DELETE', `/api/albums/${album}/members/${member.id}`)
      return { actor: admin.id, target: album, target_label: member.email, details: { isLeaving: false } }
    },
  ],
  [
    'a withdrawn invitation',
    'invite_deleted',
    async () => {
      const { body } = await asAdmin('POST', '/api/admin/invites', { note: 'Friends' })
      await asAdmin('DELETE', `/api/admin/invites/${body.id}`)
      return { actor: admin.id, target: body.id, target_label: 'Friends', details: { uses: 0 } }
    },
  ],
  [
    'a deleted user',
    'user_deleted',
    async () => {
      const { id, email, token } = await app.newUser()
      const { body } = await app.upload(picture, { token })
      await asAdmin('DELETE', `/api/users/${id}`)
      return { actor: admin.id, target: id, target_label: email, details: { images: 1, bytes: body.size } }
    },
  ],
  [
    'a new API key',
    'api_key_created',
    async () => {
      const { id, token } = await app.newUser()
      const body = { name: 'CI', scopes: ['upload'], expiresAt: '2999-01-01T00:00:00.000Z', uploadsPerHour: 5 }
      const created = await app.call('POST', '/api/api-keys', { token, body })
      const { name: label, ...given } = body
      const details = { ...given, owner: id, maxBytes: null }
      return { actor: id, target: created.body.id, target_label: label, details }
    },
  ],
  [
    'a revoked API key',
    'api_key_deleted',
    async () => {
      const { id, token } = await app.newUser()
      const { body } = await app.call('POST', '/api/api-keys', { token, body: { name: 'CI' } })
      await app.call('DELETE', `/api/api-keys/${body.id}`, { token })
      return { actor: id, target: body.id, target_label: 'CI' }
    },
  ],
  ...(
    [
      ['a link', 'link_created', ''],
      ['a changed link', 'link_updated', 'PATCH'],
      ['a deleted link', 'link_deleted', 'DELETE'],
    ] as const
  ).map(([what, action, method]): (typeof acts)[number] => [
    what,
    action,
    async () => {
      const { id, token } = await app.newUser()
      const images = [(await upload(token)).id]
      const { body } = await app.call('POST', '/api/links', { token, body: { images, password: 'secret-3' } })
      if (method !== '')
        await app.call(method, `/api/links/${body.id}`, {
          token,
          ...(method === 'PATCH' && { body: { revoked: true, password: 'secret-4' } }),
        })
      return { actor: id, target: body.id, target_label: body.slug }
    },
  ]),
  ...(
    [
      ['a webhook', 'webhook_created', '', ''],
      ['a changed webhook', 'webhook_updated', 'PATCH', ''],
      ['a new secret of a webhook', 'webhook_secret_rotated', 'POST', '/secret'],
      ['a deleted webhook', 'webhook_deleted', 'DELETE', ''],
    ] as const
  ).map(([what, action, method, path]): (typeof acts)[number] => [
    what,
    action,
    async () => {
      const { id, token } = await app.newUser()
      const options = { url: 'https://example.com/secret-3', events: ['image.uploaded'] }
      const { body } = await app.call('POST', '/api/webhooks', { token, body: options })
      if (method !== '')
        await app.call(method, `/api/webhooks/${body.id}${path}`, {
          token,
          ...(method === 'PATCH' && { body: { isActive: false } }),
        })
      return { actor: id, target: body.id, target_label: 'example.com' }
    },
  ]),
  [
    'an API key renamed by an admin',
    'api_key_updated',
    async () => {
      const { id, token } = await app.newUser()
      const { body } = await app.call('POST', '/api/api-keys', { token, body: {} })
      await inView('PATCH', `apikeys/documents/${body.id}`, { name: 'Renamed' })
      return { actor: admin.id, target: body.id, target_label: 'Renamed', details: { owner: id, fields: ['name'] } }
    },
  ],
  [
    'an API key deleted by an admin',
    'api_key_deleted',
    async () => {
      const { id, token } = await app.newUser()
      const { body } = await app.call('POST', '/api/api-keys', { token, body: {} })
      await inView('DELETE', 'apikeys/documents', { ids: [body.id] })
      return { actor: admin.id, target: body.id, details: { ...anyKey, owner: id } }
    },
  ],
  [
    'an API key revoked by a new password',
    'api_key_deleted',
    async () => {
      const { id, token } = await app.newUser()
      const { body } = await app.call('POST', '/api/api-keys', { token, body: { name: 'Phone' } })
      const passwords = { currentPassword: 'secret-1', newPassword: 'secret-2' }
      await app.call('PUT', '/api/me', { token, body: passwords })
      return { actor: id, target: body.id, target_label: 'Phone', details: { ...anyKey, owner: id } }
    },
  ],
  [
    'an API key revoked by a logout everywhere',
    'api_key_deleted',
    async () => {
      const { id, token } = await app.newUser()
      const { body } = await app.call('POST', '/api/api-keys', { token, body: {} })
      await app.call('POST', '/api/logout-everywhere', { token, body: {} })
      return { actor: id, target: body.id, details: { ...anyKey, owner: id } }
    },
  ],
  [
    'an API key revoked by a password that an admin sets',
    'api_key_deleted',
    async () => {
      const { id, token } = await app.newUser()
      const { body } = await app.call('POST', '/api/api-keys', { token, body: {} })
      await asAdmin('PUT', `/api/users/${id}`, { password: 'secret-3', currentPassword })
      return { actor: admin.id, target: body.id, details: { ...anyKey, owner: id } }
    },
  ],
  [
    'an API key deleted with its account',
    'api_key_deleted',
    async () => {
      const { id, token } = await app.newUser()
      const { body } = await app.call('POST', '/api/api-keys', { token, body: {} })
      await asAdmin('DELETE', `/api/users/${id}`)
      return { actor: admin.id, target: body.id, details: { ...anyKey, owner: id } }
    },
  ],
  [
    'an image deleted with an API key',
    'image_deleted',
    async () => {
      const { id, token } = await app.newUser()
      const { body: key } = await app.call('POST', '/api/api-keys', { token, body: {} })
      const image = await upload(token)
      await app.call('DELETE', `/api/images/${image.id}`, { token: key.key })
      return { actor: id, target: image.id, details: { owner: id, apiKey: key.id } }
    },
  ],
  [
    'an image deleted by a guest',
    'image_deleted',
    async () => {
      const image = await upload()
      await app.call('DELETE', `/api/images/${image.id}?undo=1`, { guestToken: image.delete_token })
      return { actor: 'guest', actor_email: null, target: image.id, details: { owner: 'guest' } }
    },
  ],
  [
    'an image deleted by an admin',
    'image_deleted',
    async () => {
      const { id, token } = await app.newUser()
      const image = await upload(token)
      await asAdmin('DELETE', `/api/images/${image.id}`)
      return { actor: admin.id, target: image.id, details: { owner: id } }
    },
  ],
  [
    'an image deleted in the database view',
    'image_deleted',
    async () => {
      const image = await upload()
      await inView('DELETE', 'images/documents', { ids: [image.id] })
      return { actor: admin.id, target: image.id, details: { owner: 'guest' } }
    },
  ],
  [
    'a restored image',
    'image_restored',
    async () => {
      const { id, token } = await app.newUser()
      const image = await upload(token)
      await app.call('DELETE', `/api/images/${image.id}?undo=1`, { token })
      await app.call('POST', `/api/images/${image.id}/restore`, { token })
      return { actor: id, target: image.id, details: { owner: id } }
    },
  ],
  [
    'an image in the trash',
    'image_deleted',
    async () => {
      const { id, token } = await app.newUser()
      const image = await upload(token)
      await app.call('DELETE', `/api/images/${image.id}?trash=1`, { token })
      return { actor: id, target: image.id, details: { owner: id, to: 'trash' } }
    },
  ],
  [
    'an emptied trash',
    'trash_emptied',
    async () => {
      const { id, token } = await app.newUser()
      const image = await upload(token)
      await app.call('DELETE', `/api/images/${image.id}?trash=1`, { token })
      await app.call('DELETE', '/api/trash', { token })
      return { actor: id, target: null, details: { images: 1 } }
    },
  ],
  [
    'an album deleted with its images',
    'album_deleted',
    async () => {
      const { id, token } = await app.newUser()
      const image = await upload(token)
      const body = { title: 'An album', images: [image.id] }
      const album = (await app.call('POST', '/api/albums', { token, body })).body.id as string
      await app.call('DELETE', `/api/albums/${album}?images=delete`, { token })
      return { actor: id, target: album, details: { images: 1 } }
    },
  ],
  [
    'an image renamed in the database view',
    'image_updated',
    async () => {
      const image = await upload()
      await inView('PATCH', `images/documents/${image.id}`, { original_name: 'other.jpg' })
      return { actor: admin.id, target: image.id, details: { fields: ['original_name'] } }
    },
  ],
  [
    'an image of a user extended by an admin',
    'image_updated',
    async () => {
      const { id, token } = await app.newUser()
      const image = await upload(token)
      await asAdmin('POST', `/api/images/${image.id}/extend-expiration`, {})
      return { actor: admin.id, target: image.id, details: { fields: ['expires_at'], owner: id } }
    },
  ],
  [
    'the removal of an image of a deleted account',
    'image_deleted',
    async () => {
      const { id, token } = await app.newUser()
      const image = await upload(token)
      await asAdmin('DELETE', `/api/users/${id}`)
      await sweepExpired(app.deps)
      const details = { owner: id, because: 'user_deleted' }
      return { actor: 'server', address: null, target: image.id, details }
    },
  ],
  [
    'the removal of an expired image',
    'image_expired',
    async () => {
      const { id, token } = await app.newUser()
      const image = await upload(token)
      await app.deps.db.updateTable('images').set({ expires_at: 1000 }).where('id', '=', image.id).execute()
      await sweepExpired(app.deps)
      return { actor: 'server', address: null, target: image.id, details: { owner: id } }
    },
  ],
  [
    'a quarantined image',
    'image_quarantined',
    async () => {
      const { id, token } = await app.newUser()
      const image = await upload(token)
      await moderate('quarantine', image.id)
      return { actor: admin.id, target: image.id, details: { owner: id } }
    },
  ],
  [
    'a lifted quarantine',
    'quarantine_lifted',
    async () => {
      const image = await upload()
      await moderate('quarantine', image.id)
      await moderate('restore', image.id)
      return { actor: admin.id, target: image.id, details: { owner: 'guest' } }
    },
  ],
  [
    'an image removed by a moderator',
    'image_deleted',
    async () => {
      const image = await upload()
      await moderate('remove', image.id)
      return { actor: admin.id, target: image.id, details: { owner: 'guest' } }
    },
  ],
  [
    'a blocked image',
    'image_blocked',
    async () => {
      const { body } = await app.upload(await jpeg(31, 31))
      await moderate('block', body.id)
      return { actor: admin.id, target: body.id, details: { owner: 'guest' } }
    },
  ],
  [
    'the quarantine of a copy of a blocked image',
    'image_quarantined',
    async () => {
      const bytes = await jpeg(32, 32)
      const [one, two] = [await app.upload(bytes), await app.upload(bytes)]
      await moderate('block', one.body.id)
      return { actor: admin.id, target: two.body.id, details: { owner: 'guest' } }
    },
  ],
  [
    'a block of bytes',
    'block_added',
    async () => {
      const { body } = await app.upload(await jpeg(33, 33))
      const row = await app.deps.db.selectFrom('images').selectAll().where('id', '=', body.id).executeTakeFirstOrThrow()
      await moderate('block', body.id, 'Spam')
      return { actor: admin.id, target: row.sha256, details: { reason: 'Spam' } }
    },
  ],
  [
    'a blocked digest',
    'block_added',
    async () => {
      const target = 'd'.repeat(64)
      await asAdmin('POST', '/api/admin/blocked-images', { images: [target], reason: 'Spam' })
      return { actor: admin.id, target, details: { reason: 'Spam' } }
    },
  ],
  [
    'the quarantine of an image whose digest is blocked',
    'image_quarantined',
    async () => {
      const { body } = await app.upload(await jpeg(34, 34))
      await asAdmin('POST', '/api/admin/blocked-images', { images: [body.id] })
      return { actor: admin.id, target: body.id, details: { owner: 'guest' } }
    },
  ],
  [
    'a removed block of a digest',
    'block_removed',
    async () => {
      const target = 'c'.repeat(64)
      await asAdmin('POST', '/api/admin/blocked-images', { images: [target] })
      await asAdmin('DELETE', '/api/admin/blocked-images', { sha256: [target, 'none'] })
      return { actor: admin.id, target }
    },
  ],
  [
    'a blocked network',
    'block_added',
    async () => {
      const expires_at = '2999-01-01T00:00:00.000Z'
      await asAdmin('POST', '/api/admin/blocked-networks', { networks: ['203.0.113.9/24'], note: 'Floods', expires_at })
      return { actor: admin.id, target: '203.0.113.0/24', details: { note: 'Floods', until: expires_at } }
    },
  ],
  [
    'a removed block of a network',
    'block_removed',
    async () => {
      const target = '203.0.113.0/24'
      await asAdmin('POST', '/api/admin/blocked-networks', { networks: [target] })
      await asAdmin('DELETE', '/api/admin/blocked-networks', { networks: [target] })
      return { actor: admin.id, target }
    },
  ],
  [
    'an unlocked database view',
    'database_unlocked',
    async () => {
      const { id, token } = await app.newUser()
      await unlock(token)
      return { actor: id }
    },
  ],
  [
    'a wrong PIN',
    'pin_failed',
    async () => {
      const { id, token } = await app.newUser()
      await app.call('POST', '/db/unlock', { token, body: { pin: '0000' } })
      return { actor: id }
    },
  ],
  [
    'added documents',
    'documents_added',
    async () => {
      const { id, token } = await app.newUser()
      await inView('POST', 'added/documents', [{ _id: 'a' }, { _id: 'b' }], token)
      return { actor: id, target: 'added', details: { documents: 2, ids: ['a', 'b'] } }
    },
  ],
  [
    'a changed document',
    'document_changed',
    async () => {
      await inView('POST', 'changed/documents', { _id: 'a', secret: 'old' })
      await inView('PATCH', 'changed/documents/a', { secret: 'new' })
      return { actor: admin.id, target: 'changed', details: { ids: ['a'], fields: ['secret'] } }
    },
  ],
  [
    'deleted documents',
    'documents_deleted',
    async () => {
      await inView('POST', 'shrunk/documents', [{ _id: 'a' }, { _id: 'b' }])
      await inView('DELETE', 'shrunk/documents', { ids: ['a', 'none'] })
      return { actor: admin.id, target: 'shrunk', details: { ids: ['a'] } }
    },
  ],
  [
    'deleted contact messages',
    'documents_deleted',
    async () => {
      const id = 'a message'
      const row = { id, name: '', email: '', subject: '', message: '', created_at: 0, sent_at: null }
      await app.deps.db.insertInto('contact_messages').values(row).execute()
      await inView('DELETE', 'contactmessages/documents', { ids: [id] })
      return { actor: admin.id, target: 'contactmessages', details: { ids: [id] } }
    },
  ],
  [
    'a deleted collection',
    'collection_deleted',
    async () => {
      await inView('POST', 'dropped/documents', { _id: 'a' })
      await inView('DELETE', 'dropped')
      return { actor: admin.id, target: 'dropped', details: expect.objectContaining({ documents: 1 }) }
    },
  ],
  ['a started backup', 'backup_created', async () => ({ actor: admin.id, target: await takeBackup() })],
  [
    'a downloaded backup',
    'backup_downloaded',
    async () => {
      const id = await takeBackup()
      await (await app.request(`/api/database/backups/${id}/download`, bearer(admin.token))).arrayBuffer()
      return { actor: admin.id, actor_email: adminLogin.email, target: id }
    },
  ],
  [
    'a backup downloaded by a link',
    'backup_downloaded',
    async () => {
      const id = await takeBackup()
      const { body } = await asAdmin('POST', `/api/database/backups/${id}/link`)
      expect(await find({ target: id, action: 'backup_downloaded' })).toEqual([])
      const form = new FormData()
      form.set('ticket', body.ticket)
      await (await app.request(body.url, { method: 'POST', body: form })).arrayBuffer()
      return { actor: admin.id, actor_email: adminLogin.email, target: id }
    },
  ],
  [
    'a deleted backup',
    'backup_deleted',
    async () => {
      const id = await takeBackup()
      await asAdmin('DELETE', `/api/database/backups/${id}`)
      return { actor: admin.id, target: id }
    },
  ],
  [
    'a cleanup',
    'cleanup_run',
    async () => {
      await asAdmin('POST', '/api/database/cleanup')
      return { actor: admin.id, details: expect.objectContaining({ images: expect.any(Number) }) }
    },
  ],
  [
    'an expired image removed by a cleanup',
    'image_expired',
    async () => {
      const image = await upload()
      await app.deps.db.updateTable('images').set({ expires_at: 1000 }).where('id', '=', image.id).execute()
      await asAdmin('POST', '/api/database/cleanup')
      return { actor: admin.id, target: image.id, details: { owner: 'guest' } }
    },
  ],
  [
    'an export of the log itself',
    'audit_exported',
    async () => {
      await (await app.request('/api/admin/audit/export?format=csv&actor=guest', bearer(admin.token))).text()
      return { actor: admin.id, details: { format: 'csv', actor: 'guest' } }
    },
  ],
]
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

/** Those whose requests contain or create a password, a key, a token or a PIN. */
const secretActions: AuditAction[] = [
  'user_created',
  'login',
  'login_failed',
  'password_changed',
  'user_updated',
  'api_key_created',
  'api_key_updated',
  'api_key_deleted',
  'image_deleted',
  'database_unlocked',
  'pin_failed',
]

/** Their labels are the emails of other accounts, or what an admin notes for other admins. */
const labelsOfOthers: AuditAction[] = [
  'deletion_cancelled',
  'deletion_requested',
  'invite_created',
  'invite_deleted',
  'quota_changed',
  'role_changed',
  'status_changed',
  'user_created',
  'user_deleted',
  'user_updated',
]
/** Texts of their details: ids, times, words of the product, and reasons of admins. */
const detailsOfSite = [
  'actor',
  'apiKey',
  'at',
  'code',
  'decision',
  'file',
  'format',
  'from',
  'note',
  'owner',
  'reason',
  'reportCase',
  'role',
  'status',
  'to',
  'until',
]

describe('the audit log', () => {
  it.each(acts)('has %s as %s', async (_, action, act) => {
    const since = new Date(app.deps.now()).toISOString()
    const expected = await act()
    const target = expected.target ?? expected.target_label
    const found = await find({ action, from: since, ...(target ? { target } : {}), actor: expected.actor ?? '' })
    expect(found).toHaveLength(1)
    expect(found[0]).toMatchObject({ action, address: '127.0.0.1', ...expected })
    if (expected.details) expect(found[0]?.details).toEqual(expected.details)
  })

  it('has no entry for what was refused', async () => {
    const { id, token } = await app.newUser()
    const other = await app.newUser()
    const image = await upload(other.token)
    expect((await app.call('DELETE', `/api/images/${image.id}`, { token })).status).toBe(403)
    expect((await app.call('DELETE', `/api/users/${other.id}`, { token })).status).toBe(403)
    expect((await asAdmin('DELETE', '/api/api-keys/none')).status).toBe(404)
    expect((await find({ actor: id })).map(({ action }) => action)).toEqual(['user_created'])
    expect(await find({ target: image.id })).toEqual([])
    expect(await find({ target: 'none' })).toEqual([])
  })

  it('has one entry for an image whose undo period ended before the sweep removed it', async () => {
    const image = await upload()
    await app.call('DELETE', `/api/images/${image.id}?undo=1`, { guestToken: image.delete_token })
    await sweepExpired(app.deps, app.deps.now() + 2 * limits.undoMs)
    expect((await app.call('GET', `/api/images/${image.id}`)).status).toBe(410)
    expect((await find({ target: image.id })).map(({ action }) => action)).toEqual(['image_deleted'])
  })

  it('has no entry of a deletion that failed, and no deletion happens without its entry', async () => {
    const { db } = app.deps
    const image = await upload()
    await db.schema.alterTable('audit_log').renameTo('audit_log_away').execute()
    try {
      const deleted = await app.call('DELETE', `/api/images/${image.id}`, { guestToken: image.delete_token })
      expect(deleted.status).toBe(500)
    } finally {
      await db.schema.alterTable('audit_log_away').renameTo('audit_log').execute()
    }
    expect((await app.request(`/api/thumbnail/${image.id}/400`)).status).toBe(200)
  })

  it('never contains a password, a key or a token', async () => {
    const found = await app.deps.db.selectFrom('audit_log').selectAll().execute()
    expect(found.map(({ action }) => action)).toEqual(expect.arrayContaining(secretActions))
    const rows = JSON.stringify(found)
    for (const secret of ['secret-1', 'secret-2', 'secret-3', adminLogin.password, admin.token])
      expect(rows.includes(secret), secret).toBe(false)
    // Times, digests and ids may contain these characters by chance.
    for (const secret of [new RegExp(`(?<![\\w-])${pin}(?![\\w-])`), /ik_\w{30}/])
      expect(secret.exec(rows)?.[0]).toBeUndefined()
  })

  it('keeps entries about the user who has the former email of a deleted account', async () => {
    const former = await app.newUser()
    await asAdmin('PUT', `/api/users/${former.id}`, { email: 'moved-away@example.com', currentPassword })
    await app.newUser(former.email)
    const { id: album } = (await asAdmin('POST', '/api/albums', { title: 'Spain' })).body
    await asAdmin('POST', `/api/albums/${album}/members`, { email: former.email, role: 'view' })
    await app.call('DELETE', '/api/me', { token: former.token, body: { immediately: true } })
    expect(await find({ target: album })).toMatchObject([{ action: 'member_invited', target_label: former.email }])
  })

  it('has no words of a user whose account was deleted', async () => {
    const { db } = app.deps
    const account = await db.selectFrom('users').selectAll().where('id', '=', admin.id).executeTakeFirstOrThrow()
    // As if one user had done all.
    await db
      .updateTable('audit_log')
      .set({ actor: account.id, actor_email: account.email })
      .where('actor', 'not in', Object.keys(otherActors))
      .execute()
    await eraseFromAuditLog(db, account)
    const left = await db.selectFrom('audit_log').selectAll().where('actor', '=', account.id).execute()
    const labelled = left.filter(({ target_label: label }) => label !== null).map(({ action }) => action)
    expect(new Set(labelled)).toEqual(new Set(labelsOfOthers))
    const texts = left.flatMap(({ details }) =>
      Object.entries(JSON.parse(details)).flatMap(([name, value]) => (typeof value === 'string' ? [name] : [])),
    )
    expect(new Set(texts)).toEqual(new Set(detailsOfSite))
  })
})

/** Actions outside of the API, by the test file that expects their entries. */
const testedElsewhere: Partial<Record<AuditAction, string>> = {
  backup_restored: 'server/cli/server-commands.test.ts',
  identity_linked: 'server/domain/accounts/providers/oidc-login.test.ts',
  identity_unlinked: 'server/domain/accounts/providers/oidc-login.test.ts',
  export_started: 'server/cli/server-commands.test.ts',
  import_started: 'server/cli/server-commands.test.ts',
  instance_copied: 'server/cli/server-commands.test.ts',
  pin_reset: 'server/cli/server-commands.test.ts',
  settings_changed: 'server/domain/audit/settings-changes.test.ts',
  webhook_switched_off: 'server/domain/webhooks/webhooks.test.ts',
}

describe('every action of the table in the contract', () => {
  it('is tested here or elsewhere', () => {
    const tested = new Set(acts.map(([, action]) => action))
    expect([...tested, ...Object.keys(testedElsewhere)].toSorted()).toEqual(Object.keys(auditActions).toSorted())
  })

  it.each(Object.entries(testedElsewhere))('%s is expected by %s', async (action, file) => {
    expect(await readFile(new URL(`../../../${file}`, import.meta.url), 'utf8')).toContain(`'${action}'`)
  })
})

/** Endpoints that change something or download a file, whose sample leaves no entry, by the reason. */
const unaudited: Record<string, RouteName[]> = {
  'there is nothing to do for the sample': ['restoreMe', 'deleteOtherSessions', 'unblockImages'],
  'a first step: the second leaves the entry': [
    'register',
    'requestEmailConfirmation',
    'requestPasswordReset',
    'createOwnDataLink',
    'startPasskeyLogin',
    'startOidcLogin',
    'startTotp',
    'startPasskey',
    'startIdentity',
    'createBackupLink',
  ],
  'gives nobody access and takes it from nobody else': [
    'logout',
    'renamePasskey',
    'testWebhook',
    'resendWebhookDelivery',
    'lockDatabase',
    'signVariant',
  ],
  'keeps in order what belongs to the caller': [
    'updateTag',
    'deleteTag',
    'tagImages',
    'createAlbum',
    'updateAlbum',
    'addToAlbum',
    'moveInAlbum',
    'removeFromAlbum',
    'sortAlbum',
    'acceptAlbumInvite',
    'claimImages',
    'createGuestAlbum',
    'addToGuestAlbum',
    'deleteGuestAlbum',
    'updateImage',
    'extendImage',
    'setExpiry',
    'setVisibility',
    'createViewKey',
    'endViewKeys',
  ],
  'a message, which is stored itself': ['sendReport', 'sendEmail'],
}

describe('the sample of an endpoint that changes something or downloads a file', () => {
  let host: SampleHost
  beforeAll(async () => {
    host = await startSampleHost()
    // Nothing listens there: what is to be purged stays.
    Object.assign(host.app.deps.config, { PURGE_URL: 'http://127.0.0.1:9' })
  })
  afterAll(() => host.app.stop())
  const entries = async () => (await host.app.deps.db.selectFrom('audit_log').select('id').execute()).length
  const servedImages = async () => {
    const images = host.app.deps.db.selectFrom('images').leftJoin('users', 'users.id', 'owner_id').select('images.id')
    const served = images
      .where('expires_at', '>', host.app.deps.now())
      .where('quarantined_at', 'is', null)
      .where('visibility', '!=', 'private')
      .where((image) => image.or([image('status', 'is', null), image('status', '=', 'Active')]))
    return (await served.execute()).map(({ id }) => id)
  }
  const purges = async () => {
    const rows = await host.app.deps.db.selectFrom('cache_purges').select('image_id').execute()
    return rows.map(({ image_id: id }) => id)
  }
  /** By endpoint, whether caches are told of all images that are not served any more. */
  const withdrawing: Partial<Record<RouteName, boolean>> = {}
  const docs = new Map(buildCatalogue().map((doc) => [doc.name, doc]))
  const deciding = (Object.keys(routes) as RouteName[]).filter((name) => {
    const { form, upload, resumable, response }: Endpoint = api[name]
    return (!routes[name].startsWith('GET') || response === 'file') && (form ?? upload ?? resumable) === undefined
  })

  it.each(deciding)('%s leaves an entry, or has a reason not to', async (name) => {
    const doc = docs.get(name)
    if (!doc) throw new Error(`${name} is not documented`)
    const filled = await rows[name](host)
    const before = await entries()
    const served = await servedImages()
    const { method, url, headers, json } = requestOf(doc, { base: host.app.url, ...filled })
    const response = await fetch(url, {
      method,
      headers,
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    })
    expect(response.ok, await response.text()).toBe(true)
    expect((await entries()) > before).toBe(!Object.values(unaudited).flat().includes(name))
    const [still, purged] = [await servedImages(), await purges()]
    const withdrawn = served.filter((id) => !still.includes(id))
    if (withdrawn.length > 0) withdrawing[name] = withdrawn.every((id) => purged.includes(id))
  })

  it('has caches drop every image that it withdraws', () => {
    expect(withdrawing).toEqual({ deleteImage: true, moveToTrash: true, setVisibility: true, moderateImages: true })
  })

  it('has no reason where none is needed', () => {
    expect(
      Object.values(unaudited)
        .flat()
        .filter((name) => !deciding.includes(name)),
    ).toEqual([])
  })
})
