// Resumable uploads: the protocol, continuation after every kind of interruption, limits, and real clients.
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { UploadedImage } from '../../../../contract/endpoints/images.ts'
import { dayMs, limits } from '../../../../contract/plain/limits.ts'
import { Failure } from '../../../domain/shared/failure.ts'
import { sweepUploads } from '../../../domain/uploads/resumable-uploads.ts'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { newUpload, offsetOf, sendBytes, startUpload, version } from '../../../testing/resumable.ts'
import { jpeg } from '../../../testing/test-images.ts'

let app: TestApp
let image: Buffer
beforeAll(async () => {
  app = await startTestApp()
  image = await jpeg(300, 200)
})
afterAll(() => app.stop())

const countImages = async (on = app) => (await on.deps.db.selectFrom('images').select('id').execute()).length
/** In its file. */
const bytesOf = async (path: string) => (await stat(join(app.dataDir, 'resumable', path.split('/').at(-1) ?? ''))).size
const nothingInFlight = { images: 0, bytes: 0 }

describe('a resumable upload', () => {
  it('ends with the image, in the form of POST /api/upload', async () => {
    const metadata = { filename: 'Größe.jpg', filetype: 'image/jpeg', title: 'Harbour', alt: 'Boats', expires_in: '1d' }
    const path = await newUpload(app, image.length, { metadata })
    const first = await sendBytes(app, path, image.subarray(0, 1000))
    expect([first.status, first.headers.get('upload-offset'), await first.text()]).toEqual([204, '1000', ''])
    expect(await offsetOf(app, path)).toBe(1000)
    const last = await sendBytes(app, path, image.subarray(1000), { offset: 1000 })
    const body = (await last.json()) as UploadedImage
    expect([last.status, last.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(body).toMatchObject({ original_name: 'Größe.jpg', title: 'Harbour', alt: 'Boats', success: true })
    expect(Date.parse(body.expires_at ?? '') - Date.parse(body.created_at)).toBe(dayMs)
    const owned = { guestToken: body.delete_token }
    expect((await app.call('DELETE', `/api/images/${body.id}`, owned)).status).toBe(200)
    expect(await app.files('tmp')).toEqual([])
    expect(app.deps.uploadsInFlight.total()).toEqual(nothingInFlight)
  })

  it('shows when it ends, and what the server can do', async () => {
    const created = await startUpload(app, 100)
    expect(created.headers.get('location')).toMatch(/^\/api\/uploads\/[\w-]{22}$/)
    const ends = Date.parse(created.headers.get('upload-expires') ?? '')
    expect(Math.abs(ends - app.deps.now() - dayMs)).toBeLessThan(60_000)
    const head = await app.call('HEAD', created.headers.get('location') ?? '', { headers: version })
    expect(Object.fromEntries(head.headers)).toMatchObject({
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'upload-length': '100',
      'upload-expires': created.headers.get('upload-expires'),
      'cache-control': 'no-store',
    })
    const options = await app.request('/api/uploads', { method: 'OPTIONS' })
    expect([options.status, Object.fromEntries(options.headers)]).toMatchObject([
      204,
      {
        'tus-version': '1.0.0',
        'tus-extension': 'creation,creation-with-upload,expiration,termination',
        'tus-max-size': String(limits.user.maxBytes),
      },
    ])
  })

  it('is deleted with its bytes', async () => {
    const path = await newUpload(app, image.length)
    await sendBytes(app, path, image.subarray(0, 1000))
    expect((await app.call('DELETE', path, { headers: version })).status).toBe(204)
    expect(await app.call('GET', path)).toMatchObject({ status: 404, body: { code: 'upload_not_found' } })
    expect((await app.files('resumable')).join()).not.toContain(path.split('/').at(-1))
  })

  it('does not show its secret in the log', async () => {
    const path = await newUpload(app, image.length)
    await sendBytes(app, path, image)
    await app.call('GET', `${path}x`)
    expect(JSON.stringify(app.logged)).not.toContain(path.split('/').at(-1))
  })
})

describe('an interrupted upload', () => {
  it('continues after the bytes that came before its connection was cut', async () => {
    const path = await newUpload(app, image.length)
    const { hostname, port } = new URL(app.url)
    const socket = connect(Number(port), hostname)
    const head = {
      host: hostname,
      'content-length': image.length,
      'content-type': 'application/offset+octet-stream',
      'upload-offset': 0,
      ...version,
    }
    const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`PATCH ${path} HTTP/1.1\r\n${lines.join('')}\r\n`)
    socket.write(image.subarray(0, 3000))
    await expect.poll(() => bytesOf(path)).toBe(3000)
    socket.destroy()
    expect(await offsetOf(app, path)).toBe(3000)
    expect((await sendBytes(app, path, image.subarray(3000), { offset: 3000 })).status).toBe(200)
  })

  it('goes on by a second request while the first one waits for its client', async () => {
    const { hostname, port } = new URL(app.url)
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    const large = await newUpload(app, 1_000_000)
    socket.write(
      `PATCH ${large} HTTP/1.1\r\nHost: x\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: 0\r\n` +
        'Content-Type: application/offset+octet-stream\r\nContent-Length: 1000000\r\n\r\n',
    )
    socket.write(Buffer.alloc(200_000))
    await expect.poll(() => bytesOf(large)).toBe(200_000)
    expect(await offsetOf(app, large)).toBe(200_000)
    const next = await sendBytes(app, large, Buffer.alloc(1000), { offset: 200_000 })
    expect([next.status, next.headers.get('upload-offset')]).toEqual([204, '201000'])
    socket.destroy()
    await app.call('DELETE', large, { headers: version })
  })

  it('continues after a restart, from another address, and after its guest has logged in', async () => {
    const before = await startTestApp({ TRUST_PROXY: '1' })
    let path = ''
    try {
      const from = (address: string) => ({ 'x-forwarded-for': address })
      path = await newUpload(before, image.length, { headers: from('198.51.100.1') })
      await sendBytes(before, path, image.subarray(0, 2000), { headers: from('198.51.100.1') })
      await before.halt()
      const after = await startTestApp({ TRUST_PROXY: '1' }, before.dataDir)
      try {
        expect(after.deps.uploadsInFlight.total()).toEqual({ images: 1, bytes: image.length })
        expect(await offsetOf(after, path, { headers: from('203.0.113.7') })).toBe(2000)
        const { token } = await after.newUser()
        const rest = { offset: 2000, token, headers: from('203.0.113.8') }
        const response = await sendBytes(after, path, image.subarray(2000), rest)
        expect([response.status, await response.json()]).toMatchObject([200, { is_guest: true }])
        expect(after.deps.uploadsInFlight.total()).toEqual(nothingInFlight)
      } finally {
        await after.stop()
      }
    } finally {
      await before.stop()
    }
  })

  it('returns the same image and delete token, however often its end is asked for', async () => {
    const before = await countImages()
    const path = await newUpload(app, image.length)
    const first = (await (await sendBytes(app, path, image)).json()) as UploadedImage
    const again = await sendBytes(app, path, Buffer.alloc(0), { offset: image.length })
    expect([again.status, await again.json()]).toEqual([200, first])
    expect(await app.call('GET', path)).toMatchObject({ status: 200, body: first })
    expect(await offsetOf(app, path)).toBe(image.length)
    expect(await countImages()).toBe(before + 1)
    await app.call('DELETE', `/api/images/${first.id}`, { guestToken: first.delete_token })
    expect(await app.call('GET', path)).toMatchObject({ status: 410, body: { code: 'image_gone' } })
  })

  it('is stored once by all requests together, when the server was busy at its end', async () => {
    const { ingest } = app.deps.imaging
    const before = await countImages()
    const path = await newUpload(app, image.length)
    let [isBusy, calls] = [true, 0]
    app.deps.imaging.ingest = async (...given) => {
      if (isBusy) throw new Failure('busy', {}, { retryAfterS: 2 })
      calls++
      return ingest(...given)
    }
    try {
      const refused = await sendBytes(app, path, image)
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
      // Clients would take 503 for the end of the upload.
      expect((await app.call('HEAD', path, { headers: version })).status).toBe(423)
      expect(await bytesOf(path)).toBe(image.length)
      isBusy = false
      app.moveClock(2000)
      const responses = await Promise.all([
        app.call('GET', path),
        app.call('GET', path),
        app.call('HEAD', path, { headers: version }),
        sendBytes(app, path, Buffer.alloc(0), { offset: image.length }),
      ])
      expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200])
      expect([calls, await countImages()]).toEqual([1, before + 1])
    } finally {
      app.deps.imaging.ingest = ingest
    }
  })

  it('ends when its image is refused', async () => {
    const before = app.deps.uploadsInFlight.total()
    const broken = image.subarray(0, 2000)
    const path = await newUpload(app, broken.length)
    expect((await sendBytes(app, path, broken)).status).toBe(422)
    expect((await app.call('GET', path)).status).toBe(404)
    expect(app.deps.uploadsInFlight.total()).toEqual(before)
  })

  it('ends with its account, also when another process deletes that', async () => {
    const { id, token } = await app.newUser()
    const path = await newUpload(app, 100, { token })
    await app.deps.db.deleteFrom('users').where('id', '=', id).execute()
    await sweepUploads(app.deps, app.deps.now())
    expect(app.deps.uploadRecords.find(path.split('/').at(-1) ?? '')).toBeUndefined()
  })

  it('gives way on a full server, whoever has left it, the one with the fewest bytes first', async () => {
    const own = await startTestApp({ MAX_STORAGE_BYTES: '10000000' })
    try {
      const [one, other] = [await own.newUser(), await own.newUser()]
      const far = await newUpload(own, 4_000_000, { token: one.token })
      await sendBytes(own, far, Buffer.alloc(1000), { token: one.token })
      await newUpload(own, 4_000_000, { token: one.token })
      expect((await startUpload(own, 4_000_000, { token: other.token })).status).toBe(507)
      own.moveClock(limits.resumable.idleMs)
      expect((await startUpload(own, 4_000_000, { token: other.token })).status).toBe(201)
      expect(await offsetOf(own, far, { token: one.token })).toBe(1000)
    } finally {
      await own.stop()
    }
  })

  it('is not told to an upload-only key that sends the same Idempotency-Key', async () => {
    const { token } = await app.newUser()
    const { key } = (await app.call('POST', '/api/api-keys', { token, body: { scopes: ['upload'] } })).body
    const headers = { 'idempotency-key': 'guessed' }
    const path = await newUpload(app, 100, { token, headers })
    expect(await newUpload(app, 100, { token, headers })).toBe(path)
    expect(await newUpload(app, 100, { token: key, headers })).not.toBe(path)
  })

  it('leaves nothing after its 24 hours', async () => {
    const own = await startTestApp()
    try {
      const path = await newUpload(own, image.length)
      await sendBytes(own, path, image.subarray(0, 2000))
      own.moveClock(limits.resumable.lifetimeMs - 60_000)
      expect(await sweepUploads(own.deps, own.deps.now())).toEqual({ uploads: 0 })
      expect(await offsetOf(own, path)).toBe(2000)
      own.moveClock(60_001)
      expect((await own.call('HEAD', path, { headers: version })).status).toBe(404)
      expect((await sendBytes(own, path, image.subarray(2000), { offset: 2000 })).status).toBe(404)
      expect(await sweepUploads(own.deps, own.deps.now())).toEqual({ uploads: 1 })
      expect(await own.files('resumable')).toEqual([])
      expect(own.deps.uploadsInFlight.total()).toEqual(nothingInFlight)
    } finally {
      await own.stop()
    }
  })
})

describe('limits', () => {
  it('count the declared length until the upload ends', async () => {
    const { token, id } = await app.newUser()
    await app.deps.db.updateTable('users').set({ quota_bytes: 10_000 }).where('id', '=', id).execute()
    const path = await newUpload(app, 6000, { token })
    expect(await startUpload(app, 6000, { token })).toMatchObject({ status: 413, body: { code: 'quota_exceeded' } })
    await app.call('DELETE', path, { token, headers: version })
    expect((await startUpload(app, 6000, { token })).status).toBe(201)
  })

  it('count an upload once, when it starts', async () => {
    const own = await startTestApp({ GUEST_UPLOADS_PER_HOUR: '1' })
    try {
      const path = await newUpload(own, image.length)
      await sendBytes(own, path, image.subarray(0, 2000))
      expect((await sendBytes(own, path, image.subarray(2000), { offset: 2000 })).status).toBe(200)
      expect((await startUpload(own, image.length)).status).toBe(429)
    } finally {
      await own.stop()
    }
  })

  it('end the upload that has been idle longest', async () => {
    const { token } = await app.newUser()
    const most = limits.resumable.maxOfAccount
    const paths: string[] = []
    for (let n = 0; n < most; n++) paths.push(await newUpload(app, 100, { token }))
    await sendBytes(app, paths[0] ?? '', Buffer.alloc(10), { token })
    // All of them may be between two requests of their clients.
    expect((await startUpload(app, 100, { token })).status).toBe(503)
    app.moveClock(limits.resumable.idleMs)
    paths.push(await newUpload(app, 100, { token }))
    const statuses = await Promise.all(paths.map(async (path) => (await app.call('GET', path, { token })).status))
    expect(statuses).toEqual([409, 404, ...Array<number>(most - 1).fill(409)])
  })

  it('give a repeated Idempotency-Key the image of the first upload', async () => {
    const { token } = await app.newUser()
    const headers = { 'idempotency-key': 'key of a file' }
    const ids: string[] = []
    for (let n = 0; n < 2; n++) {
      const path = await newUpload(app, image.length, { token, headers })
      ids.push(((await (await sendBytes(app, path, image, { token })).json()) as UploadedImage).id)
    }
    expect(ids[1]).toBe(ids[0])
    const short = await startUpload(app, 100, { headers: { 'idempotency-key': 'guessable' } })
    expect(short).toMatchObject({ status: 400, body: { code: 'invalid_input' } })
  })
})

describe('a wrong request', () => {
  const long = { 'upload-length': '100' }
  it.each<[what: string, headers: Record<string, string>, status: number, code: string]>([
    ['without the version', { ...long }, 412, 'tus_version'],
    ['of another version', { ...long, 'tus-resumable': '0.2.2' }, 412, 'tus_version'],
    ['without a length', version, 400, 'invalid_input'],
    ['of a later length', { ...version, 'upload-defer-length': '1' }, 400, 'invalid_input'],
    ['of no bytes', { ...version, 'upload-length': '0' }, 400, 'empty_file'],
    ['of a negative length', { ...version, 'upload-length': '-1' }, 400, 'invalid_input'],
    ['of a length that is no number', { ...version, 'upload-length': '1e3' }, 400, 'invalid_input'],
    ['of too many bytes', { ...version, 'upload-length': '99999999' }, 413, 'file_too_large'],
    ['of parts', { ...version, ...long, 'upload-concat': 'partial' }, 400, 'invalid_input'],
    ['with metadata that are no base64', { ...version, ...long, 'upload-metadata': 'title ä!' }, 400, 'invalid_input'],
    ['with a name twice', { ...version, ...long, 'upload-metadata': 'title YQ==,title YQ==' }, 400, 'invalid_input'],
    ['with a prototype', { ...version, ...long, 'upload-metadata': '__proto__ YQ==' }, 400, 'invalid_input'],
    ['with NUL', { ...version, ...long, 'upload-metadata': 'title YQBi' }, 400, 'invalid_input'],
    ['with a wrong field', { ...version, ...long, 'upload-metadata': 'max_views YQ==' }, 400, 'invalid_input'],
    [
      'with a life that is too long',
      { ...version, ...long, 'upload-metadata': 'expires_in OTk5ZA==' },
      400,
      'invalid_input',
    ],
    ['in a compressed body', { ...version, ...long, 'content-encoding': 'gzip' }, 415, 'unsupported_body'],
  ])('to start an upload %s is refused', async (_, headers, status, code) => {
    const [files, inFlight] = [await app.files('resumable'), app.deps.uploadsInFlight.total()]
    expect(await app.call('POST', '/api/uploads', { headers })).toMatchObject({ status, body: { code } })
    expect(await app.files('resumable')).toEqual(files)
    expect(app.deps.uploadsInFlight.total()).toEqual(inFlight)
  })

  it('of another version learns which one the server has', async () => {
    const path = await newUpload(app, 100)
    for (const [method, at] of [
      ['POST', '/api/uploads'],
      ['HEAD', path],
      ['DELETE', path],
    ] as const) {
      const { status, headers } = await app.call(method, at, { headers: { 'tus-resumable': '0.2.2' } })
      expect([status, headers.get('tus-version')]).toEqual([412, '1.0.0'])
    }
    expect(await offsetOf(app, path)).toBe(0)
  })

  it('acts on the upload of its path alone, whatever its query says', async () => {
    const { token } = await app.newUser()
    const { token: other } = await app.newUser()
    const path = await newUpload(app, 1000, { token })
    await sendBytes(app, path, Buffer.alloc(100), { token })
    const id = path.split('/').at(-1) ?? ''
    const own = await newUpload(app, 1000, { token: other })
    let offset = 0
    for (const query of [`?/${id}`, `?/${id}.json`, '?/..', '?from=proxy']) {
      const response = await sendBytes(app, own + query, Buffer.alloc(10), { offset, token: other })
      offset += 10
      expect([query, response.status]).toEqual([query, 204])
      expect([query, await offsetOf(app, own + query, { token: other })]).toEqual([query, offset])
    }
    expect((await app.call('DELETE', `${own}?/${id}.json`, { token: other, headers: version })).status).toBe(204)
    expect((await app.call('GET', own, { token: other })).status).toBe(404)
    expect(await app.files('resumable')).toEqual(expect.arrayContaining([id, `${id}.json`]))
    expect(await offsetOf(app, path, { token })).toBe(100)
  })

  it('with more metadata than the fields need is refused', async () => {
    const headers = { ...version, ...long, 'upload-metadata': `note ${'A'.repeat(9000)}` }
    expect(await app.call('POST', '/api/uploads', { headers })).toMatchObject({
      status: 400,
      body: { code: 'invalid_input' },
    })
  })

  it('with large metadata is refused', async () => {
    const headers = { ...version, ...long, 'upload-metadata': `title ${'A'.repeat(100_000)}` }
    const response = await app.request('/api/uploads', { method: 'POST', headers })
    expect([response.status, await response.json()]).toMatchObject([431, { code: 'head_too_large' }])
  })

  it('to continue one is refused, and changes nothing', async () => {
    const path = await newUpload(app, 1000)
    await sendBytes(app, path, Buffer.alloc(100))
    const codeOf = async (response: Response) => [response.status, ((await response.json()) as { code: string }).code]
    const send = (headers: Record<string, string>, bytes = Buffer.alloc(10)) =>
      sendBytes(app, path, bytes, { offset: 100, headers })
    expect(await codeOf(await send({ 'upload-offset': '0' }))).toEqual([409, 'wrong_offset'])
    expect(await codeOf(await send({ 'upload-offset': '-5' }))).toEqual([400, 'invalid_input'])
    expect(await codeOf(await send({ 'content-type': 'image/jpeg' }))).toEqual([415, 'unsupported_body'])
    expect(await codeOf(await send({}, Buffer.alloc(901)))).toEqual([400, 'invalid_input'])
    expect(await app.call('GET', path)).toMatchObject({ status: 409, body: { code: 'upload_incomplete' } })
    expect(await offsetOf(app, path)).toBe(100)
  })

  it.each(['/api/uploads/..%2fjwt-secret', '/api/uploads/%00', '/api/uploads/x.json', '/api/uploads/none'])(
    'for %s finds nothing',
    async (path) => {
      for (const method of ['GET', 'PATCH', 'DELETE']) {
        const response = await app.call(method, path, { headers: version })
        expect([method, response.status, response.body.code]).toEqual([method, 404, 'upload_not_found'])
      }
    },
  )

  it('may not use another method than it names', async () => {
    const path = await newUpload(app, 1000)
    const headers = { ...version, 'x-http-method-override': 'PATCH', 'upload-offset': '0' }
    expect((await app.call('POST', path, { headers })).status).toBe(405)
    expect(await offsetOf(app, path)).toBe(0)
  })

  it('of another account finds nothing, and without an account has to log in', async () => {
    const { token } = await app.newUser()
    const { token: other } = await app.newUser()
    const path = await newUpload(app, 1000, { token })
    expect((await sendBytes(app, path, Buffer.alloc(10), { token: other })).status).toBe(404)
    expect((await sendBytes(app, path, Buffer.alloc(10))).status).toBe(401)
    expect(await offsetOf(app, path, { token })).toBe(0)
  })
})

describe('pages of other origins', () => {
  const origin = 'https://blog.example'

  it('may upload where the operator lists them, and read the headers of the protocol', async () => {
    const listed = await startTestApp({ CORS_ORIGINS: origin })
    try {
      const preflight = await listed.request('/api/uploads', {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'tus-resumable,upload-length',
        },
      })
      expect([preflight.status, Object.fromEntries(preflight.headers)]).toMatchObject([
        204,
        { 'access-control-allow-origin': origin, 'access-control-allow-headers': 'tus-resumable,upload-length' },
      ])
      const created = await startUpload(listed, 100, { headers: { origin } })
      expect(created.headers.get('access-control-allow-origin')).toBe(origin)
      const exposed = created.headers.get('access-control-expose-headers')?.toLowerCase().split(', ')
      expect(exposed).toEqual(
        expect.arrayContaining(['location', 'upload-offset', 'upload-length', 'upload-expires', 'tus-resumable']),
      )
      expect((await listed.request('/api/uploads', { method: 'OPTIONS' })).headers.get('tus-version')).toBe('1.0.0')
    } finally {
      await listed.stop()
    }
  })

  it('may not upload as a guest otherwise', async () => {
    expect(await startUpload(app, 100, { headers: { origin } })).toMatchObject({
      status: 403,
      body: { code: 'foreign_origin' },
    })
  })
})
