// Behaviour of the S3 store only; the test suite of the port is blob-store.test.ts.
import { EventEmitter, once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { finished } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type S3Server, startS3Server } from '../testing/s3-server.ts'
import { BlobDamaged, BlobMissing, type BlobStore, StoreUnavailable } from './blob-store.ts'
import { createCircuitBreaker } from '../concurrency/circuit-breaker.ts'
import { checkedBody } from './s3-body.ts'
import type { S3Options } from './s3-options.ts'
import { openS3Store } from './s3.ts'

const MiB = 1024 * 1024
let folder: string
let server: S3Server
let settings: S3Options
let store: BlobStore
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'image-host-s3-'))
  const credentials = { bucket: 'pictures', accessKeyId: 'AKIATEST', secretAccessKey: 'secret' }
  server = await startS3Server(credentials)
  settings = { ...credentials, endpoint: server.endpoint, region: 'us-east-1', tempDir: join(folder, 'tmp') }
  store = await openS3Store(settings)
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true })
})
afterEach(() => void server.requests.splice(0))

async function put(key: string, bytes: Buffer) {
  await writeFile(join(folder, key), bytes)
  await store.put(key, join(folder, key))
}
async function read(key: string): Promise<Buffer> {
  const found: Buffer | Readable = await store.read(key)
  return Buffer.isBuffer(found) ? found : buffer(found)
}

describe('opening', () => {
  const wrong: [what: string, other: Partial<S3Options>, text: string][] = [
    ['a bucket that is not there', { bucket: 'missing' }, 'S3_BUCKET: there is no bucket missing at http://127.0.0.1:'],
    ['an unknown key', { accessKeyId: 'unknown' }, 'S3_ACCESS_KEY_ID: the server does not know it'],
    ['a wrong secret', { secretAccessKey: 'wrong' }, 'S3_SECRET_ACCESS_KEY: it does not belong to S3_ACCESS_KEY_ID'],
    ['a wrong region', { region: 'eu-west-1' }, 'S3_REGION: the bucket pictures is not in eu-west-1'],
    ['an endpoint without a server', { endpoint: 'http://127.0.0.1:1' }, 'S3_ENDPOINT: http://127.0.0.1:1 cannot be'],
    [
      'an endpoint with an unknown host name',
      { endpoint: 'http://s3.invalid' },
      'S3_ENDPOINT: http://s3.invalid cannot be',
    ],
  ]
  it.each(wrong)('is refused for %s', async (_, other, text) => {
    const error: Error = await openS3Store({ ...settings, ...other }).then(
      () => expect.fail('opened'),
      (reason) => reason,
    )
    expect(error.message).toContain(text)
    expect(error.message).not.toContain(settings.secretAccessKey)
  })

  it.each([
    ['200', 200],
    ['404', 404],
  ])('is refused for a website that responds with %s', async (_, status) => {
    const website = createServer((_request, response) => {
      response.writeHead(status, { 'content-type': 'text/html' }).end('<html><body>Welcome</body></html>')
    })
    await new Promise<void>((resolve) => website.listen(0, '127.0.0.1', resolve))
    const endpoint = `http://127.0.0.1:${(website.address() as AddressInfo).port}`
    await expect(openS3Store({ ...settings, endpoint })).rejects.toThrow(`S3_ENDPOINT: ${endpoint} cannot be used`)
    website.close()
  })
})

describe('an object', () => {
  it('has the prefix in its key, and its hash in the metadata', async () => {
    await put('where', Buffer.from('hello'))
    expect(server.objects.get('originals/where')?.headers['x-amz-meta-sha256']).toMatch(/^2cf24dba5fb0a30e/)
  })

  it('can be empty', async () => {
    await put('empty', Buffer.alloc(0))
    expect(await read('empty')).toEqual(Buffer.alloc(0))
  })

  it('is refused when it is far larger than any upload', async () => {
    await expect(put('huge', Buffer.alloc(129 * MiB))).rejects.toThrow('at most 134217728')
  })

  it('is listed on every page; objects that are no blobs are not listed', async () => {
    const foreign = { bytes: Buffer.from('x'), headers: {}, modifiedAtMs: Date.now() }
    const names = Array.from({ length: 2500 }, (_, n) => `many-${n}`)
    for (const name of [...names, 'folder/file', 'name.txt', '']) server.objects.set(`originals/${name}`, foreign)
    server.objects.set('elsewhere/many-1', foreign)
    const keys: string[] = []
    for await (const { key } of store.list()) keys.push(key)
    expect(keys.filter((key) => key.startsWith('many-')).sort()).toEqual(names.sort())
    expect(keys.filter((key) => /[^\w-]|^$/.test(key))).toEqual([])
    for (const name of names) server.objects.delete(`originals/${name}`)
  })

  it('is never listed as older than it is, though S3 rounds its time down', async () => {
    const before = Date.now()
    await put('young', Buffer.from('x'))
    for await (const { key, modifiedAtMs } of store.list())
      if (key === 'young') expect(modifiedAtMs).toBeGreaterThanOrEqual(before)
  })
})

describe('the local file of an object', () => {
  async function withLocalFile<T>(key: string, use: (path: string) => Promise<T>): Promise<T> {
    await using file = await store.openLocalFile(key)
    return await use(file.path)
  }

  it('is deleted after its use, also when that failed', async () => {
    await put('local', Buffer.from('local'))
    const [path, text] = await withLocalFile('local', async (at) => [at, await readFile(at, 'utf8')])
    expect(text).toBe('local')
    await expect(stat(path ?? '')).rejects.toThrow('ENOENT')
    await expect(withLocalFile('local', () => Promise.reject(new Error('mine')))).rejects.toThrow('mine')
    expect(await readdir(settings.tempDir)).toEqual([])
  })

  it('is shared by all who use it at the same time, until the last one has ended', async () => {
    await put('shared', Buffer.from('shared'))
    server.requests.splice(0)
    const waiting = new EventEmitter().setMaxListeners(20)
    const reads = Array.from({ length: 20 }, (_, n) =>
      withLocalFile('shared', async (path) => {
        if (n > 0) await once(waiting, 'go')
        return readFile(path, 'utf8')
      }),
    )
    expect(await reads[0]).toBe('shared')
    expect(await readdir(settings.tempDir)).toHaveLength(1)
    waiting.emit('go')
    expect(await Promise.all(reads)).toEqual(Array(20).fill('shared'))
    expect(server.requests).toEqual(['GET /pictures/originals/shared'])
    expect(await readdir(settings.tempDir)).toEqual([])
  })

  it('is deleted when S3 closes the connection halfway', async () => {
    await put('half', Buffer.alloc(3 * MiB))
    server.failNext('reset-at-half')
    await expect(withLocalFile('half', async () => 'used')).rejects.toThrow('aborted')
    expect(await readdir(settings.tempDir)).toEqual([])
  })
})

describe('a temporary fault', () => {
  it('503 SlowDown is retried twice', async () => {
    server.failNext('slow-down', 2)
    await put('slow', Buffer.from('hello'))
    expect(server.requests).toEqual(Array.from({ length: 3 }, () => 'PUT /pictures/originals/slow'))
    expect((await read('slow')).toString()).toBe('hello')
  })

  it('a closed connection is retried twice, for every operation', async () => {
    server.failNext('refuse', 2)
    await put('closed', Buffer.from('hello'))
    server.failNext('refuse', 2)
    expect((await read('closed')).toString()).toBe('hello')
    server.failNext('refuse', 2)
    await store.delete('closed')
    server.failNext('refuse', 2)
    for await (const { key } of store.list()) expect(key).not.toBe('closed')
    expect(server.requests).toHaveLength(12)
  })

  it('a lost response is retried', async () => {
    server.failNext('lose-response')
    await put('lost', Buffer.from('hello'))
    server.failNext('lose-response')
    await store.delete('lost')
    await expect(read('lost')).rejects.toThrow(BlobMissing)
  })

  it('a late response is awaited', async () => {
    await put('late', Buffer.from('hello'))
    server.failNext({ delayMs: 500 })
    expect((await read('late')).toString()).toBe('hello')
  })
})

describe('a permanent fault', () => {
  it('does not delete the file of a failed put', async () => {
    server.failNext('refuse', 3)
    await expect(put('unsaved', Buffer.from('hello'))).rejects.toThrow('socket hang up')
    expect(await readFile(join(folder, 'unsaved'), 'utf8')).toBe('hello')
    await expect(read('unsaved')).rejects.toThrow(BlobMissing)
  })

  it('is not a BlobMissing', async () => {
    server.failNext('refuse', 3)
    await expect(store.read('missing')).rejects.not.toThrow(BlobMissing)
    const moved = await startS3Server({ bucket: 'other', accessKeyId: 'AKIATEST', secretAccessKey: 'secret' })
    const orphaned = await openS3Store({ ...settings, bucket: 'other', endpoint: moved.endpoint })
    await moved.stop()
    await expect(orphaned.read('missing')).rejects.not.toThrow(BlobMissing)
  })

  it.each([
    ['small', 500],
    ['large', 3 * MiB],
  ])('in the body of a %s object is an error: other bytes are never returned', async (key, bytes) => {
    const original = Buffer.alloc(bytes, 'picture')
    await put(key, original)
    server.failNext('reset-at-half')
    await expect(read(key)).rejects.toThrow('aborted')
    server.failNext('wrong-byte')
    await expect(read(key)).rejects.toThrow(`S3 returned other bytes of ${key} than were put`)
    expect((await read(key)).equals(original)).toBe(true)
  })

  it('is a timeout when S3 stops sending, before the response or within it', async () => {
    const impatient = await openS3Store({ ...settings, responseMs: 300 })
    await put('silent', Buffer.alloc(500))
    server.failNext('black-hole')
    await expect(impatient.read('silent')).rejects.toThrow('S3 did not respond within 300 ms')
    server.failNext('stall-at-half')
    await expect(impatient.read('silent')).rejects.toThrow('S3 was too slow')
    server.failNext({ bytesPerSecond: 1000 })
    await expect(impatient.read('silent')).rejects.toThrow('S3 was too slow')
  })
})

describe('the circuit breaker', () => {
  it('opens after five failures, then allows one request, and closes when it succeeds', async () => {
    let now = 0
    const away = await openS3Store({ ...settings, monotonicMs: () => now })
    await put('wanted', Buffer.from('hello'))
    server.requests.length = 0
    for (let n = 0; n < 5; n++) {
      server.failNext('refuse', 3)
      await expect(away.read('wanted')).rejects.toThrow(StoreUnavailable)
    }
    expect(server.requests).toHaveLength(15)
    await expect(away.read('wanted')).rejects.toMatchObject({ name: 'StoreUnavailable', retryAfterS: 2 })
    await expect(away.delete('wanted')).rejects.toThrow('no request is sent')
    expect(server.requests).toHaveLength(15)
    now += 2000
    server.failNext('refuse', 3)
    await expect(away.read('wanted')).rejects.toThrow('socket hang up')
    await expect(away.read('wanted')).rejects.toThrow('no request is sent')
    now += 2000
    for (let n = 0; n < 2; n++) expect(await away.read('wanted')).toEqual(Buffer.from('hello'))
  })

  it('counts bodies that end early, not those that are damaged, missing or refused', async () => {
    const away = await openS3Store({ ...settings, monotonicMs: () => 0 })
    await put('wanted', Buffer.from('hello'))
    for (let n = 0; n < 6; n++) {
      server.failNext('wrong-byte')
      await expect(away.read('wanted')).rejects.toThrow(BlobDamaged)
      await expect(away.read('not there')).rejects.toThrow(BlobMissing)
    }
    for (let n = 0; n < 6; n++) {
      server.failNext('deny')
      await expect(away.read('wanted')).rejects.toMatchObject({ name: 'AccessDenied' })
    }
    for (let n = 0; n < 5; n++) {
      server.failNext('reset-at-half')
      await expect(away.read('wanted')).rejects.toThrow('aborted')
    }
    await expect(away.read('wanted')).rejects.toThrow('no request is sent')
  })
})

describe('a response body', () => {
  const expected = {
    key: 'k',
    sha256: undefined,
    maxWaitMs: 100,
    attempt: createCircuitBreaker()(),
  }

  it('can be read slowly without a timeout', async () => {
    const chunks = Array.from({ length: 8 }, () => Buffer.alloc(64 * 1024))
    const body = checkedBody(Readable.from(chunks), { ...expected, bytes: 8 * 64 * 1024 })
    let bytes = 0
    for await (const chunk of body) {
      bytes += (chunk as Buffer).length
      await sleep(50)
    }
    expect(bytes).toBe(8 * 64 * 1024)
  })

  it('that ends early is an error before its last bytes are passed on', async () => {
    const body = checkedBody(Readable.from([Buffer.from('hel'), Buffer.from('lo')]), { ...expected, bytes: 9 })
    const seen: string[] = []
    body.on('data', (chunk) => seen.push(String(chunk)))
    await expect(finished(body)).rejects.toThrow('S3 ended k after 5 of 9 bytes')
    expect(seen).toEqual(['hel'])
  })

  it('releases its connection when it is destroyed unread', async () => {
    await put('unread', Buffer.alloc(3 * MiB))
    const body = (await store.read('unread')) as Readable
    body.destroy()
    await expect(finished(body)).rejects.toThrow('Premature close')
  })

  it('destroys its source, also while it waits for data', async () => {
    const source = new Readable({ read() {} })
    const body = checkedBody(source, { ...expected, bytes: 5 })
    body.resume()
    await new Promise((resolve) => setImmediate(resolve))
    body.destroy()
    expect(source.destroyed).toBe(true)
  })
})
