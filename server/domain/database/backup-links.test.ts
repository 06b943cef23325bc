import { afterAll, beforeAll, expect, it } from 'vitest'
import { limits } from '../../../contract/limits.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { takeBackup } from './backup-run.ts'

let app: TestApp
let admin: { id: string; token: string }
let backupId: string
const setRole = (role: 'admin' | 'user') =>
  app.deps.db.updateTable('users').set({ role }).where('id', '=', admin.id).execute()

beforeAll(async () => {
  app = await startTestApp()
  admin = await app.newUser()
  await setRole('admin')
  backupId = (await takeBackup(app.deps, 'server')).id
})
afterAll(() => app.stop())

const newLink = (token = admin.token) => app.call('POST', `/api/database/backups/${backupId}/link`, { token })
const linkEnded = { status: 403, body: { code: 'download_link_ended' } }

it('a download link works without a token, also for a byte range, and only once', async () => {
  const { status, body } = await newLink()
  expect(status).toBe(201)
  const whole = await app.request(body.url)
  expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'application/x-tar'])
  expect(whole.headers.get('content-disposition')).toMatch(/^attachment; filename="backup-[\dT-]+\.tar"$/)
  expect((await whole.arrayBuffer()).byteLength).toBe(Number(whole.headers.get('content-length')))
  expect(await app.call('GET', body.url)).toMatchObject(linkEnded)
  const other = (await newLink()).body.url
  const part = await app.request(other, { headers: { range: 'bytes=10-19' } })
  expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 10])
})

it('ten concurrent requests with one download link get one archive', async () => {
  const { url } = (await newLink()).body
  const responses = await Promise.all(Array.from({ length: 10 }, () => app.request(url)))
  await Promise.all(responses.map((response) => response.arrayBuffer()))
  expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array(9).fill(403)])
})

it('a download ticket is not accepted as a session token, nor the reverse', async () => {
  const ticket = new URL((await newLink()).body.url, 'http://x').searchParams.get('ticket') ?? ''
  expect((await app.call('GET', '/api/me', { token: ticket })).status).toBe(401)
  expect(await app.call('GET', `/api/database/archive?ticket=${admin.token}`)).toMatchObject(linkEnded)
  expect(await app.call('GET', `/api/database/archive?ticket=${ticket.slice(0, -2)}`)).toMatchObject(linkEnded)
})

it('a download link expires after a minute, and with the role, status or session of its creator', async () => {
  const { url, expires_at: endsAt } = (await newLink()).body
  expect(Date.parse(endsAt) - Date.now()).toBeLessThanOrEqual(limits.backup.linkMs)
  app.moveClock(limits.backup.linkMs + 1000)
  expect(await app.call('GET', url)).toMatchObject(linkEnded)
  app.moveClock(-limits.backup.linkMs - 1000)
  await setRole('user')
  expect(await app.call('GET', url)).toMatchObject(linkEnded)
  await setRole('admin')
  const { db } = app.deps
  const sessions = () => db.updateTable('sessions').where('user_id', '=', admin.id)
  const { maxAgeMs, idleMs } = limits.session
  const fresh = { created_at: app.deps.now(), last_seen_at: app.deps.now() }
  for (const old of [{ last_seen_at: app.deps.now() - idleMs - 1 }, { created_at: app.deps.now() - maxAgeMs - 1 }]) {
    await sessions().set(old).execute()
    expect(await app.call('GET', url)).toMatchObject(linkEnded)
    await sessions().set(fresh).execute()
  }
  const setStatus = (status: 'Active' | 'Inactive') =>
    db.updateTable('users').set({ status }).where('id', '=', admin.id).execute()
  await setStatus('Inactive')
  expect(await app.call('GET', url)).toMatchObject(linkEnded)
  await setStatus('Active')
  expect((await app.request(url, { method: 'HEAD' })).status).toBe(200)
  await app.call('POST', '/api/logout', { token: admin.token })
  expect(await app.call('GET', url)).toMatchObject(linkEnded)
})
