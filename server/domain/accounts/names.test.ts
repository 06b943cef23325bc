// Names of accounts and API keys are cleaned like file names, at every endpoint.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/app.ts'

let app: TestApp
let admin: string
beforeAll(async () => {
  app = await startTestApp({ ADMIN_EMAIL: 'boss@example.com', ADMIN_PASSWORD: 'boss-secret' })
  const body = { email: 'boss@example.com', password: 'boss-secret' }
  admin = (await app.call('POST', '/api/login', { body })).body.token
})
afterAll(() => app.stop())

const hostile = ' Ad\u202Ea\u200B \u2066Love\u0001la\u{E0041}ce\n '
const clean = 'Ada Lovelace'
const invisible = '\u200B\u2060 \u3164'
const email = () => `user-${crypto.randomUUID()}@example.com`
const password = 'secret-1'

type Writer = [what: string, write: (name: string) => Promise<{ status: number; body: { user?: object } }>]
const writers: Writer[] = [
  ['register', (name) => app.call('POST', '/api/register', { body: { email: email(), password, name } })],
  ['createUser', (name) => app.call('POST', '/api/users', { token: admin, body: { email: email(), password, name } })],
  [
    'updateMe',
    async (name) => app.call('PUT', '/api/me', { token: (await app.newUser()).token, body: { name, firstName: name } }),
  ],
  [
    'updateUser',
    async (name) => app.call('PUT', `/api/users/${(await app.newUser()).id}`, { token: admin, body: { name } }),
  ],
]

it.each(writers)(
  '%s stores a name without invisible characters, and refuses one without visible ones',
  async (_, write) => {
    const { body } = await write(hostile)
    expect(body.user).toMatchObject({ name: clean })
    expect(await write(invisible)).toMatchObject({ status: 400, body: { code: 'invalid_input' } })
  },
)

it('an API key has a cleaned name, or the default when nothing is visible', async () => {
  const { token } = await app.newUser()
  const nameOf = async (name: string) => (await app.call('POST', '/api/api-keys', { token, body: { name } })).body.name
  expect(await nameOf(hostile)).toBe(clean)
  expect(await nameOf(invisible)).toBe('API key')
})

it('a first and a last name are cleaned, and may be empty', async () => {
  const { token } = await app.newUser()
  const body = { firstName: hostile, lastName: invisible }
  expect((await app.call('PUT', '/api/me', { token, body })).body.user).toMatchObject({
    firstName: clean,
    lastName: '',
  })
})
