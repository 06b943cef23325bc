// The test suite of the port, run on every backend.
import { mkdtemp, rm, stat, writeFile, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestBucket } from '../testing/s3-conformance.ts'
import { BlobMissing, type BlobStore, type ByteRange } from './blob-store.ts'
import { openDiskStore } from './disk.ts'
import { openS3Store } from './s3.ts'

const testBucket = openTestBucket()
afterAll(async () => (await testBucket).stop())

const backends: [name: string, open: (folder: string) => Promise<BlobStore>][] = [
  ['disk', (folder) => openDiskStore(join(folder, 'store'))],
  ['S3', async (folder) => openS3Store({ ...(await testBucket), tempDir: join(folder, 'tmp') })],
]

describe.each(backends)('%s', (_, open) => {
  let folder: string
  let store: BlobStore
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'image-host-blobs-'))
    store = await open(folder)
  })
  afterAll(() => rm(folder, { recursive: true }))

  let count = 0
  async function put(bytes: Buffer): Promise<string> {
    const key = `key-${String(count++).padStart(17, '0')}_`
    const path = join(folder, key)
    await writeFile(path, bytes)
    await store.put(key, path)
    return key
  }
  const read = async (key: string, range?: ByteRange) => {
    const found: Buffer | Readable = await store.read(key, range)
    return Buffer.isBuffer(found) ? found : buffer(found)
  }

  it('returns the bytes that were put, and moves the file', async () => {
    const key = await put(Buffer.from('hello'))
    expect((await read(key)).toString()).toBe('hello')
    await expect(stat(join(folder, key))).rejects.toThrow('ENOENT')
  })

  it.each([
    [0, 0],
    [1, 3],
    [4, 4],
  ])('returns the range %i-%i', async (start, end) => {
    const key = await put(Buffer.from('hello'))
    expect((await read(key, { start, end })).toString()).toBe('hello'.slice(start, end + 1))
  })

  it('returns large blobs and ranges of them', async () => {
    const bytes = Buffer.alloc(3 * 1024 * 1024, (await readFile(process.execPath)).subarray(0, 100_003))
    const key = await put(bytes)
    expect((await read(key)).equals(bytes)).toBe(true)
    expect((await read(key, { start: 5, end: 2_000_000 })).equals(bytes.subarray(5, 2_000_001))).toBe(true)
  })

  it('provides a local path', async () => {
    const key = await put(Buffer.from('local'))
    await using file = await store.openLocalFile(key)
    expect(await readFile(file.path, 'utf8')).toBe('local')
  })

  it('throws BlobMissing for an unknown key', async () => {
    await expect(store.read('missing')).rejects.toThrow(BlobMissing)
    await expect(store.openLocalFile('missing')).rejects.toThrow(BlobMissing)
  })

  it('deletes a blob, and a missing one without an error', async () => {
    const key = await put(Buffer.from('gone'))
    await store.delete(key)
    await store.delete(key)
    await expect(store.read(key)).rejects.toThrow(BlobMissing)
  })

  it('lists every key with its modification time', async () => {
    const before = Date.now()
    const keys = await Promise.all(Array.from({ length: 30 }, (_, n) => put(Buffer.from(`${n}`))))
    const listed = new Map<string, number>()
    for await (const { key, modifiedAtMs } of store.list()) listed.set(key, modifiedAtMs)
    for (const key of keys) expect(listed.get(key)).toBeGreaterThan(before - 5000)
  })

  it('replaces a blob atomically', async () => {
    const key = await put(Buffer.from('old'))
    const path = join(folder, 'new')
    await writeFile(path, 'new')
    await store.put(key, path)
    expect((await read(key)).toString()).toBe('new')
  })
})
