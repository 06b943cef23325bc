// Damaged compressed data: the decoder of the ingest refuses it or decodes it to the same pixels as the upload.

import { constants, deflateSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { decoded } from '../../testing/decoded.ts'
import { openFolder } from '../../testing/folder.ts'
import {
  animation,
  handJpeg,
  handPng,
  insertAt,
  jpegSegment,
  photo,
  png,
  secret,
} from '../../testing/hand-made-images.ts'
import { rewriteGif } from './gif.ts'
import { rewritePng } from './png.ts'

const folder = await openFolder()
afterAll(() => folder.close())
const refused = { name: 'ImageRefused', reason: 'broken' }
const eoi = Buffer.from([0xff, 0xd9])

describe('a JPEG', () => {
  /** Grey, 64 x 64 in blocks of seven bits each, with its scan data changed. */
  const damaged = (options: { restartEvery?: number }, damage: (data: Buffer) => Buffer) => {
    const file = handJpeg(options)
    const start = file.indexOf(Buffer.from([0xff, 0xda])) + 10
    return Buffer.concat([file.subarray(0, start), damage(file.subarray(start, -2)), eoi])
  }
  const renumbered = (data: Buffer, marker: number) => {
    const copy = Buffer.from(data)
    copy.writeUInt8(marker, copy.indexOf(0xff) + 1)
    return copy
  }
  const filled = (data: Buffer) =>
    Buffer.from(data.toString('latin1').replaceAll(/\xff(?=[\xd0-\xd7])/g, '\xff\xff\xff'), 'latin1')
  const cut = async (options: object) => {
    const file = await photo(200, 200).jpeg(options).toBuffer()
    return Buffer.concat([file.subarray(0, file.length / 2), eoi])
  }
  const overfull = Buffer.concat([Buffer.from([0, 3]), Buffer.alloc(15), Buffer.from([0, 1, 2])])
  const scanStart = handJpeg().indexOf(Buffer.from([0xff, 0xda]))

  it.each<[string, () => Buffer | Promise<Buffer>]>([
    ['too few blocks', () => cut({ quality: 95 })],
    ['too few blocks in a progressive one', () => cut({ progressive: true })],
    ['restart markers out of order', () => damaged({ restartEvery: 3 }, (data) => renumbered(data, 0xd3))],
    ['a Huffman table with too many codes', () => insertAt(handJpeg(), scanStart, jpegSegment(0xc4, overfull))],
    ['a table longer than its segment', () => insertAt(handJpeg(), 2, jpegSegment(0xdb, Buffer.alloc(64)))],
    ['a restart interval of three bytes', () => insertAt(handJpeg(), 2, jpegSegment(0xdd, Buffer.alloc(3)))],
  ])('with %s is refused', async (_, make) => {
    await expect(folder.ingest(await make())).rejects.toMatchObject(refused)
  })

  it.each<[string, { restartEvery?: number }, (data: Buffer) => Buffer]>([
    ['restart markers', { restartEvery: 3 }, (data) => data],
    ['fill bytes before restart markers', { restartEvery: 16 }, filled],
    ['a missing byte at the end of the last scan', {}, (data) => data.subarray(0, -1)],
  ])('with %s is stored with the same pixels', async (_, options, damage) => {
    const file = damaged(options, damage)
    const { original } = await folder.ingest(file)
    expect(await decoded(original)).toEqual(await decoded(file))
  })
})

describe('a PNG', () => {
  /** Grey, 64 x 64, with the given data chunks. */
  const pngOf = (...data: Buffer[]) => {
    const source = handPng({ widthPx: 64, heightPx: 64 })
    return Buffer.concat([source.subarray(0, 33), ...data.map((part) => png('IDAT', part)), png('IEND')])
  }
  const rows = Buffer.alloc(65 * 64, 0)
  const packed = deflateSync(rows)

  it.each([
    ['no zlib data', pngOf(Buffer.from('no zlib data'))],
    ['cut data', pngOf(packed.subarray(0, packed.length / 2))],
    ['too few rows', pngOf(deflateSync(rows.subarray(65)))],
  ])('with %s is refused', async (_, file) => {
    await expect(folder.ingest(file)).rejects.toMatchObject(refused)
  })

  it.each([
    ['bytes behind the end of the data', pngOf(Buffer.concat([packed, Buffer.alloc(50, 1)]))],
    ['a megabyte behind the last row', pngOf(deflateSync(Buffer.concat([rows, Buffer.alloc(2 ** 20)])))],
    ['no end of the data', pngOf(deflateSync(rows, { finishFlush: constants.Z_SYNC_FLUSH }))],
  ])('with %s is refused or stored with the same pixels', async (_, file) => {
    const stored = await folder.ingest(file).catch((refusal: unknown) => refusal)
    if (stored instanceof Error) expect(stored).toMatchObject(refused)
    else expect(await decoded((stored as { original: Buffer }).original)).toEqual(await decoded(pngOf(packed)))
  })

  it.each([
    ['colour', () => photo().png().toBuffer()],
    ['interlaced', () => photo(121, 83).png({ progressive: true }).toBuffer()],
    ['interlaced, smaller than a pass', () => photo(1, 3).png({ progressive: true }).toBuffer()],
    ['palette', () => photo(121, 83).png({ palette: true, colours: 4 }).toBuffer()],
    ['interlaced palette', () => photo(121, 83).png({ palette: true, colours: 4, progressive: true }).toBuffer()],
    ['grey in 16 bits', () => photo(33, 9).greyscale().toColourspace('grey16').png().toBuffer()],
    ['alpha', () => photo(120, 80, 4).png().toBuffer()],
  ])('preserves its image data to the byte: %s', async (_, make) => {
    const file = await make()
    const { original } = await folder.ingest(file)
    const idat = (of: Buffer) => of.subarray(of.indexOf('IDAT'))
    expect(idat(original).equals(idat(file))).toBe(true)
  })

  const colours = (count: number) => png('PLTE', Buffer.alloc(3 * count, secret))
  it.each([
    ['a suggested palette', 2, 8, [colours(256)], []],
    ['a palette of grey', 0, 8, [colours(256)], []],
    ['colours that no index names', 3, 1, [colours(256)], [colours(2)]],
    ['transparency of no colours', 3, 8, [colours(1), png('tRNS', secret)], [colours(1)]],
    ['transparency before the colours', 3, 8, [png('tRNS', 'S'), colours(1)], [colours(1)]],
    ['transparency of a wrong length', 0, 8, [png('tRNS', secret)], []],
    ['transparency beside alpha', 6, 8, [png('tRNS', 'SECRET')], []],
    ['a background of a wrong length', 0, 8, [png('bKGD', 'SECRET')], []],
  ])('is stored without %s', async (_, colourType, bitDepth, before, after) => {
    const make = (chunks: Buffer[]) =>
      handPng({
        widthPx: 1,
        heightPx: 1,
        colourType,
        bitDepth,
        before: chunks,
        rows: Buffer.alloc(colourType === 6 ? 5 : colourType === 2 ? 4 : 2),
      })
    const { original } = await folder.ingest(make(before))
    expect(original.equals(make(after))).toBe(true)
    expect(await decoded(original)).toEqual(await decoded(make(before)))
  })

  it.each([[colours(257)], [png('PLTE', 'four')], [png('PLTE')]])(
    'with an impossible palette is refused',
    (palette) => {
      const file = handPng({ widthPx: 1, heightPx: 1, colourType: 3, before: [palette] })
      expect(() => rewritePng(file)).toThrow('the palette of the PNG has an impossible length')
    },
  )
})

describe('a GIF', () => {
  it.each([
    ['a photograph', () => photo(500, 400).gif().toBuffer()],
    ['few colours', () => photo(500, 400).gif({ colours: 2 }).toBuffer()],
    ['transparent', () => photo(120, 80, 4).gif().toBuffer()],
    ['animated', () => animation('gif', 12, 90)],
    ['interlaced', () => photo(120, 80).gif({ progressive: true }).toBuffer()],
  ])('without metadata is stored byte for byte: %s', async (_, make) => {
    const file = await make()
    expect(rewriteGif(file).bytes.equals(file)).toBe(true)
  })
})
