import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openMetrics } from '../../metrics.ts'
import { builtPage, startTestApp, type TestApp } from '../../testing/app.ts'
import { newUpload, version } from '../../testing/resumable.ts'
import { jpeg } from '../../testing/test-images.ts'
import { buildServer } from '../build-server.ts'

/** The limits of production, with shorter times. */
const shortLimits = {
  body: { minBytesPerS: 1024, graceMs: 100, maxWaitMs: 300 },
  upload: { minBytesPerS: 1024, graceMs: 300, isPerPeriod: true as const },
  response: { minBytesPerS: 1024, graceMs: 100, isPerPeriod: true as const },
  checkEveryMs: 10,
}

let app: TestApp
let server: FastifyInstance
let port: number
const metrics = openMetrics()
const logged: Record<string, unknown>[] = []
beforeAll(async () => {
  app = await startTestApp()
  const log = pino({}, { write: (line) => logged.push(JSON.parse(line)) })
  server = await buildServer({ ...app.deps, metrics }, log, await builtPage(), shortLimits)
  server.get('/endless', (_request, reply) => reply.send(Readable.from(endless())))
  port = Number(new URL(await server.listen({ host: '127.0.0.1', port: 0 })).port)
})
afterAll(async () => {
  await server.close()
  await app.stop()
})

function* endless() {
  for (;;) yield Buffer.alloc(64 * 1024)
}

function open(sent: string): { socket: Socket; response: Promise<string> } {
  const socket = connect(port, '127.0.0.1', () => socket.write(sent, 'latin1'))
  const received: Buffer[] = []
  socket.on('data', (part) => received.push(part))
  // The server may close with a reset after the response.
  socket.on('error', () => {})
  const response = new Promise<string>((resolve) => {
    socket.once('close', () => resolve(Buffer.concat(received).toString()))
  })
  return { socket, response }
}

/** As much as a request buffers. All of it arrives before its throughput is measured. */
const bytes = 'x'.repeat(64 * 1024)
const form = '--x\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n\r\n\x89PNG'
const upload =
  'POST /api/upload HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 900000\r\n\r\n'
const json = (length: number) =>
  `POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`

describe('a body that arrives too slowly', () => {
  it.each([
    ['of an upload', upload + form],
    ['of an upload of which much has arrived', upload + form + bytes],
    ['of an upload whose body never starts', upload],
    ['of JSON', `${json(900)}{"a`],
    ['in chunks', json(0).replace('Content-Length: 0', 'Transfer-Encoding: chunked') + '1\r\n{\r\n'],
  ])('%s gets a 408 and is closed', async (_, sent) => {
    const text = await open(sent).response
    expect(text).toMatch(/^HTTP\/1\.1 408 /)
    expect(text).toMatch(/^connection: close\r$/im)
    expect(JSON.parse(text.split('\r\n\r\n')[1] ?? '')).toMatchObject({
      error: 'The request was not received in time',
      code: 'request_timeout',
    })
  })

  it('is ended although it began quickly, when it is an upload', async () => {
    expect(await open(upload + form + bytes.repeat(4)).response).toMatch(/^HTTP\/1\.1 408 /)
  })

  it('of an upload without a form gets a 408, too', async () => {
    const head = upload.replace('/api/upload', '/3/image').replace(/multipart.*x/, 'image/png')
    expect(await open(head + bytes).response).toMatch(/^HTTP\/1\.1 408 [^]*^connection: close\r$/im)
  })

  it('of a resumable upload gets the offset, from which its client continues', async () => {
    const path = await newUpload(app, 900_000)
    const head =
      `PATCH ${path} HTTP/1.1\r\nHost: x\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: 0\r\n` +
      'Content-Type: application/offset+octet-stream\r\nContent-Length: 900000\r\n\r\n'
    const text = await open(head + bytes).response
    expect(text).toMatch(/^HTTP\/1\.1 204 /)
    expect(text).toMatch(/^connection: close\r$/im)
    expect(text).toMatch(/^upload-offset: 65536\r$/im)
    await app.call('DELETE', path, { headers: version })
  })

  it('leaves no temporary files, even with many such uploads', async () => {
    const many = Array.from({ length: 40 }, () => open(upload + form + bytes))
    await expect.poll(() => readdir(app.deps.tempDir)).not.toEqual([])
    const responses = await Promise.all(many.map(({ response }) => response))
    expect(responses.map((text) => text.slice(9, 12))).toEqual(Array(40).fill('408'))
    await expect.poll(() => readdir(app.deps.tempDir), { timeout: 10_000 }).toEqual([])
  })

  it('occupies no folder until much of it has arrived', async () => {
    const { token } = await app.newUser()
    const known = upload.replace('\r\n\r\n', `\r\nAuthorization: Bearer ${token}\r\n\r\n`)
    const waiting = Array.from({ length: 5 }, () => open(known + form))
    await expect.poll(() => app.deps.uploadsInFlight.total().images).toBe(5)
    expect(await readdir(app.deps.tempDir)).toEqual([])
    const statuses = await Promise.all(waiting.map(async ({ response }) => (await response).slice(9, 12)))
    expect(statuses).toEqual(Array(5).fill('408'))
    expect(app.deps.uploadsInFlight.total().images).toBe(0)
  })

  it('whose client disconnects while queued frees its place in the queue', async () => {
    const gated = await startTestApp({ GUEST_UPLOADS_PER_HOUR: '100' })
    try {
      const at = Number(new URL(gated.url).port)
      const sockets = Array.from({ length: 12 }, () => connect(at, '127.0.0.1'))
      for (const socket of sockets) socket.on('error', () => {}).write(upload + form + bytes, 'latin1')
      // Eight uploads of one address run at once; the others are queued, unread.
      await expect.poll(() => readdir(gated.deps.tempDir)).toHaveLength(8)
      for (const socket of sockets) socket.destroy()
      await expect.poll(() => readdir(gated.deps.tempDir), { timeout: 10_000 }).toEqual([])
      expect((await gated.upload(await jpeg())).status).toBe(201)
    } finally {
      await gated.stop()
    }
  }, 60_000)

  it('gets no second response when the request was already responded to', async () => {
    const { response } = open(`PUT /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 900\r\n\r\n`)
    expect((await response).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 404'])
  })

  it('is not logged as an error of the server', () => {
    expect(logged.filter(({ msg }) => msg === 'Unexpected error')).toEqual([])
  })
})

describe('a body that arrives slowly, with progress', () => {
  /** Sends 400 bytes in each hundredth of a second. */
  async function trickle(head: string, body: string) {
    const { socket, response } = open(head)
    await once(socket, 'connect')
    const [text, sentBytes] = await Promise.all([response, sendSlowly(socket, body)])
    return { status: text.slice(9, 12), sentBytes }
  }
  const close = (head: string, body: string) =>
    head.replace(/Content-Length: \d+/, `Content-Length: ${body.length}\r\nConnection: close`)

  it('may take any time if it is an upload', async () => {
    const body = `${form}${'x'.repeat(30_000)}\r\n--x--\r\n`
    // All of it was received, and is no image.
    expect((await trickle(close(upload, body), body)).status).toBe('415')
  })

  it('has a limited time otherwise', async () => {
    const body = `{"a":"${'x'.repeat(60_000)}"}`
    expect((await trickle(close(json(0), body), body)).status).toBe('408')
  })

  it('has a limited time after the upload was refused', async () => {
    const body = `${form}${'x'.repeat(60_000)}\r\n--x--\r\n`
    const refused = upload.replace('\r\n\r\n', '\r\nAuthorization: Bearer wrong\r\n\r\n')
    const { status, sentBytes } = await trickle(refused, body)
    expect([status, sentBytes < body.length]).toEqual(['401', true])
  })

  /** @returns the bytes sent until the server closed the connection */
  async function sendSlowly(socket: Socket, body: string): Promise<number> {
    let at = 0
    for (; at < body.length && socket.writable; at += 400) {
      socket.write(body.slice(at, at + 400))
      await setTimeout(10)
    }
    return at
  }
})

describe('a response that the client does not read', () => {
  it('is closed and logged', async () => {
    const { socket } = open('GET /endless HTTP/1.1\r\nHost: x\r\n\r\n')
    socket.pause()
    await expect
      .poll(() => logged.some(({ msg }) => msg === 'Connection closed: the client reads too slowly'), {
        timeout: 10_000,
      })
      .toBe(true)
    socket.destroy()
  })
})

describe('a connection that is reset', () => {
  const watched = async () => {
    const { body } = await metrics.text()
    return [...body.matchAll(/^image_host_watched_lines\{.*\} (\d+)$/gm)].map(([, count]) => Number(count))
  }

  it('is no longer monitored, and its queued requests are not started', async () => {
    const { socket } = open('GET /endless HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(15))
    await once(socket, 'data')
    socket.pause()
    await expect.poll(async () => (await watched())[1]).toBeGreaterThan(0)
    socket.resetAndDestroy()
    await expect.poll(watched).toEqual([0, 0])
  })
})
