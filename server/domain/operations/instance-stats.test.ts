import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dayMs, limits } from '../../../contract/plain/limits.ts'
import type { ImagesTable } from '../../db/schema.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { onFullDisk } from '../../testing/full-disk.ts'
import { jpeg } from '../../testing/test-images.ts'
import { imageTotals } from '../images/image-totals.ts'

let app: TestApp
let admin: string
beforeAll(async () => {
  app = await startTestApp()
  const user = await app.newUser('admin@example.com')
  await app.deps.db.updateTable('users').set({ role: 'admin' }).where('id', '=', user.id).execute()
  admin = user.token
})
afterAll(() => app.stop())

const stats = async () => (await app.call('GET', '/api/database/stats', { token: admin })).body

async function counted() {
  const { rows } = await sql<{ images: number; bytes: number; guestImages: number; guestBytes: number }>`
    select count(*) as images, coalesce(sum(bytes), 0) as bytes,
           coalesce(sum(case when owner_id is null then 1 else 0 end), 0) as "guestImages",
           coalesce(sum(case when owner_id is null then bytes else 0 end), 0) as "guestBytes" from images`.execute(
    app.deps.db,
  )
  return rows[0]
}

const row = (n: number, over: Partial<ImagesTable> = {}): ImagesTable => ({
  id: `row-${String(n).padStart(18, '0')}`,
  file_name: `row-${n}.jpg`,
  original_name: 'row.jpg',
  owner_id: null,
  guest_token_hash: null,
  format: 'jpeg',
  width: 1,
  height: 1,
  frames: 1,
  has_alpha: 0,
  bytes: n,
  sha256: String(n),
  placeholder: '#000000',
  created_at: Date.now() - (n % 300) * dayMs,
  expires_at: Date.now() + 100 * dayMs,
  tags: '',
  expires_after_view_days: null,
  undo_until: null,
  undo_expires_at: null,
  quarantined_at: null,
  address_hash: null,
  former_owner_id: null,
  phash: null,
  phash_quality: null,
  resembles: null,
  blur: null,
  title: '',
  alt: '',
  slug: null,
  views_left: null,
  views: 0,
  visibility: 'public',
  view_key_version: 0,
  ...over,
})

describe('getDatabaseStats', () => {
  it('returns the statistics at the top level and under stats', async () => {
    const owner = await app.newUser()
    const picture = await jpeg(64, 64)
    const gone = await app.guestImage(picture)
    const kept = await app.guestImage(await jpeg(80, 64))
    const own = (await app.upload(await jpeg(96, 64), { token: owner.token })).body
    await app.call('DELETE', `/api/images/${gone.id}`, { guestToken: gone.delete_token })
    await app.deps.db.updateTable('users').set({ status: 'Inactive' }).where('id', '=', owner.id).execute()

    const { stats: nested, ...top } = await stats()
    expect(nested).toEqual(top)
    expect(top).toMatchObject({
      totalUsers: 2,
      activeUsers: 1,
      totalImages: 2,
      totalStorage: kept.size + own.size,
      guestImages: 1,
      guestBytes: kept.size,
      storageLimit: 0,
      guestStorageLimit: limits.guest.quotaBytes,
      expiredImages: 0,
      expiredBytes: 0,
      lastBackup: null,
      warnings: ['open_database_view'],
      version: expect.stringMatching(/^\d+\.\d+\.\d+(-dev(\+\w+)?)?$/),
      newerVersion: null,
      variants: { files: expect.any(Number), bytes: expect.any(Number) },
    })
    expect(top.uploadsPerDay).toHaveLength(limits.stats.days)
    expect(top.uploadsPerDay.at(-1)).toEqual({ date: new Date().toISOString().slice(0, 10), uploads: 3 })
    expect(top.uploadsPerDay[0].uploads).toBe(0)
  })

  it('warns while the disk is nearly full, and no longer when there is room', async () => {
    await onFullDisk(async () => {
      expect((await stats()).warnings).toEqual(['disk_full', 'open_database_view'])
    })
    expect((await stats()).warnings).toEqual(['open_database_view'])
  })

  it('is for admins', async () => {
    const { token } = await app.newUser()
    expect((await app.call('GET', '/api/database/stats')).status).toBe(401)
    expect((await app.call('GET', '/api/database/stats', { token })).status).toBe(403)
  })

  it('counts images through every way of adding and removing them', async () => {
    const { db } = app.deps
    const { id: owner } = await app.newUser()
    const rows = Array.from({ length: 60 }, (_, n) => row(n + 1, n % 3 === 0 ? { owner_id: owner } : {}))
    const agree = async () => {
      expect(await imageTotals(db)).toEqual(await counted())
    }
    await db.insertInto('images').values(rows).execute()
    await agree()
    await db.updateTable('images').set({ bytes: 7 }).where('sha256', '<', '3').execute()
    await agree()
    await db.updateTable('images').set({ owner_id: null }).where('owner_id', '=', owner).execute()
    await agree()
    await db.updateTable('images').set({ expires_at: 5 }).where('sha256', '=', '9').execute()
    await agree()
    await db.transaction().execute(async (transaction) => {
      await transaction.deleteFrom('images').where('id', 'like', 'row-%').where('bytes', '=', 7).execute()
    })
    await agree()
    await expect(
      db.transaction().execute(async (transaction) => {
        await transaction.deleteFrom('images').execute()
        throw new Error('undone')
      }),
    ).rejects.toThrow('undone')
    await agree()
    expect((await stats()).expiredImages).toBe(1)
    await db.deleteFrom('images').where('id', 'like', 'row-%').execute()
    await agree()
  })

  it('counts every concurrent upload', async () => {
    const before = await imageTotals(app.deps.db)
    const images = await Promise.all(Array.from({ length: 12 }, (_, n) => jpeg(32 + n, 32)))
    const sent = await Promise.all(images.map((bytes) => app.guestImage(bytes)))
    await Promise.all(
      sent.slice(6).map(({ id, delete_token: guestToken }) => app.call('DELETE', `/api/images/${id}`, { guestToken })),
    )
    expect((await imageTotals(app.deps.db)).images).toBe(before.images + 6)
  })
})

describe('cleaning up', () => {
  it('previews what it would remove, removes it, and reports what it freed', async () => {
    const image = await app.guestImage(await jpeg(100, 100))
    await app.deps.db.updateTable('images').set({ expires_at: 1000 }).where('id', '=', image.id).execute()
    const preview = await app.call('GET', '/api/database/cleanup', { token: admin })
    expect(preview).toMatchObject({ status: 200, body: { images: 1, bytes: image.size } })
    const done = await app.call('POST', '/api/database/cleanup', { token: admin })
    expect(done).toMatchObject({ status: 200, body: { deletedImages: 1, freedSpace: image.size } })
    expect((await app.call('GET', '/api/database/cleanup', { token: admin })).body).toEqual({ images: 0, bytes: 0 })
    expect((await app.request(image.url)).status).toBe(410)
  })
})

describe('the plans of the queries', () => {
  const isPostgres = () => app.deps.config.DATABASE_URL !== undefined

  async function plan(query: string): Promise<string> {
    const { rows } = await sql
      .raw<Record<string, unknown>>(`${isPostgres() ? 'explain' : 'explain query plan'} ${query}`)
      .execute(app.deps.db)
    return rows.map((found) => String(found['QUERY PLAN'] ?? found['detail'])).join('\n')
  }

  it('read only the expired images, by index', async () => {
    const { db } = app.deps
    for (let at = 0; at < 20_000; at += 200) {
      await db
        .insertInto('images')
        .values(Array.from({ length: 200 }, (_, n) => row(100 + at + n)))
        .execute()
    }
    await sql.raw('analyze').execute(db)
    const expired = await plan(`select count(*), sum(bytes) from images where expires_at <= ${Date.now() - dayMs}`)
    expect(expired).toMatch(/images_(\w+_)?expiry/)
    expect(expired).not.toMatch(/Seq Scan|SCAN images/)
    const { rows } = await sql<{ count: number }>`select count(*) as count from image_totals`.execute(db)
    expect(Number(rows[0]?.count)).toBeLessThan(2000)
    const users = await plan('select status, count(*) from users group by status')
    if (!isPostgres()) expect(users).toMatch(/COVERING INDEX users_status/)
    await db.deleteFrom('images').where('id', 'like', 'row-%').execute()
  })
})
