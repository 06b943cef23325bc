// Every failure of the contract occurs in a test. Those that no other test provokes are here.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { failures } from '../../../contract/plain/failures.ts'
import { updateUser } from '../../domain/accounts/manage-users.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { jpeg } from '../../testing/test-images.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ ADMIN_EMAIL: 'boss@example.com', ADMIN_PASSWORD: 'boss-secret' })
})
afterAll(() => app.stop())

const asAdmin = async () => {
  const body = { email: 'boss@example.com', password: 'boss-secret' }
  return (await app.call('POST', '/api/login', { body })).body.token as string
}

describe('a rare failure', () => {
  it("'storage_full': a full disk during an upload leaves no files and no row", async () => {
    const { put } = app.deps.blobs
    app.deps.blobs.put = async () => {
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    }
    try {
      expect(await app.upload(await jpeg())).toMatchObject({ status: 507, body: { code: 'storage_full' } })
    } finally {
      app.deps.blobs.put = put
    }
    expect(await app.files('tmp')).toEqual([])
    expect((await app.upload(await jpeg())).status).toBe(201)
  })

  it("'last_admin': a caller who has lost the admin role meanwhile cannot demote the last admin", async () => {
    const db = app.deps.db
    const admin = await db.selectFrom('users').selectAll().where('role', '=', 'admin').executeTakeFirstOrThrow()
    const caller = {
      kind: 'user' as const,
      account: { ...admin, id: 'demoted meanwhile' },
      by: { sessionId: 'x', confirmedAt: app.deps.now() },
    }
    const request = { caller, address: '', params: { userId: admin.id }, body: { role: 'user' as const } }
    await expect(updateUser(app.deps, request)).rejects.toMatchObject({ code: 'last_admin' })
  })

  it("'user_not_found', 'image_gone'", async () => {
    const token = await asAdmin()
    expect(await app.call('PUT', '/api/users/none', { token, body: {} })).toMatchObject({
      body: { code: 'user_not_found' },
    })
    const image = await app.guestImage(await jpeg())
    await app.call('DELETE', `/api/images/${image.id}`, { guestToken: image.delete_token })
    expect(await app.call('GET', `/api/thumbnail/${image.id}/400`)).toMatchObject({ body: { code: 'image_gone' } })
  })

  it("'too_many_files': two files in one form", async () => {
    const form = new FormData()
    for (const name of ['a.jpg', 'b.jpg']) form.append('image', new Blob([new Uint8Array(await jpeg())]), name)
    const response = await app.request('/api/upload', { method: 'POST', body: form })
    expect(await response.json()).toMatchObject({ code: 'too_many_files' })
  })
})

describe('the failures of the contract', () => {
  const root = new URL('../../', import.meta.url).pathname
  const tests = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n')

  it.each(Object.keys(failures))('include %s, which a test provokes', (code) => {
    const text = failures[code as keyof typeof failures].text.split('{')[0] ?? ''
    expect(tests.includes(`'${code}'`) || (text.length > 15 && tests.includes(text.trim()))).toBe(true)
  })
})
