import { expect, it } from 'vitest'
import { type HotPicture, openHotPictures } from './hot-pictures.ts'
import { recordHeaders } from './recorded-headers.ts'

const picture = (id: string): HotPicture => ({
  row: { id, file_name: `${id}.jpg`, original_name: 'a.jpg', expires_at: 1 },
  size: 20_000,
  etag: '"x"',
  route: '/x',
  headers: { whole: [], unchanged: [], ownLength: 0 },
  readAgain: async () => null,
  onReused: () => {},
  toldAt: 0,
})

function watched() {
  let tell: (id?: string) => void = () => {}
  const pictures = openHotPictures({ onChange: (listener) => (tell = listener), look: () => {} })
  return { pictures, tell: (id?: string) => tell(id) }
}

it('keeps within its bounds: bytes leave before what else is known of a picture, and the oldest first', () => {
  const { pictures } = watched()
  for (let n = 0; n < 17_000; n++) {
    pictures.keep(`/${n}`, picture(`i${n}`), Buffer.allocUnsafeSlow(60 * 1024), pictures.moment())
  }
  const { pictures: kept, inMemory, bytes } = pictures.stats()
  expect([kept, inMemory]).toEqual([16_000, 546])
  expect(bytes).toBeLessThanOrEqual(32 * 1024 ** 2)
  expect(pictures.find('/0')).toBe(undefined)
  expect(pictures.find('/2000')?.row.id).toBe('i2000')
  expect(pictures.bytesOf('/2000')).toBe(undefined)
})

it('has room for a gallery of answers as they are, and for fewer where names are long', () => {
  const headersWith = (n: number, name: string) =>
    recordHeaders({
      'content-type': 'image/webp',
      etag: `"${'x'.repeat(27)}${n}"`,
      'content-length': 20_000 + n,
      'cache-control': 'public, max-age=31536000, immutable',
      'content-disposition': `inline; filename="${name}.webp"; filename*=UTF-8''${name}.webp`,
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
      'x-request-id': 'c0ffee00-0000-4000-8000-000000000000',
      'x-content-type-options': 'nosniff',
    })
  const kept = (name: string) => {
    const { pictures } = watched()
    for (let n = 0; n < 16_000; n++) {
      const headers = headersWith(n, name)
      pictures.keep(`/${n}`, { ...picture(`i${n}`), headers }, Buffer.alloc(0), pictures.moment())
    }
    return pictures.stats().pictures
  }
  expect(kept('a-name-of-usual-length-of-a-photo')).toBe(16_000)
  expect(kept('%C3%A4'.repeat(100))).toBeLessThan(10_000)
})

it('holds no bytes of a large picture, and none but those of a small piece', () => {
  const { pictures } = watched()
  pictures.keep('/large', picture('a'), Buffer.alloc(64 * 1024 + 1), 0)
  pictures.keep('/piece', picture('b'), Buffer.alloc(100_000).subarray(0, 10), 0)
  expect(pictures.bytesOf('/large')).toBe(undefined)
  expect(pictures.bytesOf('/piece')?.buffer.byteLength).toBe(10)
})

it('drops a picture under all its addresses when its row changes, and everything when nobody knows which', () => {
  const { pictures, tell } = watched()
  for (const key of ['/a1', '/a2', '/b', '/c']) pictures.keep(key, picture(key.slice(1, 2)), Buffer.alloc(1), 0)
  tell('a')
  expect(['/a1', '/a2', '/b'].map((key) => pictures.find(key)?.row.id)).toEqual([undefined, undefined, 'b'])
  expect(pictures.stats()).toMatchObject({ pictures: 2, inMemory: 2 })
  tell()
  expect(pictures.stats()).toMatchObject({ pictures: 0, inMemory: 0 })
})

it('keeps nothing that was read before a change', () => {
  const { pictures, tell } = watched()
  const moment = pictures.moment()
  tell('a')
  pictures.keep('/a', picture('a'), Buffer.alloc(1), moment)
  expect(pictures.find('/a')).toBe(undefined)
  const kept = picture('a')
  pictures.keep('/a', kept, Buffer.alloc(1), pictures.moment())
  tell('a')
  pictures.keepBytes('/a', kept, Buffer.alloc(1))
  expect(pictures.stats()).toMatchObject({ pictures: 0, inMemory: 0 })
})
