// While the database or the bucket is unavailable: 503 with Retry-After, and no partial changes.
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { openSqlite } from '../../db/sqlite.ts'
import { type ApiResponse, startTestApp, type TestApp } from '../../testing/app.ts'
import { jpeg } from '../../testing/test-images.ts'
import { type S3Server, startS3Server } from '../../testing/s3-server.ts'

function expectUnavailable({ status, body, headers }: ApiResponse) {
  expect([status, body.code]).toEqual([503, 'storage_unavailable'])
  expect(body.error).toBe('The storage of this server is unavailable. Try again in a moment')
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
}

describe('an unavailable bucket', () => {
  let s3: S3Server
  let app: TestApp
  beforeAll(async () => {
    const credentials = { bucket: 'pictures', accessKeyId: 'AKIATEST', secretAccessKey: 'secret' }
    s3 = await startS3Server(credentials)
    app = await startTestApp({
      S3_ENDPOINT: s3.endpoint,
      S3_BUCKET: credentials.bucket,
      S3_ACCESS_KEY_ID: credentials.accessKeyId,
      S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    })
  })
  afterAll(async () => {
    await app.stop()
    await s3.stop()
  })

  it('causes 503 for originals, new variants and uploads; cached variants are served', async () => {
    const image = await app.guestImage(await jpeg())
    const original = `/uploads/${image.file_name}`
    const cached = `/api/thumbnail/${image.id}/400`
    expect((await app.call('GET', cached)).status).toBe(200)
    await s3.stop()

    expectUnavailable(await app.call('GET', original))
    expectUnavailable(await app.call('GET', `/api/resize/${image.id}/900`))
    expectUnavailable(await app.upload(await jpeg()))
    expect((await app.call('GET', cached)).status).toBe(200)

    const { id, token } = await app.newUser()
    await app.deps.db.updateTable('users').set({ role: 'admin' }).where('id', '=', id).execute()
    const { body: stats } = await app.call('GET', '/api/database/stats', { token })
    expect(stats.warnings).toContain('bucket_unavailable')

    const rows = await app.deps.db.selectFrom('images').select('id').execute()
    expect(rows).toEqual([{ id: image.id }])
    expect(await app.files('tmp')).toEqual([])
    const warnings = () => app.logged.filter(({ msg }) => msg === 'The storage is unavailable')
    expect(warnings()).toMatchObject([{ level: 40, reason: expect.stringContaining('S3 cannot be reached') }])
    app.moveClock(60_000)
    expectUnavailable(await app.call('GET', original))
    expect(warnings()).toMatchObject([{}, { refusedBefore: 2 }])
    expect(app.logged.some(({ msg }) => msg === 'Unexpected error')).toBe(false)
  })
})

describe.skipIf(inject('postgresUrl') !== undefined)('a database that another process has locked', () => {
  it('causes 503 after the lock timeout, changes nothing, and works again afterwards', async () => {
    const app = await startTestApp({}, undefined, { lockTimeoutMs: 50 })
    const { db: other } = await openSqlite(join(app.dataDir, 'image-host.sqlite'))
    try {
      const body = { email: 'a@example.com', password: 'secret-1' }
      await sql`begin immediate`.execute(other)
      const calls = [app.call('POST', '/api/register', { body }), app.upload(await jpeg())]
      for (const response of await Promise.all(calls)) expectUnavailable(response)
      await sql`rollback`.execute(other)
      expect(await app.files('originals')).toEqual([])
      expect((await app.call('POST', '/api/register', { body })).status).toBe(201)
    } finally {
      await other.destroy()
      await app.stop()
    }
  })
})
