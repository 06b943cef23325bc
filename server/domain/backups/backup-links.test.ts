import { afterAll, beforeAll, expect, it } from 'vitest'
import { accountLimits } from '../../../contract/plain/account-limits.ts'
import { limits } from '../../../contract/plain/limits.ts'
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
  backupId = (await takeBackup(app.deps, { by: 'server' })).id
})
afterAll(() => app.stop())

const newLink = (token = admin.token) => app.call('POST', `/api/database/backups/${backupId}/link`, { token })
const newTicket = async () => (await newLink()).body.ticket as string
const linkEnded = { status: 403, body: { code: 'download_link_ended' } }

/** As the form of the page: its Origin is `null`, because the page has the policy no-referrer. */
function download(ticket: string, headers: Record<string, string> = {}) {
  const body = new FormData()
  body.set('ticket', ticket)
  return app.request('/api/database/archive', { method: 'POST', body, headers: { origin: 'null', ...headers } })
}
async function refusal(ticket: string) {
  const response = await download(ticket)
  return { status: response.status, body: await response.json() }
}

it('a download link works without a token, and only once', async () => {
  const { status, body } = await newLink()
  expect([status, body.url]).toEqual([201, '/api/database/archive'])
  const whole = await download(body.ticket, { range: 'bytes=10-19' })
  expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'application/x-tar'])
  expect(whole.headers.get('content-disposition')).toMatch(/^attachment; filename="backup-[\dT-]+\.tar"$/)
  expect((await whole.arrayBuffer()).byteLength).toBe(Number(whole.headers.get('content-length')))
  expect(await refusal(body.ticket)).toMatchObject(linkEnded)
  expect((await app.request(`${body.url}?ticket=${body.ticket}`)).status).toBe(405)
})

it('ten concurrent requests with one download link get one archive', async () => {
  const ticket = await newTicket()
  const responses = await Promise.all(Array.from({ length: 10 }, () => download(ticket)))
  await Promise.all(responses.map((response) => response.arrayBuffer()))
  expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array(9).fill(403)])
})

it('a download ticket is not accepted as a session token, nor the reverse', async () => {
  const ticket = await newTicket()
  expect((await app.call('GET', '/api/me', { token: ticket })).status).toBe(401)
  expect(await refusal(admin.token)).toMatchObject(linkEnded)
  expect(await refusal(ticket.slice(0, -2))).toMatchObject(linkEnded)
})

it('a download link expires after a minute, and with the role, status or session of its creator', async () => {
  const { ticket, expires_at: endsAt } = (await newLink()).body
  expect(Date.parse(endsAt) - Date.now()).toBeLessThanOrEqual(accountLimits.downloadLinkMs)
  app.moveClock(accountLimits.downloadLinkMs + 1000)
  expect(await refusal(ticket)).toMatchObject(linkEnded)
  app.moveClock(-accountLimits.downloadLinkMs - 1000)
  await setRole('user')
  expect(await refusal(ticket)).toMatchObject(linkEnded)
  await setRole('admin')
  const { db } = app.deps
  const sessions = () => db.updateTable('sessions').where('user_id', '=', admin.id)
  const { maxAgeMs, idleMs } = limits.session
  const fresh = { created_at: app.deps.now(), last_seen_at: app.deps.now() }
  for (const old of [{ last_seen_at: app.deps.now() - idleMs - 1 }, { created_at: app.deps.now() - maxAgeMs - 1 }]) {
    await sessions().set(old).execute()
    expect(await refusal(ticket)).toMatchObject(linkEnded)
    await sessions().set(fresh).execute()
  }
  const setStatus = (status: 'Active' | 'Inactive') =>
    db.updateTable('users').set({ status }).where('id', '=', admin.id).execute()
  await setStatus('Inactive')
  expect(await refusal(ticket)).toMatchObject(linkEnded)
  await setStatus('Active')
  await app.call('POST', '/api/logout', { token: admin.token })
  expect(await refusal(ticket)).toMatchObject(linkEnded)
})
