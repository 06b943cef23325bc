import { afterAll, beforeAll, expect, it } from 'vitest'
import { accountLimits } from '../../../contract/plain/account-limits.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { unsubscribeUrl } from '../../domain/mail/unsubscribe.ts'

let app: TestApp
let path: string
let user: { id: string; token: string }

beforeAll(async () => {
  app = await startTestApp({ TRUST_PROXY: '1' })
  user = await app.newUser()
  path = unsubscribeUrl(app.deps, user.id)
})
afterAll(() => app.stop())

const open = async (at: string, method = 'GET', init: RequestInit = {}) => {
  const response = await app.request(at, { method, ...init })
  return { status: response.status, headers: response.headers, html: await response.text() }
}
const isOn = async () => (await app.call('GET', '/api/me', { token: user.token })).body.user.mailDigest as boolean
const switchOn = () => app.call('PUT', '/api/me', { token: user.token, body: { mailDigest: true } })

it('GET asks and changes nothing, and the button sends a POST', async () => {
  const page = await open(path)
  expect(page.status).toBe(200)
  expect(page.html).toContain('<form method="post"><button class="button primary">Switch off</button></form>')
  await open(path, 'HEAD')
  expect(await isOn()).toBe(true)
  expect(await open(path, 'POST')).toMatchObject({ status: 200, html: expect.stringContaining('These mails are off') })
  expect(await isOn()).toBe(false)
  // Mail programs repeat requests.
  expect((await open(path, 'POST')).status).toBe(200)
  await switchOn()
})

it.each([
  ['a form', new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })],
  ['a multipart form', form()],
])('takes the request of RFC 8058 as %s, without a login', async (_, body) => {
  expect((await open(path, 'POST', { body })).status).toBe(200)
  expect(await isOn()).toBe(false)
  await switchOn()
})

function form(): FormData {
  const fields = new FormData()
  fields.append('List-Unsubscribe', 'One-Click')
  return fields
}

it('refuses an altered link and that of another account, with a sentence, and changes nothing', async () => {
  const other = unsubscribeUrl(app.deps, (await app.newUser()).id)
  const [, , , token = ''] = path.split('/')
  const wrong = [
    `/unsubscribe/${user.id}/${other.split('/')[3]}`,
    `/unsubscribe/${user.id}/${token.slice(1)}`,
    `/unsubscribe/${user.id}/x`,
    `/unsubscribe/none/${token}`,
    `/unsubscribe/${user.id}/%00`,
  ]
  for (const at of wrong) {
    for (const method of ['GET', 'POST']) {
      const page = await open(at, method)
      expect([page.status, at]).toEqual([403, at])
      expect(page.html).toContain('This link is not valid')
      expect(page.html).not.toContain('<form')
    }
  }
  expect(await isOn()).toBe(true)
})

it('throttles wrong links by the address of the client', async () => {
  const headers = { 'x-forwarded-for': '198.51.100.1' }
  const statuses: number[] = []
  for (let n = 0; n <= accountLimits.mailLinks.wrong.limit; n++)
    statuses.push((await open(`/unsubscribe/${user.id}/x`, 'POST', { headers })).status)
  expect(statuses.slice(0, -1)).toEqual(Array(accountLimits.mailLinks.wrong.limit).fill(403))
  expect(statuses.at(-1)).toBe(429)
})

it('of a deleted account says that the link is not valid', async () => {
  const { id } = await app.newUser()
  const url = unsubscribeUrl(app.deps, id)
  await app.deps.db.deleteFrom('users').where('id', '=', id).execute()
  expect((await open(url, 'POST')).status).toBe(403)
})

it('is not cached, framed or indexed, runs no script, and appears in no log line', async () => {
  const { headers } = await open(path)
  expect(Object.fromEntries(headers)).toMatchObject({
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
    'content-security-policy': expect.stringMatching(/^default-src 'none'; style-src 'sha256-.*frame-ancestors 'none'/),
  })
  const secret = path.split('/')[3] ?? ''
  expect(JSON.stringify(app.logged)).toContain(`/unsubscribe/${user.id}/***`)
  expect(JSON.stringify(app.logged)).not.toContain(secret)
})
