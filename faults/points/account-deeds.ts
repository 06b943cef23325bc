// Accounts, sessions and keys while a call fails.
import { hashSecret } from '../../server/domain/secrets.ts'
import type { Deed } from './deed.ts'
import { bodyOf, type House } from './house.ts'

const password = 'secret of the harness'
const newEmail = () => `${crypto.randomUUID()}@example.com`

export const deedsOfAccounts: Deed[] = [
  {
    name: 'register',
    async set(house) {
      const body = { email: newEmail(), password }
      house.forgetCounts()
      return {
        act: () => house.send('POST', '/api/register', { body }),
        // The first one may have made it although its answer was a failure: then its owner logs in.
        again: [201, 409],
        async check() {
          const { status } = await house.send('POST', '/api/login', { body })
          return status === 200 ? [] : [`nobody can log in to what was registered: ${status}`]
        },
      }
    },
  },
  {
    name: 'login',
    async set(house) {
      house.forgetCounts()
      const body = { email: 'user@example.com', password }
      return { act: () => house.send('POST', '/api/login', { body }), again: [200] }
    },
  },
  {
    name: 'logout',
    async set(house) {
      const token = await newSession(house)
      return {
        act: () => house.send('POST', '/api/logout', { token }),
        again: [200, 401],
        async check() {
          const { status } = await house.send('GET', '/api/me', { token })
          return status === 401 ? [] : ['an acknowledged logout did not happen']
        },
      }
    },
  },
  {
    name: 'API key, made',
    async set(house) {
      await house.deps.db.deleteFrom('api_keys').execute()
      return { act: () => house.send('POST', '/api/api-keys', { token: house.user.token, body: {} }), again: [201] }
    },
  },
  {
    name: 'API key, used',
    async set(house) {
      await house.deps.db.deleteFrom('api_keys').execute()
      const made = await house.send('POST', '/api/api-keys', { token: house.user.token, body: {} })
      const { key } = bodyOf<{ key: string }>(made)
      return { act: () => house.send('GET', '/api/images', { token: key }), again: [200] }
    },
  },
  {
    name: 'delete of a user with images',
    async set(house, plant) {
      const id = hashSecret(newEmail()).slice(0, 22)
      const model = await house.deps.db
        .selectFrom('users')
        .selectAll()
        .where('id', '=', house.user.id)
        .executeTakeFirstOrThrow()
      await house.deps.db
        .insertInto('users')
        .values({ ...model, id, email: newEmail(), image_count: 2 })
        .execute()
      await Promise.all([plant(id), plant(id)])
      return {
        act: () => house.send('DELETE', `/api/users/${id}`, { token: house.admin.token }),
        again: [200, 404],
        async check() {
          const living = await house.deps.db
            .selectFrom('images')
            .select('id')
            .where('expires_at', '>', Date.now())
            .execute()
          return living.length === 0 ? [] : ['an image outlives its owner']
        },
      }
    },
  },
]

async function newSession(house: House): Promise<string> {
  house.forgetCounts()
  const reply = await house.send('POST', '/api/login', { body: { email: 'user@example.com', password } })
  return bodyOf<{ token: string }>(reply).token
}
