// Generators of files that exploit every limit of server/imaging/.
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { hostiles } from '../server/imaging/decoder/svg/testing/hostile.ts'
import {
  animation,
  handGif,
  handWebp,
  photo,
  png,
  webpAnim,
  webpBitstream,
  webpFrame,
} from '../server/imaging/testing/hand-made-images.ts'
import { type Band, blackPng, everyBit, greyJpeg } from './bomb-streams.ts'

export interface Bomb {
  name: string
  file: Buffer
  /** GIF and SVG are for accounts only. */
  needsAccount: boolean
  /** `heavy` is within every limit, or detected only while decoding. */
  fate: 'refused' | 'accepted' | 'heavy'
}

const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i))
const whole: Band = [1, 63, 0, 0]

const jpegs: Record<string, [Bomb['fate'], () => Buffer]> = {
  'JPEG, 50,000 scans over 49 MP': ['refused', () => scans(50_000, 7000)],
  'JPEG, 3,000 scans': ['refused', () => scans(3000, 6000)],
  'JPEG, 882 legal scans over 16 MP': ['refused', () => greyJpeg({ widthPx: 4000, heightPx: 4000, bands: everyBit })],
  'JPEG, 256 MP progressive': ['refused', () => greyJpeg({ widthPx: 16_000, heightPx: 16_000, bands: [whole] })],
  'JPEG, 49 MP progressive 4:4:4': [
    'refused',
    () => greyJpeg({ widthPx: 7000, heightPx: 7000, components: 3, bands: times(3, () => whole) }),
  ],
  'JPEG, 100 scans over 49 MP': [
    'heavy',
    () => greyJpeg({ widthPx: 7000, heightPx: 7000, bands: everyBit.slice(0, 99) }),
  ],
}

function scans(count: number, sidePx: number): Buffer {
  return greyJpeg({ widthPx: sidePx, heightPx: sidePx, bands: times(count, () => whole) })
}

function manyTexts(): Buffer[] {
  const text = png('zTXt', Buffer.concat([Buffer.from('a\0\0'), deflateSync(Buffer.alloc(7 * 2 ** 20))]))
  return times(40, () => text)
}

const pngs: Record<string, [Bomb['fate'], () => Buffer]> = {
  'PNG, 268 MP interlaced': ['refused', () => blackPng({ widthPx: 16_383, heightPx: 16_383, isInterlaced: true })],
  'PNG, 268 MP': ['refused', () => blackPng({ widthPx: 16_383, heightPx: 16_383 })],
  'PNG, 49 MP interlaced in 16 bits': [
    'refused',
    () => blackPng({ widthPx: 7000, heightPx: 7000, bitDepth: 16, isInterlaced: true }),
  ],
  'PNG, 40 zTXt of 7 MiB': ['accepted', () => blackPng({ widthPx: 64, heightPx: 64, before: manyTexts() })],
  'PNG, 49 MP interlaced': ['heavy', () => blackPng({ widthPx: 7000, heightPx: 7000, isInterlaced: true })],
  'PNG, 49 MP in 16 bits': ['heavy', () => blackPng({ widthPx: 7000, heightPx: 7000, bitDepth: 16 })],
}

async function animations(): Promise<Record<string, [Bomb['fate'], () => Buffer]>> {
  const bitstream = async (widthPx: number, heightPx: number) =>
    webpFrame(webpBitstream(await photo(widthPx, heightPx).webp().toBuffer()), widthPx, heightPx)
  const [small, narrow] = [await bitstream(16, 16), await bitstream(13, 169)]
  const rolled = (count: number, frame: Buffer, widthPx: number, heightPx: number) =>
    handWebp(2, widthPx, heightPx, [webpAnim, ...times(count, () => frame)])
  return {
    'GIF, 10,000 frames': ['refused', () => handGif(16, 16, 10_000)],
    'GIF, a screen of 65535 x 65535': ['refused', () => handGif(65_535, 65_535, 1)],
    'GIF, 500 frames of 447 x 447': ['heavy', () => handGif(447, 447, 500)],
    'WebP, 5,000 frames': ['refused', () => rolled(5000, small, 16, 16)],
    'WebP, 99 frames of 13 x 169': ['heavy', () => rolled(99, narrow, 13, 169)],
    'WebP, 500 frames on 447 x 447': ['heavy', () => rolled(500, small, 447, 447)],
  }
}

/** Passes every limit of the sanitizer; its cost is visible only when it is rendered. */
const greedyDrawings: Record<string, string> = {
  'SVG, 60 filters': filtered(times(60, (i) => `<feGaussianBlur stdDeviation="${(i % 9) + 1}"/>`)),
  'SVG, 60 floods': filtered(times(60, (i) => `<feFlood flood-color="#0a0" result="r${i}"/>`)),
  'SVG, 60 turbulences': filtered(times(60, () => '<feTurbulence baseFrequency=".7" numOctaves="4"/>')),
}

function filtered(primitives: string[]): string {
  const region = 'x="0" y="0" width="1" height="1"'
  return `<svg xmlns="http://www.w3.org/2000/svg" width="2000" height="2000"><filter id="f" ${region}>${primitives.join('')}</filter><rect width="2000" height="2000" filter="url(#f)"/></svg>`
}

/** Valid images that are truncated or have changed bytes: the expected result depends on the bytes. */
async function damaged(): Promise<Bomb[]> {
  const good = {
    JPEG: await photo(1200, 800).jpeg().toBuffer(),
    'progressive JPEG': await photo(1200, 800).jpeg({ progressive: true }).toBuffer(),
    PNG: await photo(1200, 800).png().toBuffer(),
    WebP: await photo(1200, 800).webp().toBuffer(),
    GIF: await animation('gif', 20, 200),
  }
  return Object.entries(good).flatMap(([name, file]) => {
    const needsAccount = name === 'GIF'
    const changed = Buffer.from(file)
    for (let at = 700; at < changed.length; at += 4001) changed.writeUInt8(changed.readUInt8(at) ^ 0x55, at)
    return [
      { name: `${name}, cut off`, file: file.subarray(0, file.length / 2), needsAccount, fate: 'refused' },
      { name: `${name}, bytes changed`, file: changed, needsAccount, fate: 'heavy' },
    ] satisfies Bomb[]
  })
}

/** The rasters of the table, created on demand: some seconds of work and 20 MB. */
export async function rasterBombs(): Promise<Bomb[]> {
  const made = Object.entries({ ...jpegs, ...pngs, ...(await animations()) })
  const bombs = made.map(([name, [fate, make]]): Bomb => ({
    name,
    file: make(),
    needsAccount: name.startsWith('GIF'),
    fate,
  }))
  return [...bombs, ...(await damaged())]
}

/** Every hostile SVG of the server's tests, and drawings that are expensive only to render. */
export function svgBombs(): Bomb[] {
  const known = hostiles.map(({ name, svg, fate }): Bomb => ({
    name: `SVG, ${name}`,
    file: Buffer.from(svg as string),
    needsAccount: true,
    fate: fate === 'cleaned' ? 'accepted' : 'refused',
  }))
  const greedy = Object.entries(greedyDrawings).map(([name, svg]): Bomb => ({
    name,
    file: Buffer.from(svg),
    needsAccount: true,
    fate: 'heavy',
  }))
  return [...known.filter(({ file }) => file.length > 0), ...greedy]
}

/** The upload of a well-behaved client: a photograph as cameras write it, scaled down. */
export const goodImage = (seed: number): Promise<Buffer> =>
  photo(1600 + seed, 1200)
    .jpeg({ quality: 80 })
    .toBuffer()

/** Whether libvips alone accepts the image: a broken generator would prove nothing. */
export const isImage = (file: Buffer): Promise<boolean> =>
  sharp(file, { limitInputPixels: false })
    .metadata()
    .then(
      () => true,
      () => false,
    )
