// When resumable uploads end, what remains of them, and what they take from others meanwhile.
import { readFile, rm, stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { limits } from '../../../../contract/plain/limits.ts'
import { Failure } from '../../../domain/shared/failure.ts'
import { ImagingInterrupted } from '../../../imaging/pool/imaging.ts'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { newUpload, offsetOf, sendBytes, startUpload, version } from '../../../testing/resumable.ts'
import { jpeg } from '../../../testing/test-images.ts'

let app: TestApp
let image: Buffer
beforeAll(async () => {
  image = await jpeg(300, 200)
})
beforeEach(async () => {
  app = await startTestApp({
    TRUST_PROXY: '1',
    GUEST_UPLOADS_PER_HOUR: '2',
    GUEST_QUOTA_BYTES: '1000000',
  })
})
afterEach(() => app.stop())

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
const idOf = (path: string) => path.split('/').at(-1) ?? ''
const { idleMs } = limits.resumable

/** Sends the bytes with the request that starts the upload. */
const startWith = (bytes: Buffer, length: number, headers: Record<string, string> = {}) =>
  app.request('/api/uploads', {
    method: 'POST',
    body: new Uint8Array(bytes),
    headers: {
      ...version,
      'upload-length': String(length),
      'content-type': 'application/offset+octet-stream',
      ...headers,
    },
  })

describe('where space is short', () => {
  it('abandoned uploads of an account end before its next one is refused', async () => {
    const { token, id } = await app.newUser()
    await app.deps.db.updateTable('users').set({ quota_bytes: 10_000 }).where('id', '=', id).execute()
    const path = await newUpload(app, 6000, { token })
    expect((await startUpload(app, 6000, { token })).body.code).toBe('quota_exceeded')
    app.moveClock(idleMs)
    expect((await startUpload(app, 6000, { token })).status).toBe(201)
    expect((await app.call('GET', path, { token })).status).toBe(404)
  })

  it('abandoned uploads of guests end, the oldest first and no more than necessary', async () => {
    const old = await newUpload(app, 495_000, from('198.51.100.1'))
    app.moveClock(1000)
    const newer = await newUpload(app, 495_000, from('198.51.100.2'))
    app.moveClock(idleMs)
    const upload = await app.upload(image, from('198.51.100.3'))
    expect(upload.status).toBe(201)
    expect((await startUpload(app, 400_000, from('198.51.100.3'))).status).toBe(201)
    expect((await app.call('GET', old)).status).toBe(404)
    expect((await app.call('GET', newer)).status).toBe(409)
  })

  it('uploads that are under way do not end', async () => {
    const path = await newUpload(app, 600_000)
    app.moveClock(idleMs - 1000)
    await sendBytes(app, path, Buffer.alloc(10))
    app.moveClock(idleMs - 1000)
    expect((await startUpload(app, 600_000)).body.code).toBe('guest_quota_full')
    expect(await offsetOf(app, path)).toBe(10)
  })
})

describe('a failed or repeated start', () => {
  it('leaves nothing, and does not count', async () => {
    for (let n = 0; n < 3; n++) expect((await startWith(image, 100)).status).toBe(400)
    expect(await app.files('resumable')).toEqual([])
    expect(app.deps.uploadsInFlight.total()).toEqual({ images: 0, bytes: 0 })
    expect((await startUpload(app, 100)).status).toBe(201)
  })

  it('whose connection is lost leaves nothing unless its client has a key to ask for it', async () => {
    const inFlight = () => app.deps.uploadsInFlight.total().images
    for (const [key, left] of [
      ['', 0],
      ['Idempotency-Key: 2f0c9a52-7d0e-4d55-93a3-5f1f7a1f0e11\r\n', 1],
    ] as const) {
      const { hostname, port } = new URL(app.url)
      const socket = connect(Number(port), hostname)
      socket.write(
        `POST /api/uploads HTTP/1.1\r\nHost: x\r\nTus-Resumable: 1.0.0\r\nUpload-Length: 5000\r\n${key}` +
          'Content-Type: application/offset+octet-stream\r\nContent-Length: 5000\r\n\r\nbytes',
      )
      await expect.poll(inFlight).toBe(1)
      socket.destroy()
      await expect.poll(inFlight).toBe(left)
    }
    await expect.poll(async () => (await app.files('resumable')).length).toBe(2)
  })

  it('with the same Idempotency-Key gets the upload that it has started', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const path = await newUpload(app, image.length, { headers, metadata: { filename: 'a.jpg' } })
    await sendBytes(app, path, image.subarray(0, 1000))
    for (let n = 0; n < 3; n++) {
      const again = await startUpload(app, image.length, { headers, metadata: { filename: 'a.jpg' } })
      expect([again.status, again.headers.get('location'), again.headers.get('upload-offset')]).toEqual([
        201,
        path,
        '1000',
      ])
    }
    expect(app.deps.uploadsInFlight.total()).toEqual({ images: 1, bytes: image.length })
    expect((await startUpload(app, image.length, { headers, metadata: { filename: 'b.jpg' } })).status).toBe(201)
  })

  it('whose first request has not created the file yet is told to come back', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const path = await newUpload(app, image.length, { headers })
    await rm(join(app.deps.uploadRecords.folder, idOf(path)))
    const again = await startUpload(app, image.length, { headers })
    expect([again.status, again.headers.get('retry-after')]).toEqual([503, '1'])
  })

  it('whose image was not taken names the upload, which has its bytes', async () => {
    const { ingest } = app.deps.imaging
    app.deps.imaging.ingest = () => Promise.reject(new Failure('busy', {}, { retryAfterS: 2 }))
    const refused = await startWith(image, image.length)
    const path = refused.headers.get('location') ?? ''
    expect([refused.status, path]).toEqual([503, expect.stringMatching(/^\/api\/uploads\//)])
    app.deps.imaging.ingest = ingest
    app.moveClock(2000)
    expect((await app.call('GET', path)).status).toBe(200)
  })
})

describe('a complete upload', () => {
  it('is not tried again before the time that the server named', async () => {
    const { ingest } = app.deps.imaging
    let calls = 0
    app.deps.imaging.ingest = () => {
      calls++
      return Promise.reject(new Failure('busy', {}, { retryAfterS: 5 }))
    }
    const path = await newUpload(app, image.length)
    expect((await sendBytes(app, path, image)).status).toBe(503)
    app.moveClock(2000)
    const early = await app.call('GET', path)
    expect([early.status, early.headers.get('retry-after'), calls]).toEqual([503, '3', 1])
    app.deps.imaging.ingest = ingest
    app.moveClock(3000)
    expect((await app.call('GET', path)).status).toBe(200)
  })

  it('counts again for each time that a decoder works on it', async () => {
    let calls = 0
    app.deps.imaging.ingest = () => {
      calls++
      return Promise.reject(new Failure('busy', {}, { cause: new ImagingInterrupted(), retryAfterS: 1 }))
    }
    const path = await newUpload(app, image.length)
    const statuses = [(await sendBytes(app, path, image)).status]
    for (let n = 0; n < 3; n++) {
      app.moveClock(1000)
      statuses.push((await app.call('GET', path)).status)
    }
    expect([statuses, calls]).toEqual([[503, 503, 429, 429], 2])
  })

  it('keeps its bytes when it is refused for a reason that passes', async () => {
    const { token, id } = await app.newUser()
    const path = await newUpload(app, image.length, { token })
    const setQuota = (bytes: number) =>
      app.deps.db.updateTable('users').set({ quota_bytes: bytes }).where('id', '=', id).execute()
    await setQuota(10)
    const refused = await sendBytes(app, path, image, { token })
    expect([refused.status, await refused.json()]).toMatchObject([413, { code: 'quota_exceeded' }])
    await setQuota(1_000_000)
    app.moveClock(1000)
    expect((await app.call('GET', path, { token })).status).toBe(200)
  })

  it('keeps no name of its file, and of an account no address', async () => {
    const { token } = await app.newUser()
    const metadata = { filename: 'diagnosis.jpg' }
    const path = await newUpload(app, image.length, { token, metadata, ...from('198.51.100.9') })
    expect((await sendBytes(app, path, image, { token })).status).toBe(200)
    const record = await readFile(join(app.dataDir, 'resumable', `${idOf(path)}.json`), 'utf8')
    expect(record).not.toMatch(/diagnosis|198\.51/)
    expect((await app.call('GET', path, { token })).status).toBe(200)
  })
})

it('a deleted account leaves no upload', async () => {
  const { token } = await app.newUser()
  await newUpload(app, 1000, { token })
  expect((await app.call('DELETE', '/api/me', { token, body: { immediately: true } })).status).toBe(200)
  expect(await app.files('resumable')).toEqual([])
  expect(app.deps.uploadsInFlight.total()).toEqual({ images: 0, bytes: 0 })
})

it('an upload whose bytes are gone is not found', async () => {
  const path = await newUpload(app, 1000)
  await rm(join(app.dataDir, 'resumable', idOf(path)))
  expect(await app.call('GET', path)).toMatchObject({ status: 404, body: { code: 'upload_not_found' } })
})

it('an account that is suspended while its bytes arrive stores no image', async () => {
  const { token, id } = await app.newUser()
  const path = await newUpload(app, image.length, { token })
  const { hostname, port } = new URL(app.url)
  const socket = connect(Number(port), hostname)
  let response = ''
  socket.on('data', (chunk) => (response += String(chunk)))
  socket.write(
    `PATCH ${path} HTTP/1.1\r\nHost: x\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: 0\r\nAuthorization: Bearer ${token}\r\n` +
      `Content-Type: application/offset+octet-stream\r\nContent-Length: ${image.length}\r\n\r\n`,
  )
  socket.write(image.subarray(0, 1000))
  // HEAD would have the server end the request.
  await expect.poll(async () => (await stat(join(app.dataDir, 'resumable', idOf(path)))).size).toBe(1000)
  app.moveClock(61_000)
  await app.deps.db.updateTable('users').set({ status: 'Inactive' }).where('id', '=', id).execute()
  socket.write(image.subarray(1000))
  await expect.poll(() => response).toMatch(/^HTTP\/1\.1 40[13] /)
  socket.destroy()
  expect(await app.deps.db.selectFrom('images').select('id').execute()).toEqual([])
})
