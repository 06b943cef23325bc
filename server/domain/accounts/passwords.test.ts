import { availableParallelism } from 'node:os'
import { hash } from '@node-rs/argon2'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limits } from '../../../contract/plain/limits.ts'
import { cheapHash, startTestApp, type TestApp } from '../../testing/app.ts'
import { hashCount, hashPassword, isOutdated, passwordMatches, recommendedCost, setHashCost } from './passwords.ts'

let app: TestApp
beforeAll(async () => {
  setHashCost(recommendedCost)
  app = await startTestApp()
})
afterAll(() => {
  setHashCost(cheapHash)
  return app.stop()
})

const login = (email: string, password: string) => app.call('POST', '/api/login', { body: { email, password } })

describe('hashing', () => {
  it('queues fifty, and fails with busy for further ones, known or unknown', async () => {
    const places = availableParallelism() + 50
    const taken = Array.from({ length: places }, () => hashPassword('secret'))
    const busy = { code: 'busy', status: 503, retryAfterS: 2 }
    await expect(hashPassword('secret')).rejects.toMatchObject(busy)
    await expect(passwordMatches('secret', null)).rejects.toMatchObject(busy)
    expect(new Set(await Promise.all(taken)).size).toBe(places)
    expect(await passwordMatches('secret', await taken[0]!)).toBe(true)
  })

  it('uses argon2id with 19 MiB, twice', async () => {
    expect(await hashPassword('secret')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })

  it('runs once for a login, whether the account exists or not', async () => {
    const { email } = await app.newUser()
    for (const [who, password] of [
      [email, 'wrong-1'],
      ['nobody@example.com', 'wrong-1'],
      [email, 'secret-1'],
    ] as const) {
      const before = hashCount()
      await login(who, password)
      expect(hashCount() - before, who).toBe(1)
    }
  })

  it('does not run for a password that is too long', async () => {
    const { email, token } = await app.newUser()
    const before = hashCount()
    const long = 'x'.repeat(limits.account.maxPasswordLength + 1)
    const answers = [
      await login(email, long),
      await app.call('POST', '/api/register', { body: { email: 'long@example.com', password: long } }),
      await app.call('PUT', '/api/me', { token, body: { currentPassword: 'secret-1', newPassword: long } }),
      await app.call('PUT', '/api/me', { token, body: { currentPassword: long, newPassword: 'secret-2' } }),
    ]
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(Array(4).fill([400, 'invalid_input']))
    expect(hashCount()).toBe(before)
  })
})

describe('a hash with outdated parameters', () => {
  const kept = async (email: string) =>
    (await app.deps.db.selectFrom('users').select('password_hash').where('email', '=', email).executeTakeFirstOrThrow())
      .password_hash

  it('is renewed by the next successful login only', async () => {
    const { email } = await app.newUser()
    expect(isOutdated(await kept(email))).toBe(false)
    const old = await hash('secret-1', { memoryCost: 8192, timeCost: 1, parallelism: 1 })
    await app.deps.db.updateTable('users').set({ password_hash: old }).where('email', '=', email).execute()
    expect((await login(email, 'wrong-1')).status).toBe(401)
    expect(await kept(email)).toBe(old)
    const both = await Promise.all([login(email, 'secret-1'), login(email, 'secret-1')])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    expect(isOutdated(await kept(email))).toBe(false)
    const { body } = await login(email, 'secret-1')
    expect((await app.call('GET', '/api/me', { token: body.token })).status).toBe(200)
  })
})
