import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { bindDemoLogin } from './demo-login.ts'

const email = 'visitor@example.com'
let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT: '5' }, undefined, {
    bind: (server, deps) => bindDemoLogin(server, deps, { user: email }),
  })
})
afterAll(() => app.stop())

it('a link of the demonstration logs in, stores no address, and counts towards the limit of the address', async () => {
  const { id } = await app.newUser(email)
  await app.deps.db.deleteFrom('sessions').execute()
  const statuses: number[] = []
  for (let visit = 0; visit < 6; visit++) statuses.push((await app.request('/demo/user')).status)
  expect(statuses[0]).toBe(200)
  expect(statuses.at(-1)).toBe(429)
  const sessions = await app.deps.db.selectFrom('sessions').select('network').where('user_id', '=', id).execute()
  expect(sessions).toEqual(statuses.filter((status) => status === 200).map(() => ({ network: 'unknown' })))
})
