// Hot responses: equal to those of the framework for each kind of request, and never stale after a
// change of the image.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import type { UploadedImage } from '../../../contract/endpoints/images.ts'
import { dayMs, limits } from '../../../contract/plain/limits.ts'
import { loadDriver } from '../../db/sqlite.ts'
import { sweepExpired } from '../../domain/images/deletion/sweep.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { rowsInTurn } from '../../testing/short-run.ts'
import { jpeg } from '../../testing/test-images.ts'
import { sendRaw } from '../../testing/raw-http.ts'

const isPostgres = inject('postgresUrl') !== undefined
const apps: TestApp[] = []
async function start(environment: Record<string, string> = {}): Promise<TestApp> {
  const app = await startTestApp(environment)
  apps.push(app)
  return app
}
let app: TestApp
let bytes: Buffer
beforeAll(async () => {
  app = await start({ DB_VIEW_PIN: '1234' })
  bytes = await jpeg(600, 400)
})
afterAll(async () => {
  for (const one of apps) await one.stop()
})

const drawing = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><circle r="9"/></svg>')

/** How many responses came from the hot cache. */
async function hotResponses(of = app): Promise<number> {
  const { body } = await of.deps.metrics.text()
  return Number(/^image_host_hot_pictures\{of="answered"\} (\d+)$/m.exec(body)?.[1])
}

/** How many requests the metrics have counted, by route, method and status. */
async function requestCounts(of = app): Promise<Record<string, number>> {
  const { body } = await of.deps.metrics.text()
  const counts = body.matchAll(/^image_host_http_request_duration_seconds_count\{(.+)\} (\d+)$/gm)
  return Object.fromEntries([...counts].map(([, labels, count]) => [labels, Number(count)]))
}

/** Whether the response to `send` came from the hot cache. */
async function isHot(send: () => Promise<unknown>, of = app): Promise<boolean> {
  const before = await hotResponses(of)
  await send()
  return (await hotResponses(of)) > before
}

async function heat(path: string, of = app): Promise<void> {
  for (let n = 0; n < 2; n++) expect((await of.request(path)).status).toBe(200)
  // What follows an upload in the background may change its row in between.
  await expect.poll(() => isHot(() => of.request(path), of)).toBe(true)
}

const pathOf = {
  thumbnail: ({ id }: UploadedImage) => `/api/thumbnail/${id}/400`,
  resized: ({ id }: UploadedImage) => `/api/resize/${id}/300/200`,
  webp: ({ id }: UploadedImage) => `/api/webp/${id}/80?width=90`,
  original: ({ file_name }: UploadedImage) => `/uploads/${file_name}`,
  file: ({ id, file_name }: UploadedImage) => `/i/${id}.${file_name.split('.').at(-1)}`,
  negotiated: (image: UploadedImage): string => `${pathOf.file(image)}?w=100&h=100&fit=cover&fmt=auto`,
}

/** Everything a client sees of the responses, except id and date, and their log lines. */
async function exchange(sent: string) {
  app.logged.length = 0
  const found = await sendRaw(app.url, sent)
  const lines = () => app.logged.filter((line) => line['msg'] === 'request')
  await expect.poll(() => lines().length).toBe(found.filter(({ status }) => status >= 200).length)
  const own = ['x-request-id', 'date']
  return {
    seen: found.map(({ status, headers, body }) => ({
      status,
      headers: Object.entries(headers).map(([name, value]) => [name, own.includes(name) ? '' : value]),
      body,
    })),
    isOwnId: found.every(({ headers }) => lines().some(({ reqId }) => reqId === headers['x-request-id'])),
    logged: lines().map((line) => Object.entries({ ...line, time: 0, reqId: 0, ms: typeof line['ms'] })),
  }
}

// What is sent does not depend on the database; when it changes does.
describe.skipIf(isPostgres)('a hot response equals that of the framework', () => {
  type Kind = [what: string, isFromCache: boolean, head: (etag: string) => string, method?: string, tail?: string]
  const kinds: Kind[] = [
    ['GET', true, () => ''],
    ['its ETag', true, (etag) => `If-None-Match: ${etag}\r\n`],
    ['HEAD', true, () => '', 'HEAD'],
    ['its ETag, HEAD', true, (etag) => `If-None-Match: ${etag}\r\n`, 'HEAD'],
    ['its ETag, weak', true, (etag) => `If-None-Match: W/${etag}\r\n`],
    ['its ETag among others', true, (etag) => `If-None-Match: "a", ${etag}\r\nIf-None-Match: "b"\r\n`],
    ['any ETag', true, () => 'If-None-Match: *\r\n'],
    ['another ETag', true, () => 'If-None-Match: "other"\r\n'],
    ['headers without effect', true, () => 'Accept-Version: 9\r\nOrigin: http://x.example\r\nAccept: text/html\r\n'],
    ['an untrusted proxy', true, () => 'X-Forwarded-Proto: https\r\nX-Forwarded-For: 192.0.2.7\r\n'],
    ['two pipelined requests', true, () => '', 'GET', 'again'],
    ['a range', false, () => 'Range: bytes=0-9\r\n'],
    ['a range past the end', false, () => 'Range: bytes=99999999-\r\n'],
    ['a body', false, () => 'Content-Length: 2\r\n', 'GET', '{}'],
    ['a body in chunks', false, () => 'Transfer-Encoding: chunked\r\n', 'GET', '0\r\n\r\n'],
    ['an expectation', false, () => 'Expect: 100-continue\r\n'],
    ['an unsupported expectation', false, () => 'Expect: miracles\r\n'],
    ['an upgrade', false, () => 'Upgrade: websocket\r\n'],
    ['two Hosts', false, () => 'Host: other.example\r\n'],
    ['DELETE', false, () => '', 'DELETE'],
    ['POST', false, () => '', 'POST'],
    ['OPTIONS', false, () => '', 'OPTIONS'],
  ]
  it.each(rowsInTurn(kinds, 0, 2))(
    'to %s (from the hot cache: %s)',
    async (what, isFromCache, head, method = 'GET', tail = '') => {
      const { token } = await app.newUser()
      const pictures = [
        [bytes, 'photo.jpg'],
        [drawing, 'drawing.svg'],
      ] as const
      // Of the kinds that a short run has, which is every second.
      const turn = Math.floor(kinds.findIndex(([title]) => title === what) / 2)
      for (const [picture, name] of rowsInTurn(pictures, turn, 2)) {
        const image = (await app.upload(picture, { name, token })).body
        for (const path of rowsInTurn([pathOf.thumbnail, pathOf.original, pathOf.negotiated], turn, 3).map((of) =>
          of(image),
        )) {
          const etag = (await app.request(path, { method: 'HEAD' })).headers.get('etag') ?? ''
          const close = `Connection: close\r\n${head(etag)}\r\n`
          const first = `${method} ${path} HTTP/1.1\r\nHost: x.example\r\n`
          const sent = tail === 'again' ? `${first}\r\n${first}${close}` : `${first}${close}${tail}`
          const slow = await exchange(sent)
          await heat(path)
          const before = await hotResponses()
          const counted = await requestCounts()
          const hot = await exchange(sent)
          expect((await hotResponses()) > before, path).toBe(isFromCache)
          expect(hot).toEqual(slow)
          if (!isFromCache) continue
          expect(hot.isOwnId).toBe(true)
          const labels = `route="${routeOf(path)}",method="${method}",status="${hot.seen[0]?.status}"`
          expect((await requestCounts())[labels]).toBe((counted[labels] ?? 0) + hot.seen.length)
        }
      }
    },
  )

  const routeOf = (path: string) =>
    ({ u: '/uploads/:file_name', a: '/api/thumbnail/:id/:width', i: '/i/:id.:extension' })[path.charAt(1)]

  it.each([
    ['HTTP/1.0', (path: string) => `GET ${path} HTTP/1.0\r\n\r\n`],
    ['no Host', (path: string) => `GET ${path} HTTP/1.1\r\nConnection: close\r\n\r\n`],
    ['an absolute URL', (path: string) => `GET http://x${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`],
    ['another spelling', (path: string) => `GET ${path}?x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`],
  ])('to %s, which the framework sends', async (_, sent) => {
    const path = pathOf.thumbnail(await app.guestImage(bytes))
    const slow = await exchange(sent(path))
    await heat(path)
    expect(await isHot(async () => expect(await exchange(sent(path))).toEqual(slow))).toBe(false)
  })

  it('is not recorded for a URL that is spelled differently', async () => {
    const image = await app.guestImage(bytes)
    for (const spelled of [
      `${pathOf.thumbnail(image)}?t=1`,
      `${pathOf.resized(image)}?t=1`,
      `${pathOf.resized(image)}?width=7`,
      `${pathOf.thumbnail(image)}`.replace('400', '%34%30%30'),
      `${pathOf.file(image)}?h=100&w=100`,
      `${pathOf.file(image)}?w=100&t=1`,
      `/i/${image.id}/any-name.jpg`,
    ]) {
      for (let n = 0; n < 2; n++) expect((await app.request(spelled)).status, spelled).toBe(200)
      expect(await isHot(() => app.request(spelled)), spelled).toBe(false)
    }
    await heat(`${pathOf.resized(image)}?fit=contain`)
    await heat(`${pathOf.file(image)}?w=100&q=70&dpr=1.5&bg=0f0`)
  })

  it('of fmt=auto is that of the formats which the client accepts, and no provisional one', async () => {
    const path = `${pathOf.file(await app.guestImage(bytes))}?w=400&fmt=auto`
    const typeFor = async (accept: string) =>
      (await app.request(path, { headers: { accept } })).headers.get('content-type')
    const rows = [
      ['image/avif,image/webp,*/*', 'image/avif'],
      ['image/webp,*/*', 'image/webp'],
      ['*/*', 'image/jpeg'],
    ] as const
    for (const [accept, type] of rows) await expect.poll(() => typeFor(accept)).toBe(type)
    for (const [accept, type] of rows) {
      await typeFor(accept)
      expect(await isHot(async () => expect(await typeFor(`${accept};q=0.9`)).toBe(type))).toBe(true)
    }
  })

  it('reports its use to the variant cache, but not each time', async () => {
    const one = await start()
    const path = pathOf.thumbnail(await one.guestImage(bytes))
    const hits = () => one.deps.variants.stats().hits
    await heat(path, one)
    const usesTold = async (times: number) => {
      const before = hits()
      for (let n = 0; n < times; n++) expect((await one.request(path)).status).toBe(200)
      return hits() - before
    }
    expect(await usesTold(5)).toBe(0)
    one.moveClock(11_000)
    expect(await usesTold(5)).toBe(1)
    // A clock that was set back must not silence it until it reaches the old time again.
    one.moveClock(-3_600_000)
    expect(await usesTold(5)).toBe(1)
  })

  it.each([
    ['a HEAD request', { method: 'HEAD' }],
    ['a 304', { headers: { 'if-none-match': '*' } }],
  ])('reports %s as a use to the variant cache', async (_kind, init) => {
    const one = await start()
    const path = pathOf.thumbnail(await one.guestImage(bytes))
    await heat(path, one)
    one.moveClock(11_000)
    const before = one.deps.variants.stats().hits
    expect(await isHot(() => one.request(path, init), one)).toBe(true)
    expect(one.deps.variants.stats().hits).toBe(before + 1)
  })

  it('on a keep-alive connection', async () => {
    const path = pathOf.webp(await app.guestImage(bytes))
    const [slow, , hot] = [await app.request(path), await heat(path), await app.request(path)]
    const seen = ({ headers }: Response) => [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name))
    expect(seen(hot)).toEqual(seen(slow))
    expect(await hot.arrayBuffer()).toEqual(await slow.arrayBuffer())
  })
})

describe.skipIf(isPostgres)('a hot response with', () => {
  it('a trusted proxy depends on TLS, and the log has the address of the client', async () => {
    const behind = await start({ TRUST_PROXY: '1' })
    const path = pathOf.thumbnail(await behind.guestImage(bytes))
    const send = (proto: string, address: string) =>
      behind.request(path, { headers: { 'x-forwarded-proto': proto, 'x-forwarded-for': address } })
    for (const [proto, address] of [
      ['https', '192.0.2.1'],
      ['http', '192.0.2.1'],
      ['https', '192.0.2.2'],
    ] as const) {
      for (let n = 0; n < 3; n++) {
        behind.logged.length = 0
        const response = await send(proto, address)
        expect(response.headers.has('strict-transport-security')).toBe(proto === 'https')
        await expect.poll(() => behind.logged.map((line) => line['address'])).toEqual([address])
      }
    }
    expect(await isHot(() => send('https', '192.0.2.2'), behind)).toBe(true)
    // A list too long for the client info cache is left to the framework.
    expect(await isHot(() => send('https', '192.0.2.2,'.repeat(99)), behind)).toBe(false)
  })

  it('MEDIA_ORIGIN is sent on that host only', async () => {
    const behind = await start({ PUBLIC_URL: 'https://img.example.com', MEDIA_ORIGIN: 'https://media.example.com' })
    const path = pathOf.thumbnail(await behind.guestImage(bytes))
    const send = async (host: string) =>
      (await sendRaw(behind.url, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`))[0]
    for (let n = 0; n < 3; n++) {
      expect(await send('media.example.com')).toMatchObject({ status: 200 })
      expect(await send('img.example.com')).toMatchObject({ status: 308 })
    }
    expect(await isHot(() => send('media.example.com'), behind)).toBe(true)
  })

  it('CORS_ORIGINS is not used for requests with an Origin', async () => {
    const behind = await start({ CORS_ORIGINS: 'https://app.example.com' })
    const path = pathOf.thumbnail(await behind.guestImage(bytes))
    const seen = async (origin?: string) => {
      const { headers } = await behind.request(path, origin === undefined ? {} : { headers: { origin } })
      return ['access-control-allow-origin', 'access-control-expose-headers', 'vary'].map((name) => headers.get(name))
    }
    const slow = [await seen('https://app.example.com'), await seen()]
    await heat(path, behind)
    expect([await seen('https://app.example.com'), await seen()]).toEqual(slow)
  })
})

describe('after the image', () => {
  type Guest = UploadedImage & { delete_token: string }
  const everyPath = (image: UploadedImage) => Object.values(pathOf).map((path) => path(image))
  const statuses = async (image: UploadedImage) =>
    new Set(await Promise.all(everyPath(image).map(async (path) => (await app.request(path)).status)))
  async function hotImage(): Promise<Guest> {
    const image = await app.guestImage(bytes)
    for (const path of everyPath(image)) await heat(path)
    return image
  }
  const admin = async () => {
    const { id, email } = await app.newUser()
    await app.deps.db.updateTable('users').set({ role: 'admin' }).where('id', '=', id).execute()
    const { token } = (await app.call('POST', '/api/login', { body: { email, password: 'secret-1' } })).body
    const dbToken = (await app.call('POST', '/db/unlock', { token, body: { pin: '1234' } })).body.token
    return { token, headers: { 'x-db-token': dbToken } }
  }
  const maxAge = async (path: string) =>
    Number(/max-age=(\d+)/.exec((await app.request(path)).headers.get('cache-control') ?? '')?.[1])

  it('was deleted, all its URLs respond 410', async () => {
    const image = await hotImage()
    await app.call('DELETE', `/api/images/${image.id}`, { guestToken: image.delete_token })
    expect(await statuses(image)).toEqual(new Set([410]))
  })

  it('was deleted and restored, it is served at once', async () => {
    const { token } = await app.newUser()
    const image = (await app.upload(bytes, { token })).body
    for (const path of everyPath(image)) await heat(path)
    await app.call('DELETE', `/api/images/${image.id}?undo=1`, { token })
    expect(await statuses(image)).toEqual(new Set([410]))
    expect((await app.call('POST', `/api/images/${image.id}/restore`, { token })).status).toBe(200)
    expect(await statuses(image)).toEqual(new Set([200]))
  })

  it('was renamed or deleted in the database view, the response changes at once', async () => {
    const adminLogin = await admin()
    const image = await hotImage()
    const at = `/db/collections/images/documents`
    expect(
      (await app.call('PATCH', `${at}/${image.id}`, { ...adminLogin, body: { original_name: 'new.jpg' } })).status,
    ).toBe(200)
    for (const path of everyPath(image)) {
      expect((await app.request(path)).headers.get('content-disposition')).toContain("UTF-8''new.")
    }
    expect((await app.call('DELETE', at, { ...adminLogin, body: { ids: [image.id] } })).body).toEqual({ deleted: 1 })
    expect(await statuses(image)).toEqual(new Set([410]))
  })

  it('was quarantined and restored, its URLs respond 451 and 200 at once', async () => {
    const adminLogin = await admin()
    const image = await hotImage()
    const decide = (action: string) =>
      app.call('POST', '/api/admin/images/moderate', { token: adminLogin.token, body: { action, ids: [image.id] } })
    await decide('quarantine')
    expect(await statuses(image)).toEqual(new Set([451]))
    await decide('restore')
    expect(await statuses(image)).toEqual(new Set([200]))
  })

  it('had its owner suspended and activated, its URLs respond 451 and 200 at once', async () => {
    const adminLogin = await admin()
    const { token, id } = await app.newUser()
    const image = (await app.upload(bytes, { token })).body
    for (const path of everyPath(image)) await heat(path)
    const setStatus = (status: string) =>
      app.call('PUT', `/api/users/${id}`, { token: adminLogin.token, body: { status } })
    await setStatus('Inactive')
    expect(await statuses(image)).toEqual(new Set([451]))
    await setStatus('Active')
    for (const path of everyPath(image)) await heat(path)
  })

  it('had its owner renamed, it stays in the cache', async () => {
    const { token } = await app.newUser()
    const image = (await app.upload(bytes, { token })).body
    for (const path of everyPath(image)) await heat(path)
    await app.call('PUT', '/api/me', { token, body: { name: 'Other' } })
    for (const path of everyPath(image)) expect(await isHot(() => app.request(path))).toBe(true)
  })

  it('expired, it responds 410 to the millisecond; an extension changes max-age', async () => {
    const image = await hotImage()
    const kept = limits.guest.retentionDays * dayMs
    app.moveClock(kept - 60_000)
    for (const path of everyPath(image)) {
      expect(await maxAge(path)).toBeGreaterThan(40)
      expect(await maxAge(path)).toBeLessThanOrEqual(60)
    }
    await app.call('POST', `/api/images/${image.id}/extend-expiration`, {
      guestToken: image.delete_token,
      body: { days: 7 },
    })
    for (const path of everyPath(image))
      expect(await maxAge(path)).toBe((limits.variant.cacheMs - limits.variant.revalidateMs) / 1000)
    const left = await app.deps.db.selectFrom('images').select('expires_at').where('id', '=', image.id).execute()
    app.moveClock((left[0]?.expires_at ?? 0) - app.deps.now())
    expect(await statuses(image)).toEqual(new Set([410]))
    await sweepExpired(app.deps)
    expect(await statuses(image)).toEqual(new Set([410]))
  })

  it('was claimed, it is served until its new expiry', async () => {
    const image = await hotImage()
    app.moveClock(limits.guest.retentionDays * dayMs - 60_000)
    const { token } = await app.newUser()
    const claimed = { images: [{ id: image.id, token: image.delete_token }] }
    expect((await app.call('POST', '/api/images/claim', { token, body: claimed })).status).toBe(200)
    app.moveClock(60_000)
    expect(await statuses(image)).toEqual(new Set([200]))
  })

  it('was not changed, changes of other images and rolled back changes leave it served', async () => {
    const [image, other] = [await hotImage(), await hotImage()]
    await app.call('DELETE', `/api/images/${other.id}`, { guestToken: other.delete_token })
    for (const path of everyPath(image)) expect(await isHot(() => app.request(path))).toBe(true)
    const rolledBack = app.deps.db.transaction().execute(async (transaction) => {
      await transaction.deleteFrom('images').where('id', '=', image.id).execute()
      throw new Error('no')
    })
    await expect(rolledBack).rejects.toThrow('no')
    expect(await statuses(image)).toEqual(new Set([200]))
  })

  it.skipIf(isPostgres)('was deleted by another process on the same file, it is not served', async () => {
    const image = await hotImage()
    const Driver = await loadDriver()
    const other = new Driver(join(app.dataDir, 'image-host.sqlite'))
    other.prepare('delete from images where id = ?').run(image.id)
    other.close()
    expect(await statuses(image)).toEqual(new Set([404]))
  })

  it.skipIf(isPostgres)('had its owner suspended by another process on the same file, it is not served', async () => {
    const { token, id } = await app.newUser()
    const image = (await app.upload(bytes, { token })).body
    for (const path of everyPath(image)) await heat(path)
    const Driver = await loadDriver()
    const other = new Driver(join(app.dataDir, 'image-host.sqlite'))
    other.prepare("update users set status = 'Inactive' where id = ?").run(id)
    other.close()
    expect(await statuses(image)).toEqual(new Set([451]))
  })

  it('was removed from the variant cache, small and medium variants are served from memory and large ones are rendered again', async () => {
    const image = await app.guestImage(await jpeg(900, 700))
    const large = `/api/webp/${image.id}/100`
    const medium = `/api/webp/${image.id}/80?width=400`
    const small = pathOf.thumbnail(image)
    for (const path of [large, medium, small]) await heat(path)
    const whole = Buffer.from(await (await app.request(large)).arrayBuffer())
    expect(whole.length).toBeGreaterThan(512 * 1024)
    await rm(join(app.dataDir, 'variants'), { recursive: true })
    for (const path of [medium, small]) expect(await isHot(() => app.request(path))).toBe(true)
    expect(Buffer.from(await (await app.request(large)).arrayBuffer()).equals(whole)).toBe(true)
  })
})
