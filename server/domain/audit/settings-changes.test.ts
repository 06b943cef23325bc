// The audit log has which settings a restart changed.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/app.ts'

let folder: string
let app: TestApp | undefined
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'image-host-settings-'))
})
afterEach(async () => {
  await app?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Starts on the same data with these settings; returns the details of all entries so far. */
async function startWith(environment: Record<string, string>): Promise<unknown[]> {
  // Each start of a test app has a PostgreSQL database of its own: the data must stay.
  app = await startTestApp({ DATABASE_URL: '', JWT_SECRET: '', ...environment }, folder)
  const found = app.deps.db.selectFrom('audit_log').selectAll().where('action', '=', 'settings_changed')
  const rows = await found.orderBy('created_at').execute()
  await app.halt()
  for (const row of rows) expect(row).toMatchObject({ actor: 'server', address: null, target: null })
  return rows.map(({ details }) => JSON.parse(details) as unknown)
}

it('the first start and unchanged settings have no entry, a changed setting has its values', async () => {
  expect(await startWith({ RATE_LIMIT: '50' })).toEqual([])
  expect(await startWith({ RATE_LIMIT: '50', LOG_LEVEL: 'warn' })).toEqual([])
  const changed = [
    {
      GUEST_UPLOADS: { from: true, to: false },
      RATE_LIMIT: { from: 50, to: 60 },
      SUPPORT_EMAIL: { from: null, to: 'help@example.com' },
    },
  ]
  const settings = { RATE_LIMIT: '60', GUEST_UPLOADS: 'off', SUPPORT_EMAIL: 'help@example.com' }
  expect(await startWith(settings)).toEqual(changed)
  expect(await startWith(settings)).toEqual(changed)
})

it('of a secret there is only whether it is set', async () => {
  await startWith({})
  const secrets = {
    DB_VIEW_PIN: '4711',
    METRICS_TOKEN: 'a-token-of-16-characters',
    JWT_SECRET: 'fQ8rT2wY6uI0pA4sD7gH1jK5lZ9xC3vB',
    ADMIN_EMAIL: 'boss@example.com',
    ADMIN_PASSWORD: 'boss-secret',
    SMTP_URL: 'smtp://user:hidden@127.0.0.1:9',
    SUPPORT_EMAIL: 'help@example.com',
    PUBLIC_URL: 'https://pics.example',
  }
  const unset = { from: null, to: 'set' }
  expect(await startWith(secrets)).toEqual([
    {
      ADMIN_EMAIL: { from: null, to: 'boss@example.com' },
      ADMIN_PASSWORD: unset,
      DB_VIEW_PIN: unset,
      JWT_SECRET: unset,
      METRICS_TOKEN: unset,
      PUBLIC_URL: { from: null, to: 'https://pics.example' },
      SMTP_URL: unset,
      SUPPORT_EMAIL: { from: null, to: 'help@example.com' },
    },
  ])
})
