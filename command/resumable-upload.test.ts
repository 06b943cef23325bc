// The library against the real server, over lines that break.
import { randomBytes } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { startProxy, type TcpProxy } from '../server/testing/tcp-proxy.ts'
import { startTestApp, type TestApp } from '../server/testing/app.ts'
import { connect, RequestFailed } from '../client/index.ts'

let app: TestApp
let proxy: TcpProxy
let folder: string
let path: string
let size: number
beforeAll(async () => {
  app = await startTestApp()
  folder = await mkdtemp(join(tmpdir(), 'image-host-client-'))
  path = join(folder, 'noise.png')
  const [width, height] = [1200, 1000]
  const raw = { width, height, channels: 3 as const }
  const bytes = await sharp(randomBytes(width * height * 3), { raw })
    .png({ compressionLevel: 0 })
    .toBuffer()
  size = bytes.length
  await writeFile(path, bytes)
})
afterAll(async () => {
  await app.stop()
  await rm(folder, { recursive: true })
})
beforeEach(async () => {
  proxy = await startProxy(Number(new URL(app.url).port))
})
afterEach(() => proxy.stop())

const connectHere = () => connect({ url: `http://127.0.0.1:${proxy.port}` })
const stored = async () => (await app.deps.db.selectFrom('images').select('id').execute()).length
const file = () => openAsBlob(path)

it('a connection that breaks three times costs at most 5 % of the bytes, and stores one image', async () => {
  const before = await stored()
  proxy.behave({ resetAfterBytes: Math.round(size * 0.3) })
  const sent: number[] = []
  const image = await connectHere().uploadImage(await file(), {
    fileName: 'noise.png',
    onProgress: (bytes) => sent.push(bytes),
  })
  expect(image).toMatchObject({ original_name: 'noise.png', width: 1200, height: 1000 })
  expect(proxy.bytesSent() / size).toBeLessThan(1.05)
  expect(proxy.connections()).toBeGreaterThanOrEqual(4)
  expect(sent.at(-1)).toBe(size)
  expect(await stored()).toBe(before + 1)
})

it('another client continues what one has started', async () => {
  proxy.behave({ resetAfterBytes: Math.round(size * 0.6) })
  let uploadUrl: string | undefined
  const first = connect({ url: `http://127.0.0.1:${proxy.port}`, attempts: 1 })
  const given = { fileName: 'noise.png', idempotencyKey: crypto.randomUUID() }
  await expect(
    first.uploadImage(await file(), { ...given, onUploadUrl: (url) => (uploadUrl = url) }),
  ).rejects.toBeInstanceOf(RequestFailed)
  proxy.behave(undefined)
  const image = await connectHere().uploadImage(await file(), { ...given, uploadUrl })
  expect(image).toMatchObject({ width: 1200 })
  expect(proxy.bytesSent() / size).toBeLessThan(1.05)
  // The response to the last byte was lost: nothing is sent again.
  const sent = proxy.bytesSent()
  expect((await connectHere().uploadImage(await file(), { ...given, uploadUrl })).id).toBe(image.id)
  expect(proxy.bytesSent() - sent).toBeLessThan(10_000)
})

it('an upload that the server has lost starts again, and says so', async () => {
  const reasons: string[] = []
  const host = connect({ url: app.url, onRetry: ({ reason }) => reasons.push(reason.message) })
  const uploadUrl = `${app.url}/api/uploads/${'x'.repeat(22)}`
  expect(await host.uploadImage(await file(), { uploadUrl })).toMatchObject({ width: 1200 })
  expect(reasons).toEqual(['The server no longer has the beginning of this upload. It starts again'])
})

it('a refused image fails with the reason', async () => {
  const text = new Blob(['no image '.repeat(200_000)])
  await expect(connectHere().uploadImage(text, { fileName: 'a.png' })).rejects.toMatchObject({
    code: 'unsupported_type',
  })
})

it('a file that shrinks while it is sent fails, and the process lives on', async () => {
  const changing = join(folder, 'changing.png')
  await writeFile(changing, randomBytes(3_000_000))
  const blob = await openAsBlob(changing)
  await truncate(changing, 2_000_000)
  await expect(connectHere().uploadImage(blob)).rejects.toMatchObject({ name: 'NotReadableError' })
})

it('ends with the reason of its signal', async () => {
  const stopping = new AbortController()
  const reason = new Error('stopped')
  const host = connect({ url: app.url, signal: stopping.signal })
  const upload = host.uploadImage(await file(), { onProgress: () => stopping.abort(reason) })
  await expect(upload).rejects.toBe(reason)
})

it.each([404, 405])('a server that responds with %i to resumable uploads gets a form', async (status) => {
  const requests: string[] = []
  const older = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    request.resume().once('end', () => {
      const isForm = request.url === '/api/upload'
      response.writeHead(isForm ? 201 : status, { 'content-type': 'application/json' })
      response.end(isForm ? '{"id":"1"}' : '{"error":"No","code":"no"}')
    })
  })
  await new Promise<void>((resolve) => older.listen(0, '127.0.0.1', resolve))
  const host = connect({ url: `http://127.0.0.1:${(older.address() as AddressInfo).port}` })
  for (let n = 0; n < 2; n++) expect(await host.uploadImage(await file())).toEqual({ id: '1' })
  older.close().closeAllConnections()
  expect(requests).toEqual(['POST /api/uploads', 'POST /api/upload', 'POST /api/upload'])
})
