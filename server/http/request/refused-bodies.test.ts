// A refused request is answered before its body is read, so that it costs the same whatever it carries.
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/app.ts'

const limited = '198.51.100.1'

let app: TestApp
let token: string
let readKey: string
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT: '20', TRUST_PROXY: '1' })
  for (let n = 0; n < 20; n++)
    await app.request('/api/login', { method: 'POST', headers: { 'x-forwarded-for': limited }, body: '{}' })
  ;({ token } = await app.newUser())
  readKey = (await app.call('POST', '/api/api-keys', { token, body: { scopes: ['read'] } })).body.key
})
afterAll(() => app.stop())

/** Announces a body of 1 MB, of which only the first byte is sent. */
async function refusal(path: string, headers: Record<string, string> = {}, method = 'POST') {
  const sent = request(`${app.url}${path}`, {
    method,
    headers: { 'content-type': 'application/json', 'content-length': 1_000_000, ...headers },
  })
  sent.write('[')
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const body = (await json(response)) as { code: string }
  sent.on('error', () => {}).destroy()
  return [response.statusCode, body.code]
}

it.each<[string, () => ReturnType<typeof refusal>, number, string]>([
  ['without a login', () => refusal('/api/api-keys'), 401, 'authentication_required'],
  ['of no admin', () => refusal('/api/users', { authorization: `Bearer ${token}` }), 403, 'forbidden'],
  ['with a wrong token', () => refusal('/api/api-keys', { authorization: 'Bearer x' }), 401, 'invalid_token'],
  [
    'with a key without the scope',
    () => refusal('/api/images/x', { authorization: `Bearer ${readKey}` }, 'PATCH'),
    403,
    'api_key_scope',
  ],
  ['beyond the limit', () => refusal('/api/login', { 'x-forwarded-for': limited }), 429, 'too_many_requests'],
  ['for an unknown path', () => refusal('/api/nothing'), 404, 'endpoint_not_found'],
  ['with an unknown method', () => refusal('/api/login', {}, 'PUT'), 405, 'method_not_allowed'],
  ['larger than the endpoint takes', () => refusal('/api/login'), 413, 'body_too_large'],
  [
    'of an assistant whose key may send no image',
    () => refusal('/mcp', { authorization: `Bearer ${readKey}` }),
    403,
    'api_key_scope',
  ],
])('a request %s', async (_, send, status, code) => {
  expect(await send()).toEqual([status, code])
})
