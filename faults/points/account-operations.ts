// Operations on accounts, sessions and keys.
import { hashSecret } from '../../server/domain/shared/secrets.ts'
import type { Prepare } from './operation.ts'
import { bodyOf } from '../client.ts'
import type { TestServer } from './test-server.ts'

const password = 'secret of the harness'
const newEmail = () => `${crypto.randomUUID()}@example.com`

export const accountOperations: Record<string, Prepare> = {
  register: async (server) => {
    const body = { email: newEmail(), password }
    server.forgetCounts()
    return {
      act: () => server.send('POST', '/api/register', { body }),
      // The first attempt may have succeeded although its response was a failure: then its owner logs in.
      allowedRetryStatuses: [201, 409],
      async check() {
        const { status } = await server.send('POST', '/api/login', { body })
        return status === 200 ? [] : [`the registered account cannot log in: ${status}`]
      },
    }
  },
  login: async (server) => {
    server.forgetCounts()
    const body = { email: 'user@example.com', password }
    return { act: () => server.send('POST', '/api/login', { body }) }
  },
  logout: async (server) => {
    const token = await newSession(server)
    return {
      act: () => server.send('POST', '/api/logout', { token }),
      allowedRetryStatuses: [200, 401],
      async check() {
        const { status } = await server.send('GET', '/api/me', { token })
        return status === 401 ? [] : ['an acknowledged logout did not happen']
      },
    }
  },
  'API key, made': async (server) => {
    await server.deps.db.deleteFrom('api_keys').execute()
    const token = await newSession(server)
    return {
      act: () => server.send('POST', '/api/api-keys', { token, body: {} }),
      allowedRetryStatuses: [201],
    }
  },
  'API key, used': async (server) => {
    await server.deps.db.deleteFrom('api_keys').execute()
    const made = await server.send('POST', '/api/api-keys', { token: await newSession(server), body: {} })
    const { key } = bodyOf<{ key: string }>(made)
    return { act: () => server.send('GET', '/api/images', { token: key }) }
  },
  'delete of a user with images': async (server, seedImage) => {
    const id = hashSecret(newEmail()).slice(0, 22)
    const model = await server.deps.db
      .selectFrom('users')
      .selectAll()
      .where('id', '=', server.user.id)
      .executeTakeFirstOrThrow()
    await server.deps.db
      .insertInto('users')
      .values({ ...model, id, email: newEmail(), image_count: 2 })
      .execute()
    await Promise.all([seedImage(id), seedImage(id)])
    return {
      act: () => server.send('DELETE', `/api/users/${id}`, { token: server.admin.token }),
      allowedRetryStatuses: [200, 404],
      async check() {
        const living = await server.deps.db
          .selectFrom('images')
          .select('id')
          .where('expires_at', '>', Date.now())
          .execute()
        return living.length === 0 ? [] : ['an image outlives its owner']
      },
    }
  },
}

/** The user's first session ends with later logins: their number is limited. */
async function newSession(server: TestServer): Promise<string> {
  server.forgetCounts()
  const reply = await server.send('POST', '/api/login', { body: { email: 'user@example.com', password } })
  return bodyOf<{ token: string }>(reply).token
}
