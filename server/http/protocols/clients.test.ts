// The requests of real clients, and that each response has what its client reads.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { clientRequests, ksnipRequest, multipart } from '../../testing/client-requests.ts'
import { png } from '../../testing/test-images.ts'

let app: TestApp
let token: string
let userId: string
let key: string
let image: Buffer
beforeAll(async () => {
  app = await startTestApp()
  ;({ token, id: userId } = await app.newUser())
  key = await newKey(['upload'])
  image = await png()
})
afterAll(() => app.stop())

const newKey = async (scopes: string[]) =>
  (await app.call('POST', '/api/api-keys', { token, body: { name: 'client', scopes } })).body.key as string

async function send(path: string, { headers, body }: { headers: Record<string, string>; body: Uint8Array }) {
  const response = await app.request(path, { method: 'POST', headers, body: new Uint8Array(body), redirect: 'manual' })
  const text = await response.text()
  return { status: response.status, text, headers: response.headers, json: parse(text) }
}
// oxlint-disable-next-line typescript/no-explicit-any -- the shape depends on the protocol
const parse = (text: string): any => (/^[[{]/.test(text) ? JSON.parse(text) : undefined)
const json = (value: object) => ({
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify(value)),
})

// oxlint-disable-next-line typescript/no-explicit-any -- the shape depends on the protocol
const valueAt = (value: any, path: string[]) => path.reduce((found, name) => found?.[name], value)
const ownerOf = async (url: string) =>
  app.deps.db
    .selectFrom('images')
    .select(['owner_id', 'id', 'original_name'])
    .where('file_name', '=', new URL(url).pathname.split('/')[2] ?? '')
    .executeTakeFirstOrThrow()

describe('the request of', () => {
  it.each(clientRequests)('%s stores the image for the owner of the key', async (_, build, linkPath) => {
    const { path, ...request } = build(key, image)
    const { status, json: body, text } = await send(path, request)
    expect([status === 200 || status === 201, text]).toEqual([true, text])
    const link = valueAt(body, linkPath)
    expect(await ownerOf(link)).toMatchObject({ owner_id: userId })
    const stored = await app.request(link)
    expect([stored.status, stored.headers.get('content-type')]).toEqual([200, 'image/png'])
  })

  it('ksnip stores the image for the owner of the key in the path, and gets XML', async () => {
    const { path, ...request } = ksnipRequest(key, image)
    const { status, text, headers } = await send(path, request)
    expect([status, headers.get('content-type')]).toEqual([200, 'application/xml; charset=utf-8'])
    expect(text).toMatch(/<data type="array" success="1" status="200">/)
    const link = /<link>(.*)<\/link>/.exec(text)?.[1] ?? ''
    expect(await ownerOf(link)).toMatchObject({ owner_id: userId })
    // ksnip shows the link without its extension.
    expect((await app.request(link.replace(/\.png$/, ''))).status).toBe(200)
    expect(text).toMatch(/<deletehash>[\w-]{22}\.[\w-]{43}<\/deletehash>/)
  })
})

describe('Chevereto and imgbb', () => {
  const upload = (path: string, field: string, more: Record<string, string> = {}) =>
    send(path, {
      ...multipart([
        ...Object.entries({ key, ...more }).map(([name, value]) => ({ name, value })),
        { name: field, fileName: 'Bild mit Lücke.png', type: 'image/png', value: image },
      ]),
    })

  it("a key behind the image is refused: the image would be stored as a guest's", async () => {
    const parts = [
      { name: 'source', fileName: 'a.png', value: image },
      { name: 'key', value: key },
    ]
    const { status, json: body } = await send('/api/1/upload', multipart(parts))
    expect([status, body.error.context]).toEqual([400, 'invalid_input'])
  })

  it('the second upload of the same bytes gets the first image, with a key that may manage it', async () => {
    const manage = { key: await newKey(['manage']) }
    const [first, second] = [
      await upload('/api/1/upload', 'source', manage),
      await upload('/1/upload', 'image', manage),
    ]
    expect(second.json.data.url).toBe(first.json.image.url)
    expect(second.json).toMatchObject({
      success: true,
      status: 200,
      data: { delete_url: expect.stringMatching(/\/d\/[\w-]{22}\/[\w-]{43}$/), width: expect.any(Number) },
    })
    expect(first.json).toMatchObject({
      status_code: 200,
      success: { code: 200 },
      image: {
        url_viewer: expect.stringMatching(/\/i\/[\w-]{22}$/),
        thumb: { url: expect.stringContaining('/api/thumbnail/') },
      },
    })
  })

  it('base64 in a form is read with and without percent-encoding', async () => {
    const sharp = Buffer.concat([image, Buffer.from([0xfb, 0xef, 0xbe, 0xfb])])
    const text = sharp.toString('base64')
    expect(text).toContain('+')
    for (const sent of [text, encodeURIComponent(text), `data:image/png;base64,${text}`])
      expect((await send('/1/upload', { headers: {}, body: Buffer.from(`image=${sent}`) })).status).toBe(200)
  })

  it('format chooses the form of the response', async () => {
    const manage = { key: await newKey(['manage']) }
    const text = await upload('/api/1/upload', 'source', { ...manage, format: 'txt' })
    expect(text.text).toMatch(/^http.*\.png$/)
    const redirect = await upload('/api/1/upload', 'source', { ...manage, format: 'redirect' })
    expect([redirect.status, redirect.headers.get('location')]).toEqual([303, text.text])
  })

  it.each([
    ['P1D', 86_400],
    ['PT5M', 300],
    ['600', 600],
  ])('an expiration of %s ends the image', async (expiration, seconds) => {
    const guest = await send(
      '/1/upload',
      multipart([
        { name: 'expiration', value: expiration },
        { name: 'image', value: image },
      ]),
    )
    expect(guest.json.data.expiration).toBe(seconds)
  })

  it('a failure has the shape that Chevereto gives it', async () => {
    const { status, json: body } = await send(
      '/api/1/upload',
      multipart([
        { name: 'key', value: 'wrong' },
        { name: 'source', value: image },
      ]),
    )
    expect([status, body]).toEqual([
      401,
      {
        status_code: 401,
        error: {
          message: 'There is no such API key: it is incomplete or was revoked. Copy it again, or create a new one',
          code: 401,
          context: 'api_key_unknown',
        },
        status_txt: 'Unauthorized',
      },
    ])
  })
})

describe('Imgur', () => {
  const anonymous = { authorization: 'Client-ID 313baf0c7b4d3ff' }
  const upload = async () => (await send('/3/image', { headers: anonymous, body: image })).json.data

  it('an application without a key uploads as a guest, reads and deletes by the deletehash', async () => {
    const { deletehash, link, id } = await upload()
    expect((await ownerOf(link)).owner_id).toBeNull()
    const read = await app.request(`/3/image/${deletehash}`, { headers: anonymous })
    expect(await read.json()).toMatchObject({ data: { id, link, type: 'image/png' }, success: true, status: 200 })
    const deleted = await app.request(`/3/image/${deletehash}`, { method: 'DELETE', headers: anonymous })
    expect([deleted.status, await deleted.json()]).toEqual([200, { data: true, success: true, status: 200 }])
    expect((await app.request(link)).status).toBe(410)
  })

  it('by the id an image is read and deleted only by its owner', async () => {
    const manage = await newKey(['manage'])
    const mine = (await send('/3/image', { headers: { authorization: `Bearer ${manage}` }, body: image })).json.data
    for (const [authorization, status] of [
      ['Client-ID none', 401],
      [`Client-ID ${key}`, 403],
      [`Client-ID ${manage}`, 200],
    ] as const) {
      expect((await app.request(`/3/image/${mine.id}`, { headers: { authorization } })).status).toBe(status)
      const deleted = await app.request(`/3/image/${mine.id}`, { method: 'DELETE', headers: { authorization } })
      expect(deleted.status, authorization).toBe(status)
    }
  })

  it('GET /delete/{deletehash} leads to the delete page and deletes nothing', async () => {
    const { deletehash, link } = await upload()
    const response = await app.request(`/delete/${deletehash}`, { redirect: 'manual' })
    expect([response.status, response.headers.get('location')]).toEqual([302, `/d/${deletehash.replace('.', '/')}`])
    expect((await app.request(link)).status).toBe(200)
  })

  it('a failure is in the shape of the path', async () => {
    const bad = { headers: anonymous, body: Buffer.from('<html>not an image') }
    const { status, json: body } = await send('/3/image', bad)
    expect([status, body]).toEqual([
      415,
      {
        data: { error: 'File type must be PNG, JPG, JPEG or WebP', request: '/3/image', method: 'POST' },
        success: false,
        status: 415,
      },
    ])
    expect((await send('/3/upload.xml', bad)).text).toContain('success="0" status="415"><error>File type must be')
  })

  it('credits are numbers', async () => {
    const { data } = (await (await app.request('/3/credits', { headers: anonymous })).json()) as { data: object }
    expect(Object.keys(data)).toHaveLength(5)
    for (const value of Object.values(data)) expect(value).toEqual(expect.any(Number))
  })
})

describe('Lsky Pro', () => {
  it('a token of a login uploads, lists and deletes', async () => {
    const { email, token: ownToken } = await app.newUser()
    expect(ownToken).not.toBe('')
    const login = await send('/api/v1/tokens', json({ email, password: 'secret-1' }))
    const wrong = await send(
      '/api/v1/tokens',
      multipart([
        { name: 'email', value: email },
        { name: 'password', value: 'x' },
      ]),
    )
    expect([wrong.status, wrong.json]).toEqual([401, { status: false, message: 'Invalid email or password', data: {} }])
    expect(login.json).toMatchObject({ status: true })
    const authorization = `Bearer ${login.json.data.token}`
    const file = multipart([{ name: 'file', fileName: 'a.png', value: image }])
    const uploaded = await send('/api/v1/upload', { ...file, headers: { ...file.headers, authorization } })
    const list = async () =>
      (await app.request('/api/v1/images?page=1&order=newest', { headers: { authorization } })).json() as Promise<{
        data: { total: number; data: { key: string; links: object }[] }
      }>
    expect((await list()).data).toMatchObject({
      total: 1,
      data: [{ key: uploaded.json.data.key, links: { url: uploaded.json.data.links.url } }],
    })
    const profile = await app.request('/api/v1/profile', { headers: { authorization } })
    expect(await profile.json()).toMatchObject({ status: true, data: { email, image_num: 1 } })
    const deleted = await app.request(`/api/v1/images/${uploaded.json.data.key}`, {
      method: 'DELETE',
      headers: { authorization },
    })
    expect(await deleted.json()).toEqual({ status: true, message: 'success', data: {} })
    expect((await list()).data.total).toBe(0)
    for (const path of ['/api/v1/strategies', '/api/v1/albums'])
      expect((await app.request(path, { headers: { authorization } })).status).toBe(200)
  })
})

describe('the server of PicGo', () => {
  it('deletes the items of its response without a key, twice without a failure', async () => {
    const uploaded = await send('/upload', multipart([{ name: 'list', fileName: 'a.png', value: image }]))
    const { fullResult, result } = uploaded.json
    const forged = [{ ...fullResult[0], hash: `${fullResult[0].id}.x` }]
    expect((await send('/delete', json({ list: forged }))).json).toMatchObject({ success: false })
    expect((await send('/delete', json({ list: [fullResult[0], '/home/a.png'] }))).json).toMatchObject({
      success: false,
    })
    expect((await app.request(result[0])).status).toBe(200)
    for (let round = 0; round < 2; round++)
      expect((await send('/delete', json({ list: fullResult }))).json).toMatchObject({ success: true })
    expect((await app.request(result[0])).status).toBe(410)
    expect((await send('/heartbeat', json({}))).json).toEqual({ success: true, result: 'alive' })
  })

  it('refuses local paths with a reason', async () => {
    const { status, json: body } = await send('/upload', json({ list: ['/home/ada/photo.png'] }))
    expect([status, body.success]).toEqual([400, false])
    expect(body.msg).toBe(body.message)
  })

  it('stores all files of a request or none', async () => {
    const before = (await app.deps.db.selectFrom('images').selectAll().execute()).length
    const parts = [image, Buffer.from('broken')].map((value) => ({ name: 'list', fileName: 'a.png', value }))
    expect((await send('/upload', multipart(parts))).status).toBe(415)
    expect((await app.deps.db.selectFrom('images').selectAll().execute()).length).toBe(before)
    const many = Array.from({ length: 11 }, () => ({ name: 'list', fileName: 'a.png', value: image }))
    expect((await send('/upload', multipart(many))).json.message).toBe('Too many files')
    expect(await app.files('tmp')).toEqual([])
  })
})
