import { afterEach, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/app.ts'

let app: TestApp
afterEach(() => app.stop())

const warnings = () => app.logged.filter(({ msg }) => String(msg).startsWith('A proxy forwards requests'))
const statsWarnings = async () => {
  const admin = { email: 'boss@example.com', password: 'boss-secret' }
  const { token } = (await app.call('POST', '/api/login', { body: admin })).body
  return (await app.call('GET', '/api/database/stats', { token })).body.warnings
}
const asAdmin = { ADMIN_EMAIL: 'boss@example.com', ADMIN_PASSWORD: 'boss-secret' }

describe('a proxy without TRUST_PROXY', () => {
  it('is warned of once in the log, and on the admin page', async () => {
    app = await startTestApp(asAdmin)
    expect(await statsWarnings()).toEqual(['open_database_view'])
    for (let n = 0; n < 3; n++)
      await app.call('GET', '/api/limits', { headers: { 'x-forwarded-for': `203.0.113.${n}` } })
    expect(warnings()).toMatchObject([{ level: 40, address: expect.stringMatching(/127\.0\.0\.1|::1/) }])
    expect(await statsWarnings()).toEqual(['open_database_view', 'untrusted_proxy'])
  })

  it.each(['forwarded', 'x-real-ip', 'x-forwarded-proto'])('is noticed by the header %s', async (name) => {
    app = await startTestApp()
    await app.call('GET', '/api/limits', { headers: { [name]: 'for=203.0.113.1' } })
    expect(warnings()).toHaveLength(1)
  })
})

it('no proxy is warned of with TRUST_PROXY, nor without a forwarded header', async () => {
  app = await startTestApp({ TRUST_PROXY: '1' })
  await app.call('GET', '/api/limits', { headers: { 'x-forwarded-for': '203.0.113.1' } })
  await app.stop()
  expect(warnings()).toEqual([])
  app = await startTestApp()
  await app.call('GET', '/api/limits')
  expect(warnings()).toEqual([])
})

it('DB_VIEW_ROLE=any is warned of at the start, DB_VIEW_ROLE=admin is not', async () => {
  const isWarned = () => app.logged.some(({ msg, level }) => level === 40 && String(msg).startsWith('DB_VIEW_ROLE=any'))
  app = await startTestApp({ ...asAdmin, DB_VIEW_ROLE: 'admin' })
  expect([isWarned(), await statsWarnings()]).toEqual([false, []])
  await app.stop()
  app = await startTestApp()
  expect(isWarned()).toBe(true)
})
