// Every door through which an image gets tags, and every door through which a query comes.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Scope } from '../../../contract/plain/scopes.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { jpeg } from '../../testing/test-images.ts'

let app: TestApp
let owner: string
let bytes: Buffer
beforeAll(async () => {
  app = await startTestApp({ ADMIN_EMAIL: 'boss@example.com', ADMIN_PASSWORD: 'boss-secret' })
  owner = (await app.newUser()).token
  bytes = await jpeg(60, 40)
})
afterAll(() => app.stop())

const keyWith = async (scope: Scope): Promise<string> =>
  (await app.call('POST', '/api/api-keys', { token: owner, body: { scopes: [scope] } })).body.key

async function mcp(key: string, name: string, args: Record<string, unknown>): Promise<Record<string, unknown>> {
  const client = new Client({ name: 'test', version: '1' })
  const headers = { authorization: `Bearer ${key}` }
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', app.url), { requestInit: { headers } }))
  const { structuredContent, content } = await client.callTool({ name, arguments: args })
  await client.close()
  return (structuredContent as Record<string, unknown> | undefined) ?? { content }
}

const base64 = (text: string) => Buffer.from(text).toString('base64')

async function uploadResumably(key: string, tags: string): Promise<string> {
  const common = { authorization: `Bearer ${key}`, 'tus-resumable': '1.0.0' }
  const start = await fetch(`${app.url}/api/uploads`, {
    method: 'POST',
    headers: {
      ...common,
      'upload-length': String(bytes.length),
      'upload-metadata': `filename ${base64('a.jpg')},tags ${base64(tags)}`,
    },
  })
  const sent = await fetch(`${app.url}${start.headers.get('location')}`, {
    method: 'PATCH',
    headers: { ...common, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
    body: new Uint8Array(bytes),
  })
  return ((await sent.json()) as { id: string }).id
}

async function uploadToChevereto(key: string, tags: string): Promise<string> {
  const form = new FormData()
  form.append('key', key)
  form.append('tags', tags)
  form.append('source', new Blob([new Uint8Array(await jpeg(61, 41))]), 'a.jpg')
  const { image } = (await (await fetch(`${app.url}/api/1/upload`, { method: 'POST', body: form })).json()) as {
    image: { url: string }
  }
  return /([\w-]{22})\.jpg$/.exec(image.url)?.[1] ?? ''
}

const asJson = (key: string, body: object) => app.call('POST', '/api/upload', { token: key, body })

describe('an image gets the same tags', () => {
  const doors: Record<string, [Scope, (key: string, tags: string) => Promise<string>]> = {
    'a form': ['upload', async (key, tags) => (await app.upload(bytes, { token: key, fields: { tags } })).body.id],
    JSON: ['upload', async (key, tags) => (await asJson(key, { image: bytes.toString('base64'), tags })).body.id],
    'a resumable upload': ['upload', uploadResumably],
    Chevereto: ['upload', uploadToChevereto],
    MCP: [
      'upload',
      async (key, tags) =>
        (await mcp(key, 'upload_image', { data: bytes.toString('base64'), tags: tags.split(',') }))['id'] as string,
    ],
    PATCH: [
      'manage',
      async (key, tags) => {
        const { id } = (await app.upload(bytes, { token: owner })).body
        await app.call('PATCH', `/api/images/${id}`, { token: key, body: { tags: tags.split(',') } })
        return id
      },
    ],
    'many at once': [
      'manage',
      async (key, tags) => {
        const { id } = (await app.upload(bytes, { token: owner })).body
        await app.call('POST', '/api/tags/images', { token: key, body: { ids: [id], add: tags.split(',') } })
        return id
      },
    ],
    'MCP, many at once': [
      'manage',
      async (key, tags) => {
        const { id } = (await app.upload(bytes, { token: owner })).body
        await mcp(key, 'tag_images', { ids: [id], add: tags.split(',') })
        return id
      },
    ],
  }
  it.each(Object.entries(doors))('by %s', async (_, [scope, send]) => {
    const id = await send(await keyWith(scope), 'Travel / Italy,SEA,sea')
    expect((await app.call('GET', `/api/images/${id}`, { token: owner })).body.tags).toEqual(['sea', 'travel/italy'])
  })
})

describe('a query finds the same image, and a wrong one is refused by its term', () => {
  const asAdmin = async () => {
    const body = { email: 'boss@example.com', password: 'boss-secret' }
    return (await app.call('POST', '/api/login', { body })).body.token as string
  }
  const listed = async (path: string, token: string, q: string) => {
    const { body } = await app.call('GET', `${path}?q=${encodeURIComponent(q)}`, { token })
    return body as unknown
  }
  const doors: Record<string, (q: string) => Promise<unknown>> = {
    'the list': (q) => listed('/api/images', owner, q),
    "everyone's list": async (q) => listed('/api/admin/images', await asAdmin(), q),
    MCP: async (q) => mcp(await keyWith('read'), 'search_images', { query: q }),
  }
  it.each(Object.entries(doors))('by %s', async (_, find) => {
    const name = `door-${crypto.randomUUID()}.jpg`
    const { id } = (await app.upload(bytes, { token: owner, name, fields: { tags: 'only/here' } })).body
    await app.upload(bytes, { token: owner, name })
    const text = JSON.stringify(await find(`${name} tag:only -type:png size:<1mb`))
    expect([...text.matchAll(/"id":"([\w-]{22})"/g)].map(([, found]) => found)).toEqual(expect.arrayContaining([id]))
    expect(text.match(/"original_name"/g)).toHaveLength(1)
    expect(JSON.stringify(await find('boat type:exe'))).toContain("'type:exe' at character 6")
  })
})
