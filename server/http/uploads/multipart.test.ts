import { once } from 'node:events'
import http from 'node:http'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { limits } from '../../../contract/plain/limits.ts'
import { photo } from '../../imaging/testing/hand-made-images.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'

let app: TestApp
const image = await photo(40, 30).png().toBuffer()
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

interface Part {
  header: string
  body: Buffer | string
}
const filePart = (name = 'a.png', more = ''): Part => ({
  header: `${more}Content-Disposition: form-data; name="image"; filename="${name}"`,
  body: image,
})
const fieldPart = (name: string): Part => ({
  header: `Content-Disposition: form-data; name="${name}"`,
  body: 'x',
})

async function send(...parts: Part[]) {
  const body = Buffer.concat([
    ...parts.flatMap(({ header, body: content }) => [
      Buffer.from(`--b\r\n${header}\r\n\r\n`),
      Buffer.from(content as string),
      Buffer.from('\r\n'),
    ]),
    Buffer.from('--b--\r\n'),
  ])
  const headers = { 'content-type': 'multipart/form-data; boundary=b' }
  const response = await app.request('/api/upload', { method: 'POST', body: new Uint8Array(body), headers })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

describe('the header of a part', () => {
  it('can have 60,000 characters: the name is truncated', async () => {
    const { status, body } = await send(filePart(`${'x'.repeat(60_000)}.png`))
    expect(status).toBe(201)
    expect(body.original_name).toHaveLength(limits.upload.maxNameLength)
  })

  it.each([
    ['a name', filePart('x'.repeat(70 * 1024)), 'malformed_upload'],
    ['a name of 4-byte characters', filePart('\u{1f600}'.repeat(17_000)), 'malformed_upload'],
    ['a field', fieldPart('x'.repeat(70 * 1024)), 'malformed_upload'],
    ['another header', filePart('a.png', `X-Line: ${'x'.repeat(70 * 1024)}\r\n`), 'no_file'],
  ])('cannot have 70 KiB: %s', async (_, part, code) => {
    expect(await send(part)).toMatchObject({ status: 400, body: { code, error: expect.any(String) } })
    expect(await app.files('tmp')).toEqual([])
  })

  it('can omit the file name when it has a content type; the name is then "image"', async () => {
    const disposition = 'Content-Disposition: form-data; name="image"'
    const header = `${disposition}\r\nContent-Type: application/octet-stream`
    const { status, body } = await send({ header, body: image })
    expect([status, body.original_name]).toEqual([201, 'image'])
  })

  it.each([
    ['no headers', ''],
    ['no disposition', 'Content-Type: image/png'],
    ['no name', 'Content-Disposition: form-data'],
    ['another disposition', 'Content-Disposition: attachment; filename="a.png"'],
    ['a line break in the name', 'Content-Disposition: form-data; name="image"; filename="a\nb.png"'],
    ['a file without a field', 'Content-Disposition: form-data; filename="a.png"'],
  ])('with %s is refused', async (_, header) => {
    expect(await send({ header, body: image })).toMatchObject({ status: 400, body: { error: expect.any(String) } })
    expect(await app.files('tmp')).toEqual([])
  })
})

describe('form field names', () => {
  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    '%s does not pollute prototypes',
    async (name) => {
      const { status, body } = await send(fieldPart(name), filePart())
      expect(status, JSON.stringify(body)).toBe(400)
      expect(body.error).toMatch(/\w+ \w+/)
      expect(({} as Record<string, unknown>)['x']).toBeUndefined()
      expect(await app.files('tmp')).toEqual([])
    },
  )

  it('are limited to ten fields', async () => {
    const fields = Array.from({ length: 11 }, (_, i) => fieldPart(`f${i}`))
    expect(await send(filePart(), ...fields)).toMatchObject({ status: 400, body: { code: 'malformed_upload' } })
  })
})

describe('bytes before and after the parts of a form', () => {
  const file = ['--b\r\n', filePart().header, '\r\n\r\n', image, '\r\n--b--\r\n']
  const text = ['--b\r\n', fieldPart('message').header, '\r\n\r\nx\r\n--b--\r\n']
  /** 10 MiB: twice the limit of a guest's upload, ten times that of a contact form. */
  const much = Array.from({ length: 160 }, () => Buffer.alloc(64 * 1024, 'x'))
  const before = [...much, '\r\n']
  const form = '/api/v1.0/email/send-form'
  it.each([
    ['before an upload', '/api/upload', [...before, ...file], 'file_too_large'],
    ['after an upload', '/api/upload', [...file, ...much], 'file_too_large'],
    ['before a contact form', form, [...before, ...text], 'The body is larger than 65536 bytes'],
    ['after a contact form', form, [...text, ...much], 'The body is larger than 65536 bytes'],
  ])('count towards its size limit in a chunked body: %s', async (_, path, sent, refusal) => {
    const [status, body] = await sendChunks(path, sent)
    expect([status, body]).toEqual([413, expect.stringContaining(refusal)])
    await vi.waitFor(async () => expect(await app.files('tmp')).toEqual([]), { timeout: 10_000 })
  })

  it('are accepted within the limit', async () => {
    const little = Buffer.alloc(60 * 1024, 'x')
    expect((await sendChunks('/api/upload', [little, '\r\n', ...file]))[0]).toBe(201)
    expect((await sendChunks('/api/upload', [...file, little]))[0]).toBe(201)
  })
})

function sendChunks(path: string, parts: (Buffer | string)[]): Promise<[status: number, body: string]> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'multipart/form-data; boundary=b', 'transfer-encoding': 'chunked' }
    const request = http.request(new URL(path, app.url), { method: 'POST', headers }, (response) => {
      let body = ''
      response.on('data', (part) => (body += part))
      response.on('end', () => resolve([response.statusCode ?? 0, body]))
    })
    request.on('error', reject)
    Readable.from(parts).pipe(request)
  })
}

describe('a client that disconnects during an upload', () => {
  it.each(['destroy', 'end'] as const)('by %s leaves no file and no row', async (how) => {
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1')
    socket.on('error', () => {})
    await once(socket, 'connect')
    const head = `--b\r\n${filePart().header}\r\n\r\n`
    socket.write(
      `POST /api/upload HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 900000\r\n\r\n${head}`,
    )
    socket.write(Buffer.alloc(200_000, 7))
    await vi.waitFor(async () => expect(await app.files('tmp')).toEqual(['source']), { timeout: 10_000 })
    const rows = () => app.deps.db.selectFrom('images').select('id').execute()
    const before = (await rows()).length
    socket[how]()
    await vi.waitFor(async () => expect(await app.files('tmp')).toEqual([]), { timeout: 10_000 })
    expect((await rows()).length).toBe(before)
    socket.destroy()
  })
})

describe('guest uploads of one address', () => {
  it('wait behind eight concurrent ones', async () => {
    const limited = await startTestApp({ GUEST_UPLOADS_PER_HOUR: '10' })
    const head = `--b\r\n${filePart().header}\r\n\r\n`
    const slow = Array.from({ length: 8 }, () => {
      const socket = connect(Number(new URL(limited.url).port), '127.0.0.1').on('error', () => {})
      return socket.on('connect', () =>
        socket.write(
          `POST /api/upload HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 900000\r\n\r\n${head}${'x'.repeat(100_000)}`,
        ),
      )
    })
    try {
      await expect.poll(() => limited.files('tmp')).toEqual(Array(8).fill('source'))
      const isOver = vi.fn()
      const waiting = limited.upload(image).finally(isOver)
      // The refusal of another request shows that the server has read this one.
      expect((await limited.upload(image, { token: 'wrong' })).status).toBe(401)
      expect(isOver).not.toHaveBeenCalled()
      slow[0]?.destroy()
      expect((await waiting).status).toBe(201)
    } finally {
      for (const socket of slow) socket.destroy()
    }
    await vi.waitFor(async () => expect(await limited.files('tmp')).toEqual([]), { timeout: 10_000 })
    expect((await limited.upload(image)).status).toBe(201)
    await limited.stop()
  }, 30_000)
})

it('the decoder process for uploads starts while an admitted upload is received, and not for a refused one', async () => {
  const idle = await startTestApp({}, undefined, { ownDecoders: true })
  const processes = () => idle.deps.imaging.stats().ingest
  const body = JSON.stringify({ image: image.toString('base64') })
  const headers = { 'content-type': 'application/json', origin: 'https://elsewhere.example' }
  expect((await idle.request('/api/upload', { method: 'POST', headers, body })).status).toBe(403)
  expect(processes()).toMatchObject({ alive: 0 })
  const socket = connect(Number(new URL(idle.url).port), '127.0.0.1')
  try {
    socket.write(
      `POST /api/upload HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 900000\r\n\r\n--b\r\n${filePart().header}\r\n\r\n${'x'.repeat(100_000)}`,
    )
    await expect.poll(processes).toMatchObject({ alive: 1, jobs: 0 })
  } finally {
    socket.destroy()
    await idle.stop()
  }
})
