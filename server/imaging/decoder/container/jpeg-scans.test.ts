// Bytes behind the last block of a JPEG's interval or scan: gone from what is stored, and no pixel with them.

import sharp from 'sharp'
import { afterAll, describe, expect, it } from 'vitest'
import { codedJpeg } from '../../testing/coded-jpeg.ts'
import { decoded } from '../../testing/decoded.ts'
import { openFolder } from '../../testing/folder.ts'
import { handJpeg, insertAt, photo, secret } from '../../testing/hand-made-images.ts'
import { ScanBits } from './jpeg-bits.ts'
import { rewriteJpeg } from './jpeg.ts'
import { segmentsOf } from './jpeg-segments.ts'

const folder = await openFolder()
afterAll(() => folder.close())

const plainOf = (file: Buffer) => {
  const picture = rewriteJpeg(file)
  return picture.withoutHiddenNow?.()?.bytes ?? picture.bytes
}

/** Bytes between the data of every scan and the marker behind it. */
function hiding(file: Buffer, hidden: Buffer): Buffer {
  const ends = [...segmentsOf(file)].filter(({ marker }) => marker === 0xda).map(({ end }) => end)
  return ends.toReversed().reduce((hides, end) => insertAt(hides, end, hidden), file)
}

const hidden: [string, Buffer][] = [
  ['a byte', Buffer.from([0x55])],
  ['seven bytes, which a decoder reads ahead', Buffer.from('SECRET!')],
  ['a kilobyte', Buffer.alloc(1024, secret)],
  ['a megabyte', Buffer.alloc(2 ** 20, secret)],
  ['stuffed bytes', Buffer.alloc(2000, Buffer.from([0xff, 0]))],
  ['stuffed bytes and text', Buffer.concat([Buffer.from([0xff, 0]), Buffer.from(secret), Buffer.from([0xff, 0])])],
  ['restart markers', Buffer.from([0xff, 0xd0, 0xff, 0xd1, 0xff, 0xd0, 0xff, 0xd7])],
  ['restart markers and text', Buffer.concat([Buffer.from([0xff, 0xd0]), Buffer.from(secret)])],
]

const pictures: Record<string, () => Promise<Buffer>> = {
  '4:2:0': () => photo(121, 83).jpeg().toBuffer(),
  '4:4:4': () => photo(121, 83).jpeg({ chromaSubsampling: '4:4:4', quality: 100 }).toBuffer(),
  'tables of the standard': () => photo(121, 83).jpeg({ optimiseCoding: false }).toBuffer(),
  trellis: () => photo(121, 83).jpeg({ trellisQuantisation: true, quantisationTable: 3 }).toBuffer(),
  grey: () => photo(121, 83).greyscale().jpeg().toBuffer(),
  CMYK: () => photo(121, 83).toColourspace('cmyk').jpeg().toBuffer(),
  'one pixel': () => photo(1, 1).jpeg().toBuffer(),
  progressive: () => photo(121, 83).jpeg({ progressive: true, quality: 95 }).toBuffer(),
  'progressive 4:4:4': () => photo(121, 83).jpeg({ progressive: true, chromaSubsampling: '4:4:4' }).toBuffer(),
  'progressive grey': () => photo(121, 83).greyscale().jpeg({ progressive: true, quality: 100 }).toBuffer(),
  'optimised scans': () => photo(121, 83).jpeg({ mozjpeg: true }).toBuffer(),
}

describe.each(Object.entries(pictures))('a JPEG, %s,', (_, make) => {
  it('that hides nothing stays as it is', async () => {
    expect(rewriteJpeg(await make()).withoutHiddenNow?.()).toBeUndefined()
  })

  it.each(hidden)('that hides %s behind each scan is written without', async (_what, bytes) => {
    const file = await make()
    expect(plainOf(hiding(file, bytes)).equals(rewriteJpeg(file).bytes)).toBe(true)
  })
})

const samplings: Record<string, number[]> = {
  grey: [0x11],
  'grey in blocks of four': [0x22],
  '4:4:4': [0x11, 0x11, 0x11],
  '4:2:2': [0x21, 0x11, 0x11],
  '4:4:0': [0x12, 0x11, 0x11],
  '4:2:0': [0x22, 0x11, 0x11],
  '4:1:1': [0x41, 0x11, 0x11],
  '4:1:0': [0x42, 0x11, 0x11],
  'colour finer than light': [0x11, 0x22, 0x22],
  'four components': [0x22, 0x11, 0x11, 0x22],
}

describe.each(Object.entries(samplings))('a JPEG sampled %s', (_, factors) => {
  it.each([
    ['in one piece', {}],
    ['with restart markers', { restartEvery: 3 }],
    ['with a restart marker at each MCU', { restartEvery: 1 }],
    ['with a scan for each component', { isSeparate: true }],
    ['with such scans and restart markers', { isSeparate: true, restartEvery: 5 }],
    ['without tables', { hasTables: false }],
  ])('%s hides nothing any more', async (_how, how) => {
    for (const [widthPx, heightPx] of [
      [8, 8],
      [61, 43],
      [97, 130],
    ] as const) {
      const picture = { widthPx, heightPx, factors, ...how }
      const plain = rewriteJpeg(codedJpeg(picture))
      expect(plain.withoutHiddenNow?.()).toBeUndefined()
      for (const bytes of [Buffer.from('S'), Buffer.from('SECRET'), Buffer.alloc(50, secret)]) {
        expect(plainOf(codedJpeg({ ...picture, hidden: bytes })).equals(plain.bytes)).toBe(true)
      }
      await sharp(plain.bytes, { failOn: 'warning' }).raw().toBuffer()
    }
  })
})

describe('a JPEG that hides bytes is stored without them', () => {
  it.each(hidden)('%s', async (_, bytes) => {
    for (const chromaSubsampling of ['4:2:0', '4:4:4']) {
      const plain = await photo(300, 200).jpeg({ chromaSubsampling }).toBuffer()
      const { original, answer } = await folder.ingest(hiding(plain, bytes))
      expect(original.equals((await folder.ingest(plain)).original)).toBe(true)
      expect(answer.bytes).toBe(original.length)
      expect(await decoded(original)).toEqual(await decoded(hiding(plain, bytes)))
    }
  })

  it('or refused, where the decoder complains: before a restart marker', async () => {
    const picture = { widthPx: 61, heightPx: 43, factors: [0x22, 0x11, 0x11], restartEvery: 2 }
    expect((await folder.ingest(codedJpeg(picture))).original.equals(rewriteJpeg(codedJpeg(picture)).bytes)).toBe(true)
    const file = codedJpeg({ ...picture, hidden: Buffer.from('SECRET') })
    await expect(folder.ingest(file)).rejects.toMatchObject({ name: 'ImageRefused', reason: 'broken' })
  })

  it('restart markers and a few bytes behind each scan of a progressive one', async () => {
    const plain = await photo(300, 200).jpeg({ progressive: true }).toBuffer()
    const file = hiding(plain, Buffer.from('S\xff\xd3\xff\xd5\xff\xd1', 'latin1'))
    const { original } = await folder.ingest(file)
    expect(original.equals(rewriteJpeg(plain).bytes)).toBe(true)
  })

  it('but as long as it was where a code is damaged: libjpeg would look at it more strictly', async () => {
    const file = handJpeg({ tail: Buffer.alloc(4000, secret) })
    const data = file.indexOf(Buffer.from([0xff, 0xda])) + 10
    file.writeUInt16BE(0xfefe, data + 20)
    const { original } = await folder.ingest(file)
    expect(original.length).toBe(file.length)
    expect(original.subarray(data + 1000, -2).every((byte) => byte === 0)).toBe(true)
    expect(await decoded(original)).toEqual(await decoded(file))
  })

  it('scans behind the one that has it all, and their tables', async () => {
    const plain = await photo().jpeg().toBuffer()
    const more = [...segmentsOf(await photo(99, 99).jpeg({ quality: 10 }).toBuffer())]
      .filter(({ marker }) => marker === 0xc4 || marker === 0xda)
      .map(({ whole }) => whole)
    const file = insertAt(plain, plain.length - 2, ...more)
    const { original } = await folder.ingest(file)
    expect(original.equals(rewriteJpeg(plain).bytes)).toBe(true)
    expect(await decoded(original)).toEqual(await decoded(file))
  })
})

describe('the walk', () => {
  it('gives up its turn every few thousand blocks, however short the intervals are', async () => {
    const picture = rewriteJpeg(handJpeg({ widthPx: 1024, heightPx: 1024, restartEvery: 1 }))
    let turns = 0
    let isOver = false
    const count = () => {
      turns++
      if (!isOver) setImmediate(count)
    }
    count()
    expect(await picture.withoutHidden?.()).toBeUndefined()
    isOver = true
    expect(turns).toBeGreaterThan(2)
    expect(turns).toBeLessThan(10)
  })

  it('ends when nobody needs it any more', async () => {
    const picture = rewriteJpeg(handJpeg({ widthPx: 2048, heightPx: 2048 }))
    const refused = new AbortController()
    const walk = picture.withoutHidden?.(refused.signal)
    refused.abort()
    await expect(walk).rejects.toBe(refused.signal.reason)
  })

  it('takes stuffed bytes by the dozen megabytes', () => {
    const source = Buffer.alloc(2e7, Buffer.from([0xff, 0]))
    source.writeUInt8(0xd9, source.length - 1)
    const started = performance.now()
    new ScanBits(source, source.length).from(0)
    expect(performance.now() - started).toBeLessThan(1000)
  })
})
