// JPEGs whose scans are damaged, cut off or out of order: what hides in them is gone where they are taken, and no pixel with it.

import sharp from 'sharp'
import { afterAll, describe, expect, it } from 'vitest'
import { decoded } from '../../testing/decoded.ts'
import { openFolder } from '../../testing/folder.ts'
import { type HandJpeg, handJpeg, insertAt, jpegSegment, photo, secret } from '../../testing/hand-made-images.ts'
import { rewriteJpeg } from './jpeg.ts'

const folder = await openFolder()
afterAll(() => folder.close())

/** Grey, 64 x 64 in blocks that take seven bits each, and what is done to its data. */
const damaged = (options: { restartEvery?: number }, damage: (data: Buffer) => Buffer) => {
  const file = handJpeg(options)
  const start = file.indexOf(Buffer.from([0xff, 0xda])) + 10
  return Buffer.concat([file.subarray(0, start), damage(file.subarray(start, -2)), file.subarray(-2)])
}
const payload = Buffer.alloc(4000, secret)
const withPayload = (data: Buffer, ...before: number[]) => Buffer.concat([data, Buffer.from(before), payload])
/** Where the n-th restart marker stands, from 0; their bytes do not come in this data. */
const restartAt = (data: Buffer, n: number) => {
  let at = -1
  for (let i = 0; i <= n; i++) at = data.indexOf(0xff, at + 1)
  return at
}
const renumbered = (data: Buffer, n: number, marker: number) => {
  const copy = Buffer.from(data)
  copy.writeUInt8(marker, restartAt(data, n) + 1)
  return copy
}
const withoutCode = (data: Buffer, at: number) =>
  Buffer.concat([data.subarray(0, at), Buffer.from([0xfe, 0xfe]), data.subarray(at + 2)])
const filled = (data: Buffer) =>
  Buffer.from(data.toString('latin1').replaceAll(/\xff(?=[\xd0-\xd7])/g, '\xff\xff\xff'), 'latin1')

describe('a JPEG whose last rows nobody hears a complaint of', () => {
  it.each<[string, { restartEvery?: number }, (data: Buffer) => Buffer]>([
    ['fill bytes before restart markers', { restartEvery: 16 }, (data) => withPayload(filled(data))],
    ['a missing byte and a restart marker', {}, (data) => withPayload(data.subarray(0, -1), 0xff, 0xd0)],
    ['four missing bytes and a restart marker', {}, (data) => withPayload(data.subarray(0, -4), 0xff, 0xd0)],
    ['missing bytes and fill bytes', {}, (data) => withPayload(data.subarray(0, -4), 0xff, 0xff, 0xff, 0xd7)],
    ['a marker too far away', { restartEvery: 8 }, (data) => withPayload(renumbered(data, 6, 0xd3))],
    ['a marker that was there before', { restartEvery: 8 }, (data) => withPayload(renumbered(data, 6, 0xd5))],
    ['a marker that is to come', { restartEvery: 8 }, (data) => withPayload(renumbered(data, 6, 0xd7))],
    [
      'a marker that is missing',
      { restartEvery: 4 },
      (data) => {
        const at = restartAt(data, 14)
        return withPayload(Buffer.concat([data.subarray(0, at), data.subarray(at + 2)]))
      },
    ],
    [
      'an interval that is cut off',
      { restartEvery: 4 },
      (data) => {
        const at = restartAt(data, 14)
        return withPayload(Buffer.concat([data.subarray(0, at - 2), data.subarray(at)]))
      },
    ],
    ['a code that is none, and a restart marker', {}, (data) => withPayload(withoutCode(data, 20), 0xff, 0xd0)],
    ['the same, cut off', {}, (data) => withPayload(withoutCode(data, 50).subarray(0, -2), 0xff, 0xd0)],
  ])('is accepted, and hides nothing: %s', async (_, options, damage) => {
    const file = damaged(options, damage)
    const { original } = await folder.ingest(file)
    expect(original.includes('SECRET')).toBe(false)
    expect(await decoded(original)).toEqual(await decoded(file))
  })

  it('keeps what it has of them when it is just cut off', async () => {
    const file = damaged({}, (data) => data.subarray(0, -3))
    expect((await folder.ingest(file)).original.equals(rewriteJpeg(file).bytes)).toBe(true)
  })
})

describe('what the walk does not get to the end of', () => {
  const cut = async (options: object) => {
    const file = await photo(200, 200).jpeg(options).toBuffer()
    return insertAt(file.subarray(0, file.length / 2), Math.floor(file.length / 2), Buffer.from([0xff, 0xd9]))
  }
  const scanStart = handJpeg().indexOf(Buffer.from([0xff, 0xda]))
  const overfull = Buffer.concat([Buffer.from([0, 3]), Buffer.alloc(15), Buffer.from([0, 1, 2])])
  it.each([
    ['too few blocks', () => cut({ quality: 95 })],
    ['restart markers out of order', () => damaged({ restartEvery: 3 }, (data) => renumbered(data, 0, 0xd3))],
  ])('is left to the decoder, and refused where none looks: %s', async (_, make) => {
    const picture = rewriteJpeg(await make())
    expect(await picture.withoutHidden?.()).toBeUndefined()
    expect(() => picture.withoutHiddenNow?.()).toThrow('a scan of the JPEG')
  })
  it.each([
    ['too few blocks in a progressive one', () => cut({ progressive: true })],
    ['codes that do not fit', () => insertAt(handJpeg(), scanStart, jpegSegment(0xc4, overfull))],
  ])('is refused, as the decoder refuses it: %s', async (_, make) => {
    const file = await make()
    const picture = rewriteJpeg(file)
    await expect(picture.withoutHidden?.()).rejects.toThrow('a scan of the JPEG')
    expect(() => picture.withoutHiddenNow?.()).toThrow('a scan of the JPEG')
    await expect(sharp(picture.bytes, { failOn: 'warning' }).raw().toBuffer()).rejects.toThrow('VipsJpeg')
  })

  it.each<[string, HandJpeg, Buffer]>([
    ['no data', {}, Buffer.alloc(0)],
    ['no data, progressive', { marker: 0xc2, scans: 100 }, Buffer.alloc(0)],
    ['markers only', {}, Buffer.alloc(2 ** 20, Buffer.from([0xff, 0xd0]))],
    ['markers only, of intervals', { restartEvery: 1 }, Buffer.alloc(2 ** 20, Buffer.from([0xff, 0xd0]))],
    ['markers only, in order', { restartEvery: 1 }, inOrder(2 ** 15)],
    ['fill bytes only', {}, Buffer.alloc(2 ** 20, 0xff)],
  ])('is found soon, of 48 megapixels with %s', async (_, options, tail) => {
    const file = handJpeg({ ...options, tail, components: [0x11] })
    file.writeUInt32BE(0x1b00_1b00, file.indexOf(Buffer.from([0xff, options.marker ?? 0xc0])) + 5)
    const picture = rewriteJpeg(file)
    const started = performance.now()
    await Promise.allSettled([picture.withoutHidden?.()])
    expect(() => picture.withoutHiddenNow?.()).toThrow('a scan of the JPEG')
    expect(performance.now() - started).toBeLessThan(1000)
  })
})

function inOrder(count: number): Buffer {
  return Buffer.alloc(count * 16, Buffer.from([0, 1, 2, 3, 4, 5, 6, 7].flatMap((n) => [0xff, 0xd0 + n])))
}
