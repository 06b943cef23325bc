// The valid images to mutate: small ones of every format and kind, so that a core processes
// hundreds per second.
import type { ImageFormat } from '../contract/plain/formats.ts'
import { benignSvgs } from '../server/imaging/decoder/svg/testing/benign.ts'
import {
  afterIhdr,
  animation,
  gifExtension,
  gifFrame,
  handGif,
  handJpeg,
  handPng,
  handWebp,
  iccProfile,
  insertAt,
  jpegSegment,
  photo,
  png,
  tiffWithSecrets,
  webp,
  webpAnim,
  webpBitstream,
  webpFrame,
} from '../server/imaging/testing/hand-made-images.ts'

/** A new format does not compile without valid images here. */
export type Kind = ImageFormat

export interface BaseImage {
  name: string
  kind: Kind
  bytes: Buffer
}

/** Returns the same bytes in the same order in every run, since seeds depend on them. */
export async function createBaseImages(): Promise<BaseImage[]> {
  const groups = await Promise.all(kinds.map(async (kind) => [kind, await makers[kind]()] as const))
  return groups.flatMap(([kind, images]) =>
    Object.entries(images).map(([name, bytes]) => ({ name: `${kind}: ${name}`, kind, bytes })),
  )
}

type Images = Record<string, Buffer>

const makers: Record<Kind, () => Promise<Images>> = { jpeg: jpegs, png: pngs, webp: webps, gif: gifs, svg: svgs }
/** In the order of `makers`, not of the contract: recorded seeds depend on it. */
const kinds = Object.keys(makers) as Kind[]

async function jpegs(): Promise<Images> {
  const plain = await photo(64, 48).jpeg().toBuffer()
  const small = await photo(8, 8).jpeg().toBuffer()
  const exif = jpegSegment(0xe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiffWithSecrets(6)]))
  return {
    plain,
    small,
    large: await photo(200, 150).jpeg({ quality: 70 }).toBuffer(),
    progressive: await photo(96, 64).jpeg({ progressive: true }).toBuffer(),
    'full colour': await photo(48, 48).jpeg({ chromaSubsampling: '4:4:4', quality: 95 }).toBuffer(),
    optimised: await photo(80, 60).jpeg({ mozjpeg: true }).toBuffer(),
    grey: await photo(64, 48).greyscale().jpeg().toBuffer(),
    CMYK: await photo(40, 40).toColourspace('cmyk').jpeg().toBuffer(),
    'with a profile': await photo(32, 32).withIccProfile('p3').jpeg().toBuffer(),
    'with EXIF': insertAt(plain, 2, exif),
    'with a comment': insertAt(small, 2, jpegSegment(0xfe, 'made by hand')),
    'with bytes behind its end': Buffer.concat([plain, Buffer.from('a video follows'.repeat(9))]),
    'by hand': handJpeg(),
    'with restarts': handJpeg({ restartEvery: 4 }),
    'with odd sides': await photo(37, 53).jpeg().toBuffer(),
  }
}

async function pngs(): Promise<Images> {
  const plain = await photo(64, 48).png().toBuffer()
  const small = await photo(8, 8, 4).png().toBuffer()
  const rows = Buffer.alloc(9 * 17)
  return {
    plain,
    small,
    large: await photo(160, 120).png({ palette: true }).toBuffer(),
    transparent: await photo(48, 48, 4).png().toBuffer(),
    palette: await photo(64, 48).png({ palette: true, colours: 16 }).toBuffer(),
    grey: await photo(64, 48).greyscale().png().toBuffer(),
    '16 bits': await photo(24, 24).toColourspace('rgb16').png().toBuffer(),
    interlaced: await photo(40, 40).png({ progressive: true }).toBuffer(),
    'with a profile': await photo(32, 32).withIccProfile('p3').png().toBuffer(),
    'with texts': insertAt(
      plain,
      afterIhdr,
      png('tEXt', 'Comment\0by hand'),
      png('zTXt', 'a\0\0xx'),
      png('iTXt', 'b\0'),
    ),
    'with every small chunk': insertAt(
      small,
      afterIhdr,
      png('gAMA', Buffer.from([0, 0, 0xb1, 0x8f])),
      png('sRGB', Buffer.from([0])),
      png('pHYs', Buffer.from([0, 0, 0x0b, 0x13, 0, 0, 0x0b, 0x13, 1])),
      png('sBIT', Buffer.from([8, 8, 8, 8])),
    ),
    'of one bit': handPng({ widthPx: 16, heightPx: 16, bitDepth: 1, rows: rows.subarray(0, 3 * 16) }),
    'of eight bits, by hand': handPng({ widthPx: 8, heightPx: 16, rows: rows.subarray(0, 9 * 16) }),
    'with EXIF': insertAt(plain, afterIhdr, png('eXIf', tiffWithSecrets(8))),
  }
}

async function webps(): Promise<Images> {
  const lossy = await photo(64, 48).webp().toBuffer()
  const still = await photo(16, 16).webp().toBuffer()
  return {
    lossy,
    small: still,
    large: await photo(200, 150).webp({ quality: 60 }).toBuffer(),
    lossless: await photo(40, 40).webp({ lossless: true }).toBuffer(),
    transparent: await photo(48, 48, 4).webp().toBuffer(),
    'lossless and transparent': await photo(32, 32, 4).webp({ lossless: true }).toBuffer(),
    animated: await animation('webp', 4, 24),
    'with a profile': await photo(32, 32).withIccProfile('p3').webp().toBuffer(),
    'with EXIF and XMP': handWebp(0x0c, 64, 48, [
      webpBitstream(lossy),
      webp('EXIF', tiffWithSecrets(3)),
      webp('XMP ', '<x:xmpmeta/>'),
    ]),
    'animated, by hand': handWebp(0x02, 16, 16, [
      webpAnim,
      webpFrame(webpBitstream(still), 16, 16),
      webpFrame(webpBitstream(still), 16, 16),
    ]),
    'profile by hand': handWebp(0x20, 64, 48, [webp('ICCP', await iccProfile()), webpBitstream(lossy)]),
  }
}

async function gifs(): Promise<Images> {
  const loop = gifExtension(0xff, 'NETSCAPE2.0', Buffer.from([1, 0, 0]))
  return {
    plain: await photo(48, 32).gif().toBuffer(),
    large: await photo(120, 90).gif({ colours: 32 }).toBuffer(),
    animated: await animation('gif', 5, 24),
    transparent: await photo(32, 32, 4).gif().toBuffer(),
    'by hand': handGif(2, 2, 3, [loop]),
    'with comments': handGif(4, 4, 2, [gifExtension(0xfe, 'by hand', 'and again'), loop]),
    'with a text': handGif(4, 4, 1, [gifExtension(0x01, Buffer.alloc(12), 'text')]),
    'with frames beside each other': Buffer.concat([
      handGif(8, 8, 1).subarray(0, -1),
      gifFrame(2, 2),
      gifFrame(7, 7),
      Buffer.from([0x3b]),
    ]),
  }
}

async function svgs(): Promise<Images> {
  const drawings = Object.entries(await benignSvgs()).map(([name, svg]) => [name, Buffer.from(svg)] as const)
  return Object.fromEntries(drawings.filter(([, bytes]) => bytes.length < 8192))
}
