// Every rule of uploads holds at every entry point, whatever protocol its client speaks; and keys appear
// nowhere but in the request that carries them.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createHash } from 'node:crypto'
import { limits } from '../../../contract/limits.ts'
import type { Config } from '../../config.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { clientRequests, ksnipRequest, multipart, tusRequest } from '../../testing/client-requests.ts'
import { sendBytes } from '../../testing/resumable.ts'
import { animation, png, shapes } from '../../testing/test-images.ts'

const entries = [
  ...clientRequests.map(([client, build]) => ({ client, build })),
  { client: 'ksnip', build: ksnipRequest },
  { client: 'tus-js-client 4.3', build: tusRequest },
]
/** These clients put the key into the URL. */
const keyInUrl = entries.filter(({ build }) => build('ik_x', new Uint8Array()).path.includes('ik_x'))

let app: TestApp
let token: string
let userId: string
let image: Buffer
let key: string
beforeAll(async () => {
  app = await startTestApp()
  ;({ token, id: userId } = await app.newUser())
  image = await png()
  key = await newKey()
})
afterAll(() => app.stop())

async function newKey(body: object = {}) {
  const created = await app.call('POST', '/api/api-keys', {
    token,
    body: { name: 'client', scopes: ['upload'], ...body },
  })
  return created.body.key as string
}

type Entry = (typeof entries)[number]

async function send({ build }: Entry, sentKey: string, bytes: Uint8Array = image, more: Record<string, string> = {}) {
  const { path: built, headers, body, rest } = build(sentKey, bytes)
  const path = built.replace('/k//', '/')
  if (sentKey === '') delete headers['authorization']
  let response = await app.request(path, {
    method: 'POST',
    headers: { ...headers, ...more },
    body: new Uint8Array(body),
  })
  const location = response.headers.get('location')
  if (rest && location !== null) {
    const { authorization } = headers
    const credential: Record<string, string> = authorization === undefined ? {} : { authorization }
    response = await sendBytes(app, location, rest, { headers: { ...credential, ...more } })
  }
  return { status: response.status, text: await response.text(), headers: response.headers }
}

const stored = async () => (await app.deps.db.selectFrom('images').select('id').execute()).length

/** Sends the request of every client and expects the same refusal, with nothing stored. */
async function expectRefusals(
  status: number,
  request: (entry: Entry) => Promise<{ status: number; text: string }>,
  all = entries,
) {
  const [before, uploadsBefore] = [await stored(), await app.files('resumable')]
  for (const entry of all) {
    const response = await request(entry)
    expect([entry.client, response.status, response.text]).toEqual([entry.client, status, response.text])
  }
  expect(await stored()).toBe(before)
  expect(await app.files('tmp')).toEqual([])
  expect(await app.files('resumable')).toEqual(uploadsBefore)
  expect(app.deps.uploadsInFlight.total()).toEqual({ images: 0, bytes: 0 })
}

async function withConfig(settings: Partial<Config>, test: () => Promise<void>) {
  const before = { ...app.deps.config }
  Object.assign(app.deps.config, settings)
  try {
    await test()
  } finally {
    Object.assign(app.deps.config, before)
  }
}

describe('at every entry point', () => {
  it('a wrong key is refused, not taken as a guest', () =>
    expectRefusals(401, (entry) => send(entry, `ik_${'x'.repeat(49)}`)))

  it('a key without the scope upload is refused', async () => {
    const reading = await newKey({ scopes: ['read'] })
    await expectRefusals(403, (entry) => send(entry, reading))
  })

  it('an expired key is refused', async () => {
    const short = await newKey({ expiresAt: new Date(Date.now() + 120_000).toISOString() })
    await app.deps.db.updateTable('api_keys').set({ expires_at: 1 }).where('expires_at', 'is not', null).execute()
    await expectRefusals(401, (entry) => send(entry, short))
  })

  it('a suspended account is refused', async () => {
    const { token: other, id } = await app.newUser()
    const body = { name: 'client', scopes: ['upload'] }
    const theirs = (await app.call('POST', '/api/api-keys', { token: other, body })).body.key
    await app.deps.db.updateTable('users').set({ status: 'Inactive' }).where('id', '=', id).execute()
    await expectRefusals(403, (entry) => send(entry, theirs))
  })

  it('the quota of the account and that of the key hold', async () => {
    const small = await newKey({ maxBytes: 1000 })
    await expectRefusals(413, (entry) => send(entry, small))
    const quota = (bytes: number | null) =>
      app.deps.db.updateTable('users').set({ quota_bytes: bytes }).where('id', '=', userId).execute()
    await quota(1000)
    await expectRefusals(413, (entry) => send(entry, key))
    await quota(null)
  })

  it('the hourly limits of guests and accounts hold', () =>
    withConfig({ USER_UPLOADS_PER_HOUR: 1, GUEST_UPLOADS_PER_HOUR: 1 }, async () => {
      await send(entries[0]!, key)
      await expectRefusals(429, (entry) => send(entry, key))
      await send(entries[0]!, '')
      await expectRefusals(429, (entry) => send(entry, ''))
    }))

  it('the limit of upload requests holds', () =>
    withConfig({ RATE_LIMIT: 1 }, async () => {
      for (let n = 0; n < limits.rate.uploadFactor; n++) await send(entries[0]!, '')
      await expectRefusals(429, (entry) => send(entry, ''))
    }))

  it('guests may be disabled, or have to prove work', async () => {
    await withConfig({ GUEST_UPLOADS: false }, () => expectRefusals(403, (entry) => send(entry, '')))
    await withConfig({ PROOF_OF_WORK: 0 }, () => expectRefusals(428, (entry) => send(entry, '')))
  })

  it('the space of guests is limited', () =>
    withConfig({ GUEST_QUOTA_BYTES: 1000 }, () => expectRefusals(507, (entry) => send(entry, ''))))

  it('the largest file is that of the uploader', () =>
    withConfig({ GUEST_MAX_BYTES: 2000 }, async () => {
      expect(image.length).toBeGreaterThan(2000)
      await expectRefusals(413, (entry) => send(entry, ''))
      for (const entry of entries) expect((await send(entry, key)).status, entry.client).toBeLessThan(300)
    }))

  it('guests may upload fewer formats', async () => {
    const moving = await animation('gif')
    await expectRefusals(415, (entry) => send(entry, '', moving))
  })

  it('a blocked image is refused', async () => {
    const bad = await shapes(7).png().toBuffer()
    const sha256 = createHash('sha256').update(bad).digest('hex')
    await app.deps.db
      .insertInto('blocked_images')
      .values({ sha256, phash: null, quality: null, reason: '', created_at: 1, created_by: null, version: 1 })
      .execute()
    await expectRefusals(403, (entry) => send(entry, key, bad))
  })

  it('a page of another site may not upload as its visitor', () =>
    expectRefusals(403, (entry) => send(entry, '', image, { origin: 'https://evil.example' })))

  it('bytes that are no image are refused', async () => {
    for (const bytes of [Buffer.from('<html></html>'), Buffer.from([0, 1, 2, 3]), image.subarray(0, 100)])
      await expectRefusals(bytes.length === 100 ? 422 : 415, (entry) => send(entry, key, bytes))
  })
})

it.each([
  ['a form', 'application/x-www-form-urlencoded', `a=${'&'.repeat(20_000)}`],
  ['JSON', 'application/json', `{"a":[${'{},'.repeat(20_000)}{}]}`],
])('%s of very many values is refused before it is parsed', async (_, type, body) => {
  const response = await app.request('/1/upload', { method: 'POST', body, headers: { 'content-type': type } })
  expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('too many values')])
})

describe('a key in a URL', () => {
  it('may have no scope but upload', async () => {
    for (const scopes of [['upload', 'read'], ['manage']]) {
      const strong = await newKey({ scopes })
      await expectRefusals(403, (entry) => send(entry, strong), keyInUrl)
      expect((await send(keyInUrl[0]!, strong)).text).toContain(
        'A URL may contain only an API key whose only scope is upload',
      )
    }
  })

  it('is no session token', () => expectRefusals(401, (entry) => send(entry, token), keyInUrl))

  it('is not read by endpoints that are no uploads', async () => {
    const reading = await newKey({ scopes: ['read'] })
    expect((await app.call('GET', `/k/${reading}/api/images`)).status).toBe(401)
    expect((await app.call('GET', `/api/images?key=${reading}`)).status).toBe(401)
    expect((await app.call('GET', `/api/v1/images?key=${reading}`)).status).toBe(401)
  })
})

describe('credentials', () => {
  beforeEach(() => void app.logged.splice(0))

  it('appear in no log line, header, failure or metric', async () => {
    const wrong = `ik_${'w'.repeat(49)}`
    const image1 = await app.guestImage(image)
    const texts: string[] = []
    for (const used of [key, wrong, token]) {
      for (const entry of entries) {
        const { text, headers } = await send(entry, used)
        texts.push(text, JSON.stringify([...headers]))
      }
      for (const path of [
        `/k/${used}/no/such/path`,
        `/k/${used}`,
        `/no/such?key=${used}`,
        `/%6B/${used}/upload`,
        `/k/${used}/%zz`,
      ])
        texts.push(await (await app.request(path)).text())
    }
    await app.request(`/3/image/${image1.id}.${image1.delete_token}`)
    await app.request(`/3/image/${image1.id}.x${image1.delete_token}`)
    await app.request(`/delete/${image1.id}.${image1.delete_token}`)
    await app.request(`/3/nothing/${image1.id}.${image1.delete_token}`)
    const metrics = await (await app.request('/metrics')).text()
    const written = [...texts, metrics, JSON.stringify(app.logged)].join('\n')
    for (const secret of [key, wrong, token]) expect(written).not.toContain(secret)
    expect(JSON.stringify(app.logged)).not.toContain(image1.delete_token)
  })

  it('appear in no warning when the response is text or a redirect', async () => {
    for (const path of ['/api/1/upload?format=txt', '/api/1/upload?format=redirect', '/api/upload?format=txt']) {
      for (const headers of [{}, { 'x-zipline-no-json': 'true' }] as Record<string, string>[]) {
        const body = new FormData()
        body.append(path.startsWith('/api/1/') ? 'source' : 'file', new Blob([new Uint8Array(image)]), 'a.png')
        const response = await app.request(`${path}&key=${key}`, { method: 'POST', body, headers, redirect: 'manual' })
        expect([path, response.ok || response.status === 303]).toEqual([path, true])
      }
    }
    expect(app.logged.filter(({ level }) => Number(level) >= 40)).toEqual([])
    expect(JSON.stringify(app.logged)).not.toContain(key)
  })

  it('are not handed to other sites', async () => {
    const { headers } = await send(keyInUrl[0]!, key)
    expect(headers.get('referrer-policy')).toBe('no-referrer')
  })
})

describe('a hostile body', () => {
  const post = (
    path: string,
    body: string | Uint8Array<ArrayBuffer> | ReadableStream,
    headers: Record<string, string> = {},
  ) => app.request(path, { method: 'POST', body, headers, duplex: 'half' })
  const chunks = (text: string) => new Blob([text]).stream()
  const json = { 'content-type': 'application/json' }

  it.each<[what: string, send: () => Promise<Response>, statuses: number[]]>([
    ['no body', () => app.request('/3/image', { method: 'POST' }), [400]],
    ['an empty form', () => post('/1/upload', ''), [400]],
    ['an empty field', () => post('/1/upload', 'image='), [400, 415]],
    ['broken JSON', () => post('/1/upload', '{"image":', json), [400]],
    ['a JSON list', () => post('/1/upload', '[1,2]', json), [400]],
    ['deep JSON', () => post('/1/upload', '['.repeat(200_000), json), [400]],
    ['a field named as a prototype', () => post('/1/upload', '{"__proto__":{"image":"x"},"image":[{}]}', json), [400]],
    ['many images', () => post('/upload', JSON.stringify({ list: Array(50).fill('iVBORw0KGgo=') }), json), [400]],
    ['broken percent-encoding', () => post('/1/upload', 'image=%zz%'), [400, 415]],
    ['base64 of nothing', () => post('/1/upload', 'image=data:image/png;base64,'), [400]],
    ['a URL, which this server does not fetch', () => post('/1/upload', 'image=http%3A%2F%2F127.0.0.1%2Fa.png'), [403]],
    ['a local path', () => post('/upload', '{"list":["C:\\\\photo.png"]}', json), [400]],
    ['a compressed body', () => post('/3/image', 'x', { 'content-encoding': 'gzip' }), [415]],
    ['too much base64', () => post('/1/upload', `image=${'A'.repeat(16_000_000)}`), [413]],
    ['base64 that is too large only when decoded', () => post('/1/upload', `image=${'A'.repeat(7_200_000)}`), [413]],
    ['too much base64 of undeclared length', () => post('/1/upload', chunks(`image=${'A'.repeat(17_000_000)}`)), [413]],
    ['too large a login of undeclared length', () => post('/api/v1/tokens', chunks('a'.repeat(2_000_000))), [413]],
    ['too many fields', () => send2(Array.from({ length: 40 }, (_, n) => ({ name: `f${n}`, value: 'x' }))), [400]],
    ['two keys', () => post('/1/upload?key=a&key=b', 'image=x'), [401]],
    ['NUL in a name', () => post('/3/image?title=%00', new Uint8Array(Buffer.from('x'))), [400, 415]],
    ['a list of nothing to delete', () => post('/delete', '{"list":[]}', json), [400]],
    ['a login without fields', () => post('/api/v1/tokens', '{}', json), [400]],
    ['a long login', () => post('/api/v1/tokens', `{"email":"${'a'.repeat(2_000_000)}"}`, json), [413]],
  ])('%s gets a failure in the shape of the protocol', async (_, request, statuses) => {
    const before = await stored()
    const response = await request()
    const text = await response.text()
    expect([statuses.includes(response.status), response.status, text]).toEqual([true, response.status, text])
    expect(() => JSON.parse(text) as unknown).not.toThrow()
    expect(await stored()).toBe(before)
    expect(await app.files('tmp')).toEqual([])
  })
  const send2 = (parts: { name: string; value: string }[]) => {
    const { headers, body } = multipart(parts)
    return post('/1/upload', new Uint8Array(body), headers)
  }
})
