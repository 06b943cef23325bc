// A body may take hours. What its sender may do when it has arrived is what counts, not what they might when it began.
import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { version } from '../../testing/resumable.ts'
import { jpeg } from '../../testing/test-images.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ GUEST_UPLOADS_PER_HOUR: '1' })
})
afterAll(() => app.stop())

/** Sends all of a body but its last byte. @returns what sends that, and returns the response */
async function hold(method: string, path: string, headers: Record<string, string | number>, text: string | Buffer) {
  const body = Buffer.from(text)
  const sent = request(app.url + path, { method, headers: { 'content-length': body.length, ...headers } })
  sent.on('error', () => {}).flushHeaders()
  sent.write(body.subarray(0, -1))
  await untilAdmitted()
  return async () => {
    sent.end(body.subarray(-1))
    return responseTo(sent)
  }
}

/** The sender of a request is checked while its body is received. */
async function untilAdmitted(): Promise<void> {
  for (let n = 0; n < 5; n++) {
    await app.call('GET', '/api/limits')
    await sleep(1)
  }
}

async function responseTo(sent: ClientRequest): Promise<{ status: number | undefined; code?: string }> {
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const isJson = response.headers['content-type']?.startsWith('application/json')
  const { code } = (isJson ? await json(response) : {}) as { code?: string }
  return { status: response.statusCode, ...(code !== undefined && { code }) }
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}`, 'content-type': 'application/json' })

it.each([
  ['was demoted', { role: 'user' as const }, 403, 'forbidden'],
  ['was suspended', { status: 'Inactive' as const }, 403, 'inactive_account'],
])('an admin who %s meanwhile creates no admin', async (_, change, status, code) => {
  const admin = await app.newUser()
  await app.deps.db.updateTable('users').set({ role: 'admin' }).where('id', '=', admin.id).execute()
  const account = { email: `second-${code}@example.com`, password: 'secret-of-the-second', role: 'admin' }
  const finish = await hold('POST', '/api/users', bearer(admin.token), JSON.stringify(account))
  await app.deps.db.updateTable('users').set(change).where('id', '=', admin.id).execute()
  expect(await finish()).toEqual({ status, code })
  expect(await app.deps.db.selectFrom('users').select('id').where('email', '=', account.email).execute()).toEqual([])
})

it('a session that has ended meanwhile changes nothing', async () => {
  const { token } = await app.newUser()
  const finish = await hold('PUT', '/api/me', bearer(token), JSON.stringify({ name: 'Mallory' }))
  await app.call('POST', '/api/logout-everywhere', { token, body: {} })
  expect(await finish()).toEqual({ status: 401, code: 'invalid_token' })
})

it('a key that is deleted meanwhile calls no tool', async () => {
  const { token } = await app.newUser()
  const { id, key } = (await app.call('POST', '/api/api-keys', { token, body: { scopes: ['read'] } })).body
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_images', arguments: {} } }
  const headers = { ...bearer(key), accept: 'application/json, text/event-stream' }
  const finish = await hold('POST', '/mcp', headers, JSON.stringify(message))
  expect((await app.call('DELETE', `/api/api-keys/${id}`, { token })).status).toBe(200)
  expect(await finish()).toEqual({ status: 401, code: 'api_key_unknown' })
})

it('an image that a repeated start has stored counts, whatever the first start sends then', async () => {
  const image = await jpeg(40, 30)
  const headers = {
    ...version,
    'upload-length': String(image.length),
    'idempotency-key': crypto.randomUUID(),
  }
  const type = { 'content-type': 'application/offset+octet-stream' }
  const first = request(`${app.url}/api/uploads`, { method: 'POST', headers: { ...headers, ...type } })
  first.write(image)
  const repeat = () => app.call('POST', '/api/uploads', { headers })
  await expect.poll(async () => (await app.files('resumable')).length).toBe(2)
  await expect.poll(async () => (await repeat()).body?.id).toBeTypeOf('string')
  first.end('more bytes than announced')
  expect((await responseTo(first)).status).toBeGreaterThanOrEqual(400)
  expect((await app.upload(await jpeg(41, 30))).status).toBe(429)
})

it('slow bodies of other accounts do not hold up a large one at /mcp', async () => {
  const data = Buffer.concat([await jpeg(300, 200), Buffer.alloc(80_000)]).toString('base64')
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'upload_image', arguments: { data } } }
  const text = JSON.stringify(message)
  const headersOf = async () => {
    const { token } = await app.newUser()
    const { key } = (await app.call('POST', '/api/api-keys', { token, body: { scopes: ['upload'] } })).body
    return { ...bearer(key), accept: 'application/json, text/event-stream' }
  }
  const held = [await headersOf(), await headersOf()].flatMap((headers) => [headers, headers])
  const finishes = await Promise.all(held.map((headers) => hold('POST', '/mcp', headers, text)))
  const finish = await hold('POST', '/mcp', await headersOf(), text)
  expect((await finish()).status).toBe(200)
  for (const other of finishes) expect((await other()).status).toBe(200)
})
