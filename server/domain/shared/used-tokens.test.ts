// What works once stays used, whatever happens to the memory of the server.
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { accountLimits } from '../../../contract/plain/account-limits.ts'
import { limits } from '../../../contract/plain/limits.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { createAuthenticator } from '../../testing/authenticator.ts'
import { startOidcProvider, testClient, type TestOidcProvider } from '../../testing/oidc-provider.ts'
import { memoryCounters } from './rate-counters.ts'
import { leadingZeroBits } from './proof-of-work.ts'
import { sweepUsedTokens, useOnce } from './used-tokens.ts'

const site = 'https://pics.example'
let provider: TestOidcProvider
let app: TestApp
let user: Awaited<ReturnType<TestApp['newUser']>>
beforeAll(async () => {
  provider = await startOidcProvider(`${site}/login/return`)
  const OIDC_PROVIDERS = JSON.stringify([{ ...testClient, id: 'company', name: 'Company', issuer: provider.issuer }])
  app = await startTestApp({ PUBLIC_URL: site, OIDC_PROVIDERS })
  user = await app.newUser()
})
afterAll(async () => {
  await app.stop()
  await provider.stop()
})

/** @returns the code of a refusal, else 'ok' */
async function send(path: string, body: object, headers = {}): Promise<string> {
  const response = await app.call('POST', path, { body, headers })
  return response.status < 300 ? 'ok' : response.body.code
}

/** Each prepares a request that succeeds once. */
const onceOnly = {
  async 'a download ticket'() {
    const { ticket } = (await app.call('POST', '/api/me/data/link', { token: user.token })).body
    return async () => {
      const body = new FormData()
      body.append('ticket', ticket)
      const response = await app.request('/api/me/data/archive', { method: 'POST', body })
      return response.ok ? 'ok' : ((await response.json()) as { code: string }).code
    }
  },
  async 'a passkey challenge'() {
    const device = createAuthenticator(site)
    const started = (await app.call('POST', '/api/me/passkeys/options', { token: user.token })).body
    const made = { token: started.token, response: device.register(started.options), name: 'Laptop' }
    expect((await app.call('POST', '/api/me/passkeys', { token: user.token, body: made })).status).toBe(201)
    const { options, token } = (await app.call('POST', '/api/login/passkey/options')).body
    return () => send('/api/login/passkey', { token, response: device.assert(options) })
  },
  async 'the return from a login provider'() {
    provider.users.set(user.email, { email: user.email, email_verified: true })
    const started = await app.call('POST', '/api/me/providers/company', { token: user.token })
    const query = await provider.logIn(started.body.url, user.email)
    return () => send('/api/login/oidc', { token: started.body.token, query })
  },
  async 'a proof of work'() {
    app.deps.config.PROOF_OF_WORK = 0
    const form = () => ({ email: `${crypto.randomUUID()}@example.com`, password: 'secret-1' })
    const asked = await app.call('POST', '/api/register', { body: form() })
    const challenge = asked.headers.get('x-challenge') ?? ''
    const nonce = challenge.split('.')[2]
    const bits = (n: number) => leadingZeroBits(createHash('sha256').update(`${nonce}.${n}`).digest())
    let solution = 0
    while (bits(solution) < limits.proofOfWork.bits) solution++
    const headers = { 'x-proof-of-work': `${challenge}.${solution}` }
    return () => send('/api/register', form(), headers)
  },
}

it.each([
  ['a download ticket', 'download_link_ended'],
  ['a passkey challenge', 'challenge_ended'],
  ['the return from a login provider', 'challenge_ended'],
  ['a proof of work', 'proof_of_work_required'],
] as const)('%s stays used when the counters in memory are lost', async (what, code) => {
  const use = await onceOnly[what]()
  expect(await use()).toBe('ok')
  Object.assign(app.deps, { counters: memoryCounters() })
  expect(await use()).toBe(code)
})

it('of concurrent uses of a token one is the first, and its mark is kept until the token ends', async () => {
  const mark = { kind: 'download', id: 'a', lifetimeMs: accountLimits.downloadLinkMs } as const
  const uses = await Promise.all(Array.from({ length: 20 }, () => useOnce(app.deps, mark)))
  expect(uses.filter(Boolean)).toHaveLength(1)
  const marks = app.deps.db.selectFrom('used_tokens').select('expires_at').where('id', '=', 'download:a')
  const { expires_at: end } = await marks.executeTakeFirstOrThrow()
  expect(end - app.deps.now()).toBeGreaterThan(mark.lifetimeMs / 2)
  await sweepUsedTokens(app.deps, end - 1)
  expect(await useOnce(app.deps, mark)).toBe(false)
  expect((await sweepUsedTokens(app.deps, end)).usedTokens).toBeGreaterThan(0)
  expect(await marks.execute()).toEqual([])
})
