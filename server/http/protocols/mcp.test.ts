// The MCP endpoint, used by the SDK's own client as assistants use it.
import { once } from 'node:events'
import { request } from 'node:http'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Scope } from '../../../contract/plain/scopes.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { jpeg } from '../../testing/test-images.ts'

let app: TestApp
let token: string
let picture: string
beforeAll(async () => {
  app = await startTestApp()
  ;({ token } = await app.newUser())
  picture = (await jpeg(60, 40)).toString('base64')
})
afterAll(() => app.stop())

const keyWith = async (scopes: Scope[], of = token): Promise<string> =>
  (await app.call('POST', '/api/api-keys', { token: of, body: { scopes } })).body.key

async function connect(key: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  const headers = { authorization: `Bearer ${key}` }
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', app.url), { requestInit: { headers } }))
  return client
}

interface Called {
  isError?: boolean
  structuredContent?: Record<string, unknown>
  content: { type: string; text?: string }[]
}
const call = async (client: Client, name: string, args: Record<string, unknown> = {}) =>
  (await client.callTool({ name, arguments: args })) as unknown as Called

it('a client lists the tools, uploads an image, finds, analyzes, extends and deletes it', async () => {
  const client = await connect(await keyWith(['manage']))
  const names = (await client.listTools()).tools.map(({ name }) => name)
  expect(names).toEqual([
    'upload_image',
    'create_album',
    'add_to_album',
    'list_albums',
    'list_album_images',
    'list_images',
    'search_images',
    'list_links',
    'list_tags',
    'analyze_image',
    'extend_image',
    'set_visibility',
    'create_view_key',
    'create_link',
    'tag_images',
    'delete_image',
  ])
  const uploaded = await call(client, 'upload_image', { data: picture, name: 'kingfisher.jpg', expires_in: '2d' })
  const { id, url } = uploaded.structuredContent as { id: string; url: string }
  expect((await fetch(url)).status).toBe(200)
  expect((await call(client, 'search_images', { query: 'KINGF' })).structuredContent).toMatchObject({
    images: [{ id, width: 60, original_name: 'kingfisher.jpg' }],
    total: 1,
    next_cursor: null,
  })
  expect((await call(client, 'analyze_image', { id })).structuredContent).toMatchObject({ id, format: 'jpeg' })
  const extended = (await call(client, 'extend_image', { id })).structuredContent as { expires_at: string }
  expect(Date.parse(extended.expires_at)).toBeGreaterThan(app.deps.now() + 300 * 86_400_000)
  expect((await call(client, 'set_visibility', { id, visibility: 'private' })).structuredContent).toMatchObject({ id })
  expect((await fetch(url)).status).toBe(404)
  const keyed = (await call(client, 'create_view_key', { id, expires_in: '1h' })).structuredContent as { url: string }
  expect((await fetch(keyed.url)).status).toBe(200)
  await call(client, 'set_visibility', { id, visibility: 'public' })
  expect((await call(client, 'delete_image', { id })).structuredContent).toEqual({ success: true })
  expect((await fetch(url)).status).toBe(410)
  expect((await call(client, 'list_images')).structuredContent).toMatchObject({ images: [], total: 0 })
  await client.close()
})

it('a client creates an album, uploads into it, adds to it and lists it', async () => {
  const own = (await app.newUser()).token
  const client = await connect(await keyWith(['manage'], own))
  const album = (await call(client, 'create_album', { title: ' Birds ' })).structuredContent as { id: string }
  const uploaded = await call(client, 'upload_image', { data: picture, album: album.id })
  const other = await call(client, 'upload_image', { data: picture })
  const ids = [uploaded, other].map(({ structuredContent }) => structuredContent?.['id'])
  const added = await call(client, 'add_to_album', { album: album.id, ids })
  expect(added.structuredContent).toEqual({ success: true, added: [ids[1]] })
  expect((await call(client, 'list_albums')).structuredContent).toMatchObject({
    albums: [{ id: album.id, title: 'Birds', images: 2 }],
  })
  const listed = await call(client, 'list_album_images', { album: album.id })
  expect(listed.structuredContent).toMatchObject({ images: ids.map((id) => ({ id })), total: 2, next_cursor: null })
  const refused = await call(client, 'upload_image', { data: picture, album: 'none' })
  expect([refused.isError, refused.content[0]?.text]).toEqual([true, 'Album not found'])
})

it('every argument of a list of links says what it is', async () => {
  const client = await connect(await keyWith(['read']))
  const tool = (await client.listTools()).tools.find(({ name }) => name === 'list_links')
  const described = Object.entries(tool?.inputSchema.properties ?? {}).map(([name, schema]) => [
    name,
    (schema as { description?: string }).description,
  ])
  expect(described).toEqual([
    ['album', 'Only links to the album with this id'],
    ['image', 'Only links that name the image with this id'],
    ['limit', 'Links per page, 20 by default'],
    ['cursor', 'next_cursor of the previous page'],
  ])
})

it('an uploaded private image comes with the key of its addresses, and lists leave out what only pages show', async () => {
  const client = await connect(await keyWith(['manage'], (await app.newUser()).token))
  const uploaded = await call(client, 'upload_image', { data: picture, visibility: 'private' })
  const { url, page_url, view_key } = uploaded.structuredContent as Record<string, string>
  expect(uploaded.structuredContent).toMatchObject({ visibility: 'private' })
  for (const address of [url, page_url]) expect((await fetch(`${address}?key=${view_key}`)).status).toBe(200)
  const { images } = (await call(client, 'list_images')).structuredContent as { images: object[] }
  expect(images[0]).toMatchObject({ url, page_url, title: '', alt: '', tags: [] })
  for (const field of ['blur', 'placeholder', 'file_name']) expect(images[0]).not.toHaveProperty(field)
})

it('a deleted image is in the trash, unless it is to be deleted for good', async () => {
  const own = (await app.newUser()).token
  const client = await connect(await keyWith(['manage'], own))
  const upload = async () => (await call(client, 'upload_image', { data: picture })).structuredContent?.['id']
  const [kept, gone] = [await upload(), await upload()]
  await call(client, 'delete_image', { id: kept })
  await call(client, 'delete_image', { id: gone, trash: false })
  expect((await app.call('GET', '/api/trash', { token: own })).body).toMatchObject([{ id: kept }])
})

it('lists go on with the cursor of the page before', async () => {
  const own = (await app.newUser()).token
  const client = await connect(await keyWith(['manage'], own))
  for (const name of ['a.jpg', 'b.jpg', 'c.jpg']) await call(client, 'upload_image', { data: picture, name })
  const first = (await call(client, 'list_images', { sort: 'name', limit: 2 })).structuredContent as {
    images: { original_name: string }[]
    next_cursor: string
  }
  const second = await call(client, 'list_images', { sort: 'name', limit: 2, cursor: first.next_cursor })
  expect(first.images.map((image) => image.original_name)).toEqual(['a.jpg', 'b.jpg'])
  expect(second.structuredContent).toMatchObject({ images: [{ original_name: 'c.jpg' }], next_cursor: null })
})

it.each<[Scope, string[]]>([
  ['upload', ['upload_image', 'create_album', 'add_to_album']],
  [
    'read',
    ['list_albums', 'list_album_images', 'list_images', 'search_images', 'list_links', 'list_tags', 'analyze_image'],
  ],
])('a key with the scope %s has only the tools of that scope', async (scope, names) => {
  const client = await connect(await keyWith([scope]))
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(names)
  await expect(call(client, 'delete_image', { id: 'x' })).rejects.toThrow(/not found/i)
})

describe('wrong arguments are results that say what is wrong', () => {
  it.each<[tool: string, args: () => Record<string, unknown>, text: RegExp]>([
    ['upload_image', () => ({}), /data: is required, or url, and not both/],
    ['upload_image', () => ({ data: 'not base64!' }), /data: must be base64/],
    ['upload_image', () => ({ data: `${' '.repeat(1_000_000)}!` }), /data: must be base64/],
    ['upload_image', () => ({ data: '' }), /smaller than 1 byte/],
    ['upload_image', () => ({ data: Buffer.from('text').toString('base64') }), /File type must be/],
    ['upload_image', () => ({ data: Buffer.alloc(10_500_000).toString('base64') }), /larger than 10485760 bytes/],
    ['upload_image', () => ({ data: picture, expires_in: '900d' }), /expires_in: must be at most 365d/],
    ['upload_image', () => ({ data: picture, expires_in: 'soon' }), /expires_in/],
    ['upload_image', () => ({ url: 'http://127.0.0.1/' }), /url/],
    ['list_images', () => ({ limit: 100_000 }), /limit/],
    ['list_images', () => ({ cursor: 'x' }), /cursor: is not from a Link header/],
    ['search_images', () => ({}), /query/],
    ['search_images', () => ({ query: 'size:big' }), /^query: 'size:big' at character 1: expected a size/],
    ['analyze_image', () => ({ id: 'none' }), /Image not found/],
    ['delete_image', () => ({ id: 'none' }), /Image not found/],
  ])('%s %#', async (tool, args, text) => {
    const client = await connect(await keyWith(['manage'], (await app.newUser()).token))
    const { isError, content } = await call(client, tool, args())
    expect([isError, content[0]?.text]).toEqual([true, expect.stringMatching(text)])
    expect(await app.files('tmp')).toEqual([])
  })

  it('for the image of another user', async () => {
    const { body } = await app.upload(await jpeg(), { token: (await app.newUser()).token })
    const client = await connect(await keyWith(['manage']))
    expect(await call(client, 'delete_image', { id: body.id })).toMatchObject({ isError: true })
    expect((await app.request(`/api/thumbnail/${body.id}/400`)).status).toBe(200)
  })
})

describe('a request is refused', () => {
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
  const headersOf = (key: string) => ({
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  })
  const post = (headers: Record<string, string>, body: unknown = ping) =>
    app.request('/mcp', { method: 'POST', headers, body: JSON.stringify(body) })

  it('without a key, with a session, and with a wrong key: 401', async () => {
    const none = await post({ 'content-type': 'application/json' })
    expect([none.status, none.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    expect((await post(headersOf(token))).status).toBe(401)
    expect((await post(headersOf('ik_wrong'))).status).toBe(401)
  })

  it('from a page of another origin', async () => {
    const response = await post({ ...headersOf(await keyWith(['read'])), origin: 'https://evil.example' })
    expect([response.status, (await response.json()) as object]).toEqual([
      403,
      expect.objectContaining({ code: 'foreign_origin' }),
    ])
  })

  it('with a large body, before it is parsed', async () => {
    const response = await post(headersOf(await keyWith(['upload'])), 'x'.repeat(17_000_000))
    expect([response.status, (await response.json()) as object]).toEqual([
      413,
      expect.objectContaining({ error: 'The body is larger than 16777216 bytes' }),
    ])
  })

  it('with a large body that is not parsed, which leaves nothing', async () => {
    const response = await post(headersOf(await keyWith(['upload'])), '{'.repeat(100_000))
    expect(response.status).toBe(400)
    await expect.poll(() => app.deps.uploadsInFlight.total()).toEqual({ images: 0, bytes: 0 })
    expect(await app.files('tmp')).toEqual([])
  })

  it('with a batch, of which each message would be a call', async () => {
    const response = await post(headersOf(await keyWith(['read'])), [ping, ping])
    expect([response.status, (await response.json()) as object]).toEqual([
      400,
      expect.objectContaining({ error: 'body: must be one message, not a batch of them' }),
    ])
  })

  it('with more values than a message has, before they are parsed', async () => {
    const response = await post(headersOf(await keyWith(['upload'])), {
      ...ping,
      params: { list: Array(20_000).fill({}) },
    })
    expect([response.status, (await response.json()) as object]).toEqual([
      400,
      expect.objectContaining({ error: 'body: has too many values' }),
    ])
  })

  it('with a body above 64 KiB of unknown length, when its key may send no image', async () => {
    const response = await app.request('/mcp', {
      method: 'POST',
      headers: headersOf(await keyWith(['read'])),
      body: new Blob([JSON.stringify({ ...ping, params: { text: 'x'.repeat(70_000) } })]).stream(),
      duplex: 'half',
    })
    expect(response.status).toBe(403)
  })

  it.each(['GET', 'DELETE'])('with the method %s: there are no streams and no sessions', async (method) => {
    const response = await app.request('/mcp', { method, headers: { accept: 'text/event-stream' } })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
  })

  it('for a stream of notifications: there are none', async () => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const body = { ...ping, method: 'subscriptions/listen', params: { _meta: meta, notifications: {} } }
    const response = await post(
      { ...headersOf(await keyWith(['read'])), 'mcp-protocol-version': '2026-07-28', 'mcp-method': body.method },
      body,
    )
    expect(await response.json()).toMatchObject({ error: { message: 'Subscription limit reached' } })
  })

  it('that is not JSON-RPC, without an internal error', async () => {
    const headers = headersOf(await keyWith(['read']))
    for (const body of [{}, [], 1, null, { jsonrpc: '2.0', id: 1, method: 'nothing' }])
      expect((await post(headers, body)).status, JSON.stringify(body)).toBeLessThan(500)
  })
})

it('the third call of an account waits until one of two has its response', async () => {
  const key = await keyWith(['read'], (await app.newUser()).token)
  const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
  const begin = () => {
    const call = request(`${app.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'content-length': text.length,
        // Answered with 100 when the server takes the body.
        expect: '100-continue',
      },
    })
    call.flushHeaders()
    return call
  }
  const ended: string[] = []
  const [first, second] = [begin(), begin()]
  await Promise.all([once(first, 'continue'), once(second, 'continue')])
  const third = begin()
  third.end(text)
  const response = once(third, 'response').then(() => ended.push('third'))
  await app.call('GET', '/healthz')
  await app.call('GET', '/healthz')
  first.on('response', (got) => got.resume().once('end', () => ended.unshift('first')))
  first.end(text)
  await response
  expect(ended[0]).toBe('first')
  second.on('error', () => {}).destroy()
})
