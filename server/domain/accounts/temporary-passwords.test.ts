import { afterAll, beforeAll, expect, it } from 'vitest'
import { limits } from '../../../contract/plain/limits.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { createAccount } from './account-rows.ts'
import { resetPassword, temporaryPassword } from './operator-accounts.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const login = (email: string, password: string) => app.call('POST', '/api/login', { body: { email, password } })
const { temporaryPasswordMs } = limits.account

it.each([
  [
    'of a new account',
    async (email: string) => {
      const temporary = temporaryPassword(app.deps)
      await createAccount(app.deps, { email, role: 'user', ...temporary }, { actor: 'command_line' })
      return temporary.password
    },
  ],
  [
    'of a reset account',
    async (email: string) => {
      await app.newUser(email)
      return resetPassword(app.deps, email)
    },
  ],
])('a generated password %s ends after a day, unless it is changed', async (_, generate) => {
  const [email, changed] = [`${crypto.randomUUID()}@example.com`, `${crypto.randomUUID()}@example.com`]
  const [password, first] = [await generate(email), await generate(changed)]
  const { token } = (await login(email, password)).body
  const other = (await login(changed, first)).body.token
  const change = { currentPassword: first, newPassword: 'secret-2' }
  expect((await app.call('PUT', '/api/me', { token: other, body: change })).status).toBe(200)

  app.moveClock(temporaryPasswordMs)
  expect(await login(email, password)).toMatchObject({ status: 403, body: { code: 'password_expired' } })
  expect((await login(email, 'wrong')).body.code).toBe('wrong_credentials')
  // Nor is it accepted where a session has to confirm it.
  const late = { currentPassword: password, newPassword: 'secret-2' }
  expect(await app.call('PUT', '/api/me', { token, body: late })).toMatchObject({
    status: 403,
    body: { code: 'wrong_password' },
  })
  expect((await login(changed, 'secret-2')).status).toBe(200)
  app.moveClock(-temporaryPasswordMs)
})
