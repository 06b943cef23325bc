// Clients that ask ahead, and clients that take nothing: in order, and never more in memory than there is room for.
import { once } from 'node:events'
import { readdir, readlink } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { jpeg } from '../../testing/test-images.ts'
import { sendRaw } from '../../testing/raw-http.ts'

const mostTogether = 64 * 1024 ** 2
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
  // A reset is what some of them are to meet.
  line.on('error', () => {})
  return line
}

async function unsentBytes(): Promise<number> {
  const { body } = await app.deps.metrics.text()
  return Number(/^image_host_unsent_bytes (\d+)$/m.exec(body)?.[1])
}

/** Of this process, where the system tells. */
async function openVariants(): Promise<string[]> {
  const files = await readdir('/proc/self/fd').catch(() => [])
  const paths = await Promise.all(files.map((file) => readlink(`/proc/self/fd/${file}`).catch(() => '')))
  return paths.filter((path) => path.includes('/variants/'))
}

describe('a line on which several are asked for at once', () => {
  it('answers all of them, in their order', async () => {
    const { id } = await app.guestImage(await jpeg())
    const paths = Array.from({ length: 20 }, (_, at) =>
      at % 3 === 0 ? '/healthz' : `/api/thumbnail/${id}/${100 + at}`,
    )
    const answers = await sendRaw(
      app.url,
      paths.map((path) => get(path)).join('') + get('/api/nothing', 'Connection: close\r\n'),
    )
    expect(answers.map(({ status }) => status)).toEqual([...paths.map(() => 200), 404])
    const types = answers.slice(0, -1).map(({ headers }) => headers['content-type'])
    expect(types).toEqual(paths.map((path) => (path === '/healthz' ? 'application/json; charset=utf-8' : 'image/webp')))
  })

  it('is cut off when more wait than anyone asks ahead, and says so', async () => {
    const { file_name } = await app.guestImage(await jpeg())
    const line = silent(get(`/uploads/${file_name}`).repeat(500))
    line.resume()
    await once(line, 'close')
    expect(app.logged).toContainEqual(
      expect.objectContaining({ msg: 'Connection closed with pipelined requests unanswered', unanswered: 65 }),
    )
    expect((await app.request(`/uploads/${file_name}`)).status).toBe(200)
  })
})

describe('a line that an answer ends', () => {
  it('begins nothing after it, and holds no room', async () => {
    const { id } = await app.guestImage(await jpeg(1600, 1200))
    const path = `/api/webp/${id}/100?width=1600`
    expect((await (await app.request(path)).arrayBuffer()).byteLength).toBeGreaterThan(64 * 1024)
    await app.request(path)
    const answers = await sendRaw(app.url, `GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n${get(path).repeat(3)}`)
    expect(answers.map(({ status }) => status)).toEqual([400])
    expect(await unsentBytes()).toBe(0)
  })
})

describe('clients that take nothing', () => {
  it('fill no more than there is room for, while others get theirs whole', async () => {
    // Noise, which hardly gets smaller: 4 MB a variant.
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
    await expect.poll(unsentBytes).toBeGreaterThan(mostTogether - wanted.length)
    expect(await unsentBytes()).toBeLessThanOrEqual(mostTogether)
    // What nobody has asked for before is counted as well.
    const fresh = await app.request(`/api/webp/${id}/100?width=1990`)
    expect((await fresh.arrayBuffer()).byteLength).toBe(Number(fresh.headers.get('content-length')))
    expect(await unsentBytes()).toBeLessThanOrEqual(mostTogether)
    const streamed = await app.request(path)
    expect(Buffer.from(await streamed.arrayBuffer()).equals(wanted)).toBe(true)
    expect(Number(streamed.headers.get('content-length'))).toBe(wanted.length)
    expect((await app.request(path, { method: 'HEAD' })).status).toBe(200)
    const etag = streamed.headers.get('etag') ?? ''
    expect((await app.request(path, { headers: { 'if-none-match': etag } })).status).toBe(304)

    const ahead = silent(get(path).repeat(11))
    lines.push(ahead)
    await once(ahead, 'connect')
    // It asks after the others, and is heard after them.
    expect((await app.request('/healthz')).status).toBe(200)
    for (const line of lines) line.resetAndDestroy()
    await expect.poll(unsentBytes).toBe(0)
    await expect.poll(openVariants).toEqual([])
    const cutOff = () => app.logged.filter(({ msg }) => msg === 'Connection closed with pipelined requests unanswered')
    await expect
      .poll(() => cutOff().map(({ unanswered }) => unanswered))
      .toContainEqual(expect.toSatisfy((n) => n >= 7 && n <= 10))
  })
})
