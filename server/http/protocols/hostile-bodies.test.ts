// Bodies that clients of other hosts would not send.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { multipart } from '../../testing/client-requests.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const stored = async () => (await app.deps.db.selectFrom('images').select('id').execute()).length

it.each([
  ['a form', 'application/x-www-form-urlencoded', `a=${'&'.repeat(20_000)}`],
  ['JSON', 'application/json', `{"a":[${'{},'.repeat(20_000)}{}]}`],
])('%s of very many values is refused before it is parsed', async (_, type, body) => {
  const response = await app.request('/1/upload', { method: 'POST', body, headers: { 'content-type': type } })
  expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('too many values')])
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
