// Bytes inside of compressed data that no decoder reads: they must not be in what is stored.

import { constants, deflateSync } from 'node:zlib'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { decoded } from '../../testing/decoded.ts'
import { openFolder } from '../../testing/folder.ts'
import { sanitizeSvg } from '../svg/sanitize.ts'
import {
  animation,
  gifFrame,
  handGif,
  handJpeg,
  handPng,
  insertAt,
  jpegSegment,
  photo,
  png,
  secret,
} from '../../testing/hand-made-images.ts'
import { rewriteGif } from './gif.ts'
import { joined, subBlocks, usedBytes } from './gif-data.ts'
import { rewriteJpeg } from './jpeg.ts'
import { rewritePng } from './png.ts'
import { hidesBytes, rowsAlone, rowsBytes } from './png-data.ts'

const folder = await openFolder()
afterAll(() => folder.close())
const token = Buffer.from(secret)
const hidesToken = (file: Buffer) => file.includes('SECRET')

/** A grey PNG of 64 x 64 whose data chunks hold just this. */
function pngOf(...data: Buffer[]): Buffer {
  const source = handPng({ widthPx: 64, heightPx: 64 })
  return Buffer.concat([source.subarray(0, 33), ...data.map((part) => png('IDAT', part)), png('IEND')])
}
const rows = Buffer.alloc(65 * 64, 0)
const packed = deflateSync(rows)

describe('a PNG', () => {
  it.each([
    ['behind the end of the data', pngOf(Buffer.concat([packed, token]))],
    ['in a chunk behind it', pngOf(packed, token)],
    ['in many chunks behind it', pngOf(packed, ...Array.from({ length: 50 }, () => token))],
    ['behind the last row', pngOf(deflateSync(Buffer.concat([rows, token]), { level: 0 }))],
    ['behind the last row, a megabyte', pngOf(deflateSync(Buffer.concat([rows, Buffer.alloc(2 ** 20, secret)])))],
  ])('that hides bytes %s is stored without them', async (_, file) => {
    const { original } = await folder.ingest(file)
    expect(hidesToken(original)).toBe(false)
    expect(original.length).toBeLessThan(200)
    expect(await decoded(original)).toEqual(await decoded(pngOf(packed)))
  })

  it.each([
    ['colour', () => photo().png().toBuffer()],
    ['interlaced', () => photo(121, 83).png({ progressive: true }).toBuffer()],
    ['interlaced, smaller than a pass', () => photo(1, 3).png({ progressive: true }).toBuffer()],
    ['palette', () => photo(121, 83).png({ palette: true, colours: 4 }).toBuffer()],
    ['interlaced palette', () => photo(121, 83).png({ palette: true, colours: 4, progressive: true }).toBuffer()],
    ['grey in 16 bits', () => photo(33, 9).greyscale().toColourspace('grey16').png().toBuffer()],
    ['alpha', () => photo(120, 80, 4).png().toBuffer()],
  ])('that hides nothing is stored to the byte: %s', async (_, make) => {
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
  ])('that hides bytes in %s is stored without them', async (_, colourType, bitDepth, before, after) => {
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

  it('is inflated no further than its rows go', async () => {
    const bomb = deflateSync(Buffer.alloc(200 * 2 ** 20))
    const start = process.memoryUsage().arrayBuffers
    expect(await hidesBytes(bomb, 100)).toBe(true)
    expect(process.memoryUsage().arrayBuffers - start).toBeLessThan(50 * 2 ** 20)
    expect((await rowsAlone(bomb, 100)).equals(deflateSync(Buffer.alloc(100)))).toBe(true)
  })

  it('that is too short is left to the decoder', async () => {
    expect(await hidesBytes(packed, rows.length + 1)).toBe(false)
  })

  /** All rows, in blocks that end on a byte; what would say that they end is not there. */
  const unfinished = deflateSync(rows, { finishFlush: constants.Z_SYNC_FLUSH })
  it.each([
    ['no zlib data', pngOf(Buffer.from('no zlib data'))],
    ['cut data', pngOf(packed.subarray(0, -6))],
    ['a bad block behind the last row', pngOf(unfinished, Buffer.concat([Buffer.from([0x06]), token]))],
    ['a bad block in the same chunk', pngOf(Buffer.concat([unfinished, Buffer.from([0x06]), token]))],
    ['no end', pngOf(unfinished)],
    ['a wrong checksum and text', pngOf(Buffer.concat([packed.subarray(0, -4), token]))],
  ])('with %s is refused', async (_, file) => {
    await expect(folder.ingest(file)).rejects.toMatchObject({ name: 'ImageRefused', reason: 'broken' })
  })

  it('has so many bytes of rows', () => {
    expect(rowsBytes(64, 64, 8, false)).toBe(65 * 64)
    expect(rowsBytes(5, 2, 1, false)).toBe(4)
    expect(rowsBytes(1, 1, 32, true)).toBe(5)
    expect(rowsBytes(8, 8, 8, true)).toBe(64 + 15) // a filter byte for each row of each pass
  })
})

describe('a PNG inside an SVG', () => {
  const svgOf = (file: Buffer) =>
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image width="9" height="9" href="data:image/png;base64,${file.toString('base64')}"/></svg>`,
    )
  const inside = (svg: Buffer) => Buffer.from(/base64,([^"]*)"/.exec(svg.toString())?.[1] ?? '', 'base64')

  it.each([
    ['behind the end of the data', pngOf(Buffer.concat([packed, token]))],
    ['in a chunk behind it', pngOf(packed, token)],
    ['behind the last row', pngOf(deflateSync(Buffer.concat([rows, token]), { level: 0 }))],
  ])('that hides bytes %s is stored without them', (_, file) => {
    const { svg } = sanitizeSvg(svgOf(file))
    expect(inside(svg).equals(pngOf(packed))).toBe(true)
    expect(sanitizeSvg(svg).svg.equals(svg)).toBe(true)
  })

  it.each([
    ['a bomb behind the last row', pngOf(deflateSync(Buffer.alloc(20 * 2 ** 20)))],
    ['no end', pngOf(packed.subarray(0, -6), token)],
    ['too few rows', pngOf(deflateSync(rows.subarray(65)))],
  ])('with %s is refused', (_, file) => {
    expect(() => sanitizeSvg(svgOf(file))).toThrow(
      'a picture inside the SVG: the compressed rows of the PNG are damaged',
    )
  })

  it('that hides nothing is stored to the byte', async () => {
    for (const progressive of [false, true]) {
      const file = await photo(61, 43, 4).png({ progressive }).toBuffer()
      const { svg } = sanitizeSvg(svgOf(file))
      expect(inside(svg).equals(rewritePng(file).bytes)).toBe(true)
    }
  })
})

describe('a JPEG inside an SVG', () => {
  const svgOf = (file: Buffer) =>
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image width="9" height="9" href="data:image/jpeg;base64,${file.toString('base64')}"/></svg>`,
    )

  it('loses what stands behind its last block', async () => {
    const plain = await photo(61, 43).jpeg().toBuffer()
    const hides = insertAt(plain, plain.length - 2, token)
    expect(sanitizeSvg(svgOf(hides)).svg.equals(sanitizeSvg(svgOf(plain)).svg)).toBe(true)
  })

  it.each([
    ['cut off', (plain: Buffer) => Buffer.concat([plain.subarray(0, -12), Buffer.from([0xff, 0xd0]), token])],
    ['out of order', (plain: Buffer) => Buffer.concat([renumbered(plain, 0xd3).subarray(0, -2), token])],
  ])('is refused when a scan of it is %s', (_, damage) => {
    const file = Buffer.concat([damage(handJpeg({ restartEvery: 8 })), Buffer.from([0xff, 0xd9])])
    expect(() => sanitizeSvg(svgOf(file))).toThrow(
      expect.objectContaining({
        name: 'ImageRefused',
        reason: 'broken',
        message: expect.stringMatching('inside the SVG'),
      }),
    )
  })
  const renumbered = (file: Buffer, first: number) => {
    file.writeUInt8(first, file.indexOf(Buffer.from([0xff, 0xd0])) + 1)
    return file
  }
})

describe('a JPEG', () => {
  const quantisation = (id: number) => jpegSegment(0xdb, Buffer.concat([Buffer.from([id]), Buffer.alloc(64, secret)]))
  const huffman = (id: number) =>
    jpegSegment(0xc4, Buffer.concat([Buffer.from([id]), Buffer.alloc(15), Buffer.from([secret.length]), token]))
  const behind = (file: Buffer, ...parts: Buffer[]) => insertAt(file, file.length - 2, ...parts)

  it.each([
    ['a table that no component names', (file: Buffer) => insertAt(file, 2, quantisation(3))],
    ['many of them', (file: Buffer) => insertAt(file, 2, ...Array.from({ length: 900 }, () => quantisation(3)))],
    ['a table that is replaced', (file: Buffer) => insertAt(file, 2, quantisation(0), huffman(0x10))],
    ['a table of codes that no scan names', (file: Buffer) => insertAt(file, 2, huffman(3), huffman(0x13))],
    ['tables behind the last scan', (file: Buffer) => behind(file, quantisation(0), huffman(0), huffman(0x10))],
  ])('that hides bytes in %s is stored without them', async (_, hide) => {
    for (const progressive of [false, true]) {
      const plain = await photo().jpeg({ progressive }).toBuffer()
      const { bytes } = rewriteJpeg(hide(plain))
      expect(bytes.equals(rewriteJpeg(plain).bytes)).toBe(true)
    }
  })

  it('whose components all have one name keeps the tables of each', async () => {
    const file = await photo().jpeg({ chromaSubsampling: '4:4:4' }).toBuffer()
    const plain = await decoded(file)
    const [frame, scan] = [file.indexOf(Buffer.from([0xff, 0xc0])), file.indexOf(Buffer.from([0xff, 0xda]))]
    for (const i of [0, 1, 2]) {
      file.writeUInt8(1, frame + 10 + 3 * i)
      file.writeUInt8(1, scan + 5 + 2 * i)
    }
    expect(await decoded(file)).toEqual(plain)
    expect(await decoded(rewriteJpeg(file).bytes)).toEqual(plain)
  })

  it('that hides bytes in a table of a shared segment keeps the others', async () => {
    const plain = await photo().jpeg().toBuffer()
    const shared = Buffer.from(plain)
    const at = shared.indexOf(Buffer.from([0xff, 0xdb]))
    shared.writeUInt16BE(shared.readUInt16BE(at + 2) + 65, at + 2)
    const source = insertAt(shared, at + 4, quantisation(3).subarray(4))
    expect(rewriteJpeg(source).bytes.equals(rewriteJpeg(plain).bytes)).toBe(true)
  })

  it.each([
    ['baseline', () => photo(121, 83).jpeg().toBuffer()],
    ['its own tables', () => photo(121, 83).jpeg({ optimiseCoding: true }).toBuffer()],
    ['progressive, with a table for each scan', () => photo(121, 83).jpeg({ mozjpeg: true }).toBuffer()],
    ['restart markers', () => handJpeg({ restartEvery: 3 })],
  ])('that hides nothing keeps its picture to the byte: %s', async (_, make) => {
    const file = await make()
    const picture = (of: Buffer) => of.subarray(of.indexOf(Buffer.from([0xff, 0xdb])))
    expect(picture(rewriteJpeg(file).bytes).equals(picture(file))).toBe(true)
  })

  it.each([
    ['a table longer than its segment', jpegSegment(0xdb, Buffer.alloc(64))],
    ['a restart interval of three bytes', jpegSegment(0xdd, Buffer.alloc(3))],
  ])('with %s is refused', (_, part) => {
    expect(() => rewriteJpeg(insertAt(handJpeg(), 2, part))).toThrow('of the JPEG')
  })
})

describe('a GIF', () => {
  /** The hand-made frame ends in 1 byte of data and a terminator. */
  const hiding = (bytes: Buffer) => {
    const frame = gifFrame()
    return Buffer.concat([frame.subarray(0, -1), Buffer.from([bytes.length]), bytes, Buffer.from([0])])
  }

  it('that hides bytes behind the end code is stored without them', async () => {
    const plain = handGif(1, 1, 2)
    const source = insertAt(plain, 19, hiding(token))
    const { bytes } = rewriteGif(source)
    expect(bytes.equals(insertAt(plain, 19, gifFrame()))).toBe(true)
    const photoWith = async (extra: Buffer) => {
      const file = await photo(300, 200).gif().toBuffer()
      return insertAt(file, file.length - 2, extra)
    }
    const clean = await photoWith(Buffer.alloc(0))
    const cut = rewriteGif(await photoWith(Buffer.concat([Buffer.from([token.length]), token]))).bytes
    expect(hidesToken(cut)).toBe(false)
    expect(await decoded(cut)).toEqual(await decoded(clean))
  })

  it.each([
    ['a photograph', () => photo(500, 400).gif().toBuffer()],
    ['few colours', () => photo(500, 400).gif({ colours: 2 }).toBuffer()],
    ['transparent', () => photo(120, 80, 4).gif().toBuffer()],
    ['animated', () => animation('gif', 12, 90)],
    ['interlaced', () => photo(120, 80).gif({ progressive: true }).toBuffer()],
  ])('that hides nothing is stored to the byte: %s', async (_, make) => {
    const file = await make()
    expect(rewriteGif(file).bytes.equals(file)).toBe(true)
  })

  it('whose codes nobody understands is left to the decoder', () => {
    const wild = Buffer.from([0xff, 0xff, 0xff, 0xff])
    expect(usedBytes(wild, 2, 100)).toBe(4)
    expect(usedBytes(wild, 12, 100)).toBe(4)
    expect(usedBytes(Buffer.alloc(0), 2, 100)).toBe(0)
  })

  it('is cut into sub-blocks and put together again', () => {
    const data = Buffer.alloc(600, 7)
    const blocks = subBlocks(data)
    expect(blocks.length).toBe(600 + 3 + 1)
    expect(joined(blocks, 0, blocks.length).equals(data)).toBe(true)
  })

  it('in sub-blocks of a byte makes no object for each of them: an upload can hold five million', () => {
    const blocks = Buffer.concat([Buffer.alloc(200_000, Buffer.from([1, 7])), Buffer.from([0])])
    const objects = vi.spyOn(Buffer.prototype, 'subarray')
    const data = joined(blocks, 0, blocks.length)
    expect(objects.mock.calls.length).toBeLessThan(10)
    objects.mockRestore()
    expect(data.equals(Buffer.alloc(100_000, 7))).toBe(true)
  })
})
