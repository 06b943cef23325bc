import { afterAll, beforeAll, expect, it } from 'vitest'
import type { OwnSession } from '../../../contract/endpoints/sessions.ts'
import { limits } from '../../../contract/plain/limits.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ TRUST_PROXY: '1' })
})
afterAll(() => app.stop())

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0'
const from = (address: string, userAgent = firefox) => ({ 'x-forwarded-for': address, 'user-agent': userAgent })
const logIn = async (email: string, headers: Record<string, string>): Promise<string> =>
  (await app.call('POST', '/api/login', { headers, body: { email, password: 'secret-1' } })).body.token
const list = async (token: string, headers = {}): Promise<OwnSession[]> =>
  (await app.call('GET', '/api/sessions', { token, headers })).body.sessions
const isValid = async (token: string) => (await app.call('GET', '/api/me', { token })).status === 200
const end = (id: string, token: string) => app.call('DELETE', `/api/sessions/${id}`, { token })

it('a user sees each session with its device, network and last use, and no session of another user', async () => {
  await app.newUser()
  const { token, email } = await app.newUser()
  app.moveClock(60_000)
  const second = await logIn(email, from('2001:db8:1:2:3::4', 'curl/8.14.1'))
  app.moveClock(120_000)
  const sessions = await list(token, from('203.0.113.77'))
  expect(sessions).toMatchObject([
    { device: 'Node.js', network: '203.0.113.0/24', current: true },
    { device: 'curl', network: '2001:db8:1::/48', current: false },
  ])
  const [first, other] = sessions
  expect(Date.parse(first?.last_used_at ?? '') - Date.parse(other?.last_used_at ?? '')).toBeGreaterThanOrEqual(120_000)
  expect(Date.parse(first?.created_at ?? '')).toBeLessThan(Date.parse(other?.created_at ?? ''))
  expect((await list(second)).map(({ current }) => current)).toEqual([true, false])
})

it('a session that has ended by itself is not listed', async () => {
  const { email } = await app.newUser()
  app.moveClock(limits.session.idleMs + 1)
  expect(await list(await logIn(email, from('203.0.113.1')))).toMatchObject([{ device: 'Firefox on Windows' }])
})

it('a user ends one session, whose next request is refused, and can end this one', async () => {
  const { token, email } = await app.newUser()
  const [stolen, third] = [await logIn(email, from('198.51.100.1')), await logIn(email, from('198.51.100.2'))]
  const id = (await list(stolen)).find(({ current }) => current)?.id ?? ''
  expect((await end(id, token)).status).toBe(200)
  expect([await isValid(stolen), await isValid(token), await isValid(third)]).toEqual([false, true, true])
  expect(await end(id, token)).toMatchObject({ status: 404, body: { code: 'session_not_found' } })
  expect(await list(token)).toHaveLength(2)
  const own = (await list(token)).find(({ current }) => current)?.id ?? ''
  expect((await end(own, token)).status).toBe(200)
  expect([await isValid(token), await isValid(third)]).toEqual([false, true])
})

it('the session of another user is not found and continues', async () => {
  const [ada, eve] = [await app.newUser(), await app.newUser()]
  const [session] = await list(ada.token)
  for (const id of [session?.id ?? '', 'none', `${session?.id}'--`, '%00'])
    expect(await end(encodeURIComponent(id), eve.token)).toMatchObject({
      status: 404,
      body: { code: 'session_not_found' },
    })
  expect(await isValid(ada.token)).toBe(true)
})

it('a user ends all other sessions, and API keys continue to work', async () => {
  const { token, email } = await app.newUser()
  const others = [await logIn(email, from('198.51.100.1')), await logIn(email, from('198.51.100.2'))]
  const { key } = (await app.call('POST', '/api/api-keys', { token, body: {} })).body
  const bystander = await app.newUser()
  expect(await app.call('DELETE', '/api/sessions', { token })).toMatchObject({ status: 200, body: { ended: 2 } })
  expect(await Promise.all([...others, token, bystander.token].map(isValid))).toEqual([false, false, true, true])
  expect((await app.call('GET', '/api/images', { token: key })).status).toBe(200)
  expect((await app.call('DELETE', '/api/sessions', { token })).body.ended).toBe(0)
})
