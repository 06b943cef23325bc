import { expect, it } from 'vitest'
import { createHotCache, type HotEntry } from './hot-cache.ts'

const entryOf = (id: string): HotEntry => ({
  row: {
    id,
    file_name: `${id}.jpg`,
    original_name: 'a.jpg',
    expires_at: 1,
    visibility: 'public',
    view_key_version: 0,
    named: null,
  },
  endsAt: 1,
  size: 20_000,
  etag: '"x"',
  route: '/x',
  path: '/x',
  headers: {},
  notModifiedHeaders: {},
  read: undefined,
  touch: undefined,
  touchedAt: 0,
})

function createTestCache() {
  let notify: (id?: string) => void = () => {}
  const cache = createHotCache({ onChange: (listener) => (notify = listener), detectExternalWrites: () => {} })
  return { cache, notify: (id?: string) => notify(id) }
}

it('stays within its limits: bytes are evicted before entries, the least recently used first', () => {
  const { cache } = createTestCache()
  for (let n = 0; n < 17_000; n++) {
    cache.add(`/${n}`, entryOf(`i${n}`), Buffer.allocUnsafeSlow(60 * 1024), cache.generation())
  }
  const { images: entries, inMemory, bytes } = cache.stats()
  expect([entries, inMemory]).toEqual([16_000, 546])
  expect(bytes).toBeLessThanOrEqual(32 * 1024 ** 2)
  expect(cache.get('/0')).toBe(undefined)
  expect(cache.get('/2000')?.row.id).toBe('i2000')
  expect(cache.bytesOf('/2000')).toBe(undefined)
})

it('holds the entries of a gallery, and fewer where names are long', () => {
  const headersWith = (n: number, name: string) => ({
    'content-type': 'image/webp',
    etag: `"${'x'.repeat(27)}${n}"`,
    'content-length': 20_000 + n,
    'cache-control': 'public, max-age=31536000, immutable',
    'content-disposition': `inline; filename="${name}.webp"; filename*=UTF-8''${name}.webp`,
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
    'x-request-id': 'c0ffee00-0000-4000-8000-000000000000',
    'x-content-type-options': 'nosniff',
  })
  const countFor = (name: string) => {
    const { cache } = createTestCache()
    for (let n = 0; n < 16_000; n++) {
      const headers = headersWith(n, name)
      cache.add(`/${n}`, { ...entryOf(`i${n}`), headers }, Buffer.alloc(0), cache.generation())
    }
    return cache.stats().images
  }
  expect(countFor('a-name-of-usual-length-of-a-photo')).toBe(16_000)
  expect(countFor('%C3%A4'.repeat(100))).toBeLessThan(10_000)
})

it('stores no bytes of a large image, and copies a view of a larger buffer', () => {
  const { cache } = createTestCache()
  cache.add('/large', entryOf('a'), Buffer.alloc(512 * 1024 + 1), 0)
  cache.add('/piece', entryOf('b'), Buffer.alloc(100_000).subarray(0, 10), 0)
  expect(cache.bytesOf('/large')).toBe(undefined)
  expect(cache.bytesOf('/piece')?.buffer.byteLength).toBe(10)
})

it('stores bytes that are read again at once while it has space, and few of them while it is full', () => {
  const { cache } = createTestCache()
  const entries = Array.from({ length: 1_000 }, (_, n) => entryOf(`i${n}`))
  entries.forEach((entry, n) => cache.add(`/${n}`, entry, Buffer.alloc(512 * 1024 + 1), 0))
  entries.forEach((entry, n) => cache.addBytes(`/${n}`, entry, Buffer.allocUnsafeSlow(64 * 1024)))
  expect(cache.bytesOf('/511')).toBeDefined()
  const stored = entries.filter((_, n) => n >= 512 && cache.bytesOf(`/${n}`) !== undefined)
  expect(stored).toHaveLength(61)
})

it('drops an image under all its URLs when its row changes, and everything when any row may have changed', () => {
  const { cache, notify } = createTestCache()
  for (const key of ['/a1', '/a2', '/b', '/c']) cache.add(key, entryOf(key.slice(1, 2)), Buffer.alloc(1), 0)
  notify('a')
  expect(['/a1', '/a2', '/b'].map((key) => cache.get(key)?.row.id)).toEqual([undefined, undefined, 'b'])
  expect(cache.stats()).toMatchObject({ images: 2, inMemory: 2 })
  notify()
  expect(cache.stats()).toMatchObject({ images: 0, inMemory: 0 })
})

it('adds nothing that was read before a change', () => {
  const { cache, notify } = createTestCache()
  const generation = cache.generation()
  notify('a')
  cache.add('/a', entryOf('a'), Buffer.alloc(1), generation)
  expect(cache.get('/a')).toBe(undefined)
  const entry = entryOf('a')
  cache.add('/a', entry, Buffer.alloc(1), cache.generation())
  notify('a')
  cache.addBytes('/a', entry, Buffer.alloc(1))
  expect(cache.stats()).toMatchObject({ images: 0, inMemory: 0 })
})
