// A database of version 0.2 with users: after the upgrade everyone logs in as before.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { accountLimits } from '../contract/plain/account-limits.ts'
import { limits } from '../contract/plain/limits.ts'
import { migrate } from './db/migrate.ts'
import { openSqlite } from './db/sqlite.ts'
import { newKeyText } from './domain/accounts/api-key-text.ts'
import { hashPassword } from './domain/accounts/passwords.ts'
import { hashSecret } from './domain/shared/secrets.ts'
import { signToken } from './domain/shared/signed-token.ts'
import { startTestApp, type TestApp } from './testing/app.ts'

const jwtSecret = randomBytes(24).toString('base64url')
const apiKey = newKeyText({ randomBytes })
const now = Date.now()
let folder: string
let app: TestApp
let token: string

/** Writes rows as version 0.2 did. */
async function writeOldDatabase(): Promise<void> {
  const { db } = await openSqlite(join(folder, 'image-host.sqlite'))
  await migrate(db, '0016-webhooks')
  const addUser = async (id: string, role: string, status: string, expiresAt: number | null = null) =>
    sql`insert into users (id, email, name, role, status, password_hash, password_expires_at, created_at)
      values (${id}, ${`${id}@example.com`}, ${id}, ${role}, ${status}, ${await hashPassword(`secret of ${id}`)},
        ${expiresAt}, ${now})`.execute(db)
  await addUser('ada', 'user', 'Active')
  await addUser('boss', 'admin', 'Active')
  await addUser('gone', 'user', 'Inactive')
  await addUser('late', 'user', 'Active', now - 1)
  await sql`insert into sessions (id, user_id, created_at, last_seen_at)
    values ('old-session', 'boss', ${now - accountLimits.recentLoginMs - 60_000}, ${now})`.execute(db)
  await sql`insert into api_keys (id, user_id, name, prefix, key_hash, created_at, scopes)
    values ('key', 'ada', 'Key', ${apiKey.slice(0, 8)}, ${hashSecret(apiKey)}, ${now}, 'upload,read,manage')`.execute(
    db,
  )
  await db.destroy()
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'image-host-upgrade-'))
  await writeOldDatabase()
  app = await startTestApp({ JWT_SECRET: jwtSecret }, folder)
  const seconds = (ms: number) => Math.floor(ms / 1000)
  const claims = { iat: seconds(now), exp: seconds(now + limits.session.maxAgeMs) }
  token = await signToken(
    { jwtSecret: Buffer.from(jwtSecret) },
    { aud: 'image-host', sub: 'boss', jti: 'old-session', ...claims },
  )
})
afterAll(async () => {
  await app.stop()
  await rm(folder, { recursive: true, force: true })
})

it.each([
  ['ada', 200, undefined],
  ['boss', 200, undefined],
  ['gone', 403, 'inactive_account'],
  ['late', 403, 'password_expired'],
  ['unknown', 401, 'wrong_credentials'],
])('%s logs in with the same response as before: %i', async (id, status, code) => {
  const body = { email: `${id}@example.com`, password: `secret of ${id}` }
  const response = await app.call('POST', '/api/login', { body })
  expect([response.status, response.body.code]).toEqual([status, code])
  if (status === 200) expect(response.body.user).toMatchObject({ id, deletion_at: null })
})

it('sessions and API keys of before are valid, and an old session needs a confirmation', async () => {
  const { body } = await app.call('GET', '/api/sessions', { token })
  const [session] = body.sessions.filter(({ current }: { current: boolean }) => current)
  expect(session).toMatchObject({ id: 'old-session', device: null })
  expect((await app.call('GET', '/api/images', { token: apiKey })).status).toBe(200)
  const promote = () => app.call('POST', '/api/admin/promote', { token, body: { userId: 'ada' } })
  expect((await promote()).body.code).toBe('password_required')
  await app.call('POST', '/api/me/confirm', { token, body: { currentPassword: 'secret of boss' } })
  expect((await promote()).status).toBe(200)
})
