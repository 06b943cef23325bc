// Pipelined requests get their responses in order, and clients that do not read never fill the
// memory.
import { once } from 'node:events'
import { readdir, readlink } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { jpeg } from '../../testing/test-images.ts'
import { sendRaw } from '../../testing/raw-http.ts'

const maxTotalBytes = 16 * 1024 ** 2
let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`
const port = () => Number(new URL(app.url).port)

function silent(sent: string): Socket {
  const line = connect(port(), '127.0.0.1', () => line.write(sent, 'latin1'))
  line.pause()
  // Some connections are reset on purpose.
  line.on('error', () => {})
  return line
}

async function unsentBytes(): Promise<number> {
  const { body } = await app.deps.metrics.text()
  return Number(/^image_host_unsent_bytes (\d+)$/m.exec(body)?.[1])
}

/** Variant files that this process has open, where the system lists them. */
async function openVariants(): Promise<string[]> {
  const files = await readdir('/proc/self/fd').catch(() => [])
  const paths = await Promise.all(files.map((file) => readlink(`/proc/self/fd/${file}`).catch(() => '')))
  return paths.filter((path) => path.includes('/variants/'))
}

describe('a connection with pipelined requests', () => {
  it('gets all responses in order', async () => {
    const { id } = await app.guestImage(await jpeg())
    const paths = Array.from({ length: 16 }, (_, at) =>
      at % 3 === 0 ? '/healthz' : `/api/thumbnail/${id}/${100 + at}`,
    )
    const responses = await sendRaw(
      app.url,
      paths.map((path) => get(path)).join('') + get('/api/nothing', 'Connection: close\r\n'),
    )
    expect(responses.map(({ status }) => status)).toEqual([...paths.map(() => 200), 404])
    const types = responses.slice(0, -1).map(({ headers }) => headers['content-type'])
    expect(types).toEqual(paths.map((path) => (path === '/healthz' ? 'application/json; charset=utf-8' : 'image/webp')))
  })

  it('is closed and logged when more than 16 requests are queued', async () => {
    const { file_name } = await app.guestImage(await jpeg())
    const line = silent(get(`/uploads/${file_name}`).repeat(500))
    line.resume()
    await once(line, 'close')
    expect(app.logged).toContainEqual(
      expect.objectContaining({ msg: 'Connection closed with pipelined requests queued', dropped: 17 }),
    )
    expect((await app.request(`/uploads/${file_name}`)).status).toBe(200)
  })
})

describe('a connection that a response closes', () => {
  it('starts no further request, and reserves no buffer', async () => {
    const { id } = await app.guestImage(await jpeg(1600, 1200))
    const path = `/api/webp/${id}/100?width=1600`
    expect((await (await app.request(path)).arrayBuffer()).byteLength).toBeGreaterThan(64 * 1024)
    await app.request(path)
    const responses = await sendRaw(app.url, `GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n${get(path).repeat(3)}`)
    expect(responses.map(({ status }) => status)).toEqual([400])
    expect(await unsentBytes()).toBe(0)
  })
})

describe('clients that do not read', () => {
  it('fill no more than the buffer budget, while other clients get whole responses', async () => {
    // Noise, which hardly compresses: 4 MB per variant.
    const { data, info } = {
      data: Buffer.alloc(2400 * 1800 * 3),
      info: { width: 2400, height: 1800, channels: 3 as const },
    }
    for (let at = 0; at < data.length; at += 1) data[at] = (at * 2654435761) >>> 13
    const { id } = await app.guestImage(await sharp(data, { raw: info }).jpeg({ quality: 90 }).toBuffer())
    const path = `/api/webp/${id}/100?width=2000`
    const wanted = Buffer.from(await (await app.request(path)).arrayBuffer())
    expect(wanted.length).toBeGreaterThan(2_000_000)

    const lines = Array.from({ length: 60 }, () => silent(get(path)))
    await expect.poll(unsentBytes).toBeGreaterThan(maxTotalBytes - wanted.length)
    expect(await unsentBytes()).toBeLessThanOrEqual(maxTotalBytes)
    // Responses to a first request are counted as well.
    const fresh = await app.request(`/api/webp/${id}/100?width=1990`)
    expect((await fresh.arrayBuffer()).byteLength).toBe(Number(fresh.headers.get('content-length')))
    expect(await unsentBytes()).toBeLessThanOrEqual(maxTotalBytes)
    const streamed = await app.request(path)
    expect(Buffer.from(await streamed.arrayBuffer()).equals(wanted)).toBe(true)
    expect(Number(streamed.headers.get('content-length'))).toBe(wanted.length)
    expect((await app.request(path, { method: 'HEAD' })).status).toBe(200)
    const etag = streamed.headers.get('etag') ?? ''
    expect((await app.request(path, { headers: { 'if-none-match': etag } })).status).toBe(304)

    const ahead = silent(get(path).repeat(11))
    lines.push(ahead)
    await once(ahead, 'connect')
    // Its requests are handled after those of the others.
    expect((await app.request('/healthz')).status).toBe(200)
    for (const line of lines) line.resetAndDestroy()
    await expect.poll(unsentBytes).toBe(0)
    await expect.poll(openVariants).toEqual([])
    const cutOff = () => app.logged.filter(({ msg }) => msg === 'Connection closed with pipelined requests queued')
    await expect
      .poll(() => cutOff().map(({ dropped }) => dropped))
      .toContainEqual(expect.toSatisfy((n) => n >= 7 && n <= 10))
  })
})
