// Generated test images, each named for its special property.
import sharp, { type Sharp } from 'sharp'

/** Noise from which each photograph takes pieces: to compute it anew takes ten times as long as to encode it. */
let noise: Buffer | undefined

const makeNoise = (bytes: number) =>
  Buffer.from(
    Uint8ClampedArray.from({ length: bytes }, () => {
      const distance = 30 * Math.sqrt(-2 * Math.log(1 - Math.random()))
      return 128 + distance * Math.cos(2 * Math.PI * Math.random())
    }),
  )

/** An image with the detail of a photograph: noise, another in each call. */
export function photograph(widthPx = 640, heightPx = 480): Sharp {
  noise ??= makeNoise(2 ** 18)
  const pixels = Buffer.allocUnsafe(widthPx * heightPx * 3)
  const pieceBytes = noise.length / 2
  for (let at = 0; at < pixels.length; at += pieceBytes) {
    const from = Math.floor(Math.random() * pieceBytes)
    noise.copy(pixels, at, from, from + pieceBytes)
  }
  return sharp(pixels, { raw: { width: widthPx, height: heightPx, channels: 3 } })
}

export const jpeg = (widthPx?: number, heightPx?: number) => photograph(widthPx, heightPx).jpeg().toBuffer()
export const png = (widthPx?: number, heightPx?: number) => photograph(widthPx, heightPx).png().toBuffer()
export const webp = (widthPx?: number, heightPx?: number) => photograph(widthPx, heightPx).webp().toBuffer()

/**
 * A picture with shapes that are different for each seed. Its perceptual hash is that of no other seed,
 * unlike those of the noise of `photograph`, which differ in each call.
 */
export const shapes = (seed: number, widthPx = 360, heightPx = 240) => {
  const ellipses = Array.from({ length: 12 }, (_, n) => {
    const at = (factor: number, range: number) => ((seed + 1) * factor * (n + 3) * 7919) % range
    return `<ellipse cx="${at(17, 360)}" cy="${at(23, 240)}" rx="${20 + at(7, 70)}" ry="${15 + at(11, 60)}"
      fill="hsl(${at(31, 360)} 60% ${(n % 2) * 50 + 10 + at(13, 40)}%)"/>`
  })
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${widthPx}" height="${heightPx}" viewBox="0 0 360 240"
    preserveAspectRatio="none"><rect width="100%" height="100%" fill="hsl(${seed * 47} 40% ${30 + (seed % 5) * 10}%)"/>
    ${ellipses.join('')}</svg>`
  return sharp(Buffer.from(svg)).removeAlpha()
}

/** A red dot on a transparent background. */
export const transparentPng = (sidePx = 100) =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${sidePx}" height="${sidePx}"><circle cx="50%" cy="50%" r="25%" fill="red"/></svg>`,
    ),
  )
    .png()
    .toBuffer()

/** Frames of one colour each, 100 ms apart, looping forever. */
export async function animation(format: 'gif' | 'webp', frames = 4, sidePx = 64): Promise<Buffer> {
  const colours = ['#d0342c', '#2c7ad0', '#2cd07a', '#d0c82c', '#8a2cd0', '#2cd0c4']
  const images = Array.from({ length: frames }, (_, index) => ({
    create: {
      width: sidePx,
      height: sidePx,
      channels: 3 as const,
      background: colours[index % colours.length] ?? '#000',
    },
  }))
  const joined = sharp(await Promise.all(images.map((options) => sharp(options).png().toBuffer())), {
    join: { animated: true },
  })
  return format === 'gif'
    ? joined.gif({ delay: Array(frames).fill(100), loop: 0 }).toBuffer()
    : joined.webp({ delay: Array(frames).fill(100), loop: 0 }).toBuffer()
}

/** Metadata of a phone, including its location; it must be removed. */
export const gpsWords = { model: 'SecretPhone 9', latitude: '52/1 31/1 12/1', comment: 'taken at home' }

/**
 * A photograph as a phone stores it: in sensor orientation with an EXIF orientation. Upright, its
 * top left corner is red.
 * @param orientation EXIF 1 to 8
 */
export async function phonePhotograph(orientation = 6, widthPx = 400, heightPx = 300): Promise<Buffer> {
  const corner = { create: { width: 100, height: 100, channels: 3 as const, background: '#ff0000' } }
  const upright = await photograph(widthPx, heightPx)
    .composite([{ input: corner, left: 0, top: 0 }])
    .png()
    .toBuffer()
  return turnedBack(upright, orientation)
    .then((image) => image.jpeg({ quality: 90 }))
    .then((image) =>
      image
        .withExif({
          IFD0: { Model: gpsWords.model, ImageDescription: gpsWords.comment },
          IFD3: {
            GPSLatitudeRef: 'N',
            GPSLatitude: gpsWords.latitude,
            GPSLongitudeRef: 'E',
            GPSLongitude: '13/1 24/1 18/1',
          },
        })
        .withMetadata({ orientation })
        .toBuffer(),
    )
}

/** Transforms an upright image so that `orientation` makes it upright again. */
async function turnedBack(upright: Buffer, orientation: number) {
  const raw = await sharp(upright).toBuffer()
  const turned: Record<number, () => Sharp> = {
    1: () => sharp(raw),
    2: () => sharp(raw).flop(),
    3: () => sharp(raw).rotate(180),
    4: () => sharp(raw).flip(),
    6: () => sharp(raw).rotate(270),
    8: () => sharp(raw).rotate(90),
  }
  const make = turned[orientation]
  if (make) return make()
  // 5 and 7 rotate and mirror, in two passes because one pipeline mirrors before it rotates.
  const first = await sharp(raw)
    .rotate(orientation === 5 ? 270 : 90)
    .toBuffer()
  return sharp(first).flip()
}

export const textNamedPng = Buffer.from('This is a text and no picture.\n'.repeat(20))

/** Declares 100000 x 100000 pixels and contains none. */
export function hugePngHeader(): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(100_000, 0)
  header.writeUInt32BE(100_000, 4)
  header.set([8, 6, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', Buffer.alloc(20)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return (crc ^ 0xffffffff) >>> 0
}
