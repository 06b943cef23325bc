import { afterAll, beforeAll, expect, it } from 'vitest'
import { readConfig } from '../../config.ts'
import { describeStartFailure } from '../../start-failure.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { assertStrongPassword } from './password-policy.ts'

const adminLogin = { email: 'boss@example.com', password: 'boss-secret' }
let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ ADMIN_EMAIL: adminLogin.email, ADMIN_PASSWORD: adminLogin.password })
})
afterAll(() => app.stop())

const config = readConfig({ SITE_NAME: 'Holiday Club', PUBLIC_URL: 'https://pics.coastline.example' })
const account = { field: 'password', email: 'mary.shelley@lakeside.example', name: 'Mary S.' }
const refusal = (password: string) =>
  assertStrongPassword({ config }, { ...account, password }).then(
    () => null,
    ({ code, message }: { code: string; message: string }) => [code, message],
  )
const weak = (problem: string) => ['weak_password', `This password is easy to guess: ${problem}. Choose another one`]

it.each(['123456', 'password', 'PassWord1', 'QWERTY', 'iloveyou', 'secret', 'changeme', 'letmein1', 'trustno1'])(
  'the common password %s is refused',
  async (password) => expect(await refusal(password)).toEqual(weak('it is one of the most common ones')),
)

it.each([
  'Image Host',
  'imagehost2026!',
  'Administrator!1',
  'Admin-2026',
  'holidayclub',
  '1 Holiday-Club 1',
  'mary.shelley@lakeside.example',
  'mary.shelley',
  'MaryShelley99',
  'lakeside.example',
  'Mary_S!!',
  'pics.coastline.example',
  'coastline7',
  'Shelley1818',
  'holiday!',
])('%s, a name of the site or of the account, is refused', async (password) =>
  expect(await refusal(password)).toEqual(weak('it is a name of the site or of the account')),
)

it.each(['secret-1', 'correct-horse-1', 'mary reads in the lake', '8-2-4-1-9', '......', '# Permission', 'пароль-дом'])(
  '%s is accepted',
  async (password) => expect(await refusal(password)).toBeNull(),
)

it('a weak password is refused by every endpoint that sets one', async () => {
  const { id, token } = await app.newUser()
  const admin = (await app.call('POST', '/api/login', { body: adminLogin })).body.token
  const calls = [
    app.call('POST', '/api/register', { body: { email: 'new@example.com', password: '123456' } }),
    app.call('PUT', '/api/me', { token, body: { currentPassword: 'secret-1', newPassword: '123456' } }),
    app.call('POST', '/api/users', { token: admin, body: { email: 'new@example.com', password: '123456' } }),
    app.call('PUT', `/api/users/${id}`, {
      token: admin,
      body: { password: '123456', currentPassword: adminLogin.password },
    }),
  ]
  for (const { status, body } of await Promise.all(calls))
    expect([status, body.code, body.error]).toEqual([400, ...weak('it is one of the most common ones')])
})

it('a start that would create an admin with a weak password fails and names the setting', async () => {
  const starting = startTestApp({ ADMIN_EMAIL: adminLogin.email, ADMIN_PASSWORD: 'password' })
  const error = await starting.then(
    () => expect.fail('started'),
    (reason: unknown) => reason,
  )
  expect(describeStartFailure(error, undefined)).toBe(
    'ADMIN_PASSWORD: This password is easy to guess: it is one of the most common ones. Choose another one.',
  )
})
