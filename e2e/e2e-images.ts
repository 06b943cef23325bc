// Generates the images that journeys upload, each named for its special property.
import { randomBytes } from 'node:crypto'
import sharp from 'sharp'

/** Hidden in the GPS data of `phonePhotograph`: no served file may contain it. */
export const gpsMark = 'GPS-MARK-48.2082N-16.3738E'

/** Sky, hills and grain: an image with the detail and the file size of a photograph. */
function photograph(widthPx: number, heightPx: number, hue: number) {
  const scene = `<svg xmlns="http://www.w3.org/2000/svg" width="${widthPx}" height="${heightPx}">
    <defs><linearGradient id="sky" x2="0" y2="1">
      <stop stop-color="hsl(${hue} 60% 45%)"/><stop offset="1" stop-color="hsl(${(hue + 60) % 360} 70% 80%)"/>
    </linearGradient></defs>
    <rect width="100%" height="100%" fill="url(#sky)"/>
    <circle cx="25%" cy="25%" r="8%" fill="hsl(${(hue + 30) % 360} 90% 92%)"/>
    <path d="M0 ${heightPx} L0 ${heightPx * 0.6} L${widthPx * 0.3} ${heightPx * 0.35} L${widthPx * 0.5} ${heightPx * 0.55} L${widthPx * 0.75} ${heightPx * 0.3} L${widthPx} ${heightPx * 0.65} L${widthPx} ${heightPx} Z" fill="hsl(${(hue + 180) % 360} 25% 25%)"/>
  </svg>`
  const grain = {
    width: widthPx,
    height: heightPx,
    channels: 3,
    background: '#808080',
    noise: { type: 'gaussian', mean: 128, sigma: 12 },
  } as const
  return sharp({ create: grain }).composite([{ input: Buffer.from(scene), blend: 'overlay' }])
}

/** Generates each image once per process: the grain costs more than the rest of most uploads. */
function once<Size extends number[], Image>(make: (...size: Size) => Image): (...size: Size) => Image {
  const made = new Map<string, Image>()
  return (...size) => {
    const key = size.join()
    const picture = made.get(key) ?? make(...size)
    made.set(key, picture)
    return picture
  }
}

/** As a phone held upright stores it: 1600 x 1200 with an EXIF rotation to 1200 x 1600, and with GPS data. */
export const phonePhotograph = once(() =>
  photograph(1600, 1200, 210)
    .withExif({
      IFD0: { Make: 'Camera', Model: 'Model 1' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '48/1 12/1 29/1', GPSMapDatum: gpsMark },
    })
    .withMetadata({ orientation: 6 })
    .jpeg({ quality: 88 })
    .toBuffer(),
)

export const jpeg = once((widthPx = 900, heightPx = 600, hue = 20) =>
  photograph(widthPx, heightPx, hue).jpeg({ quality: 85 }).toBuffer(),
)
export const png = once((widthPx = 320, heightPx = 240) => photograph(widthPx, heightPx, 120).png().toBuffer())
export const webp = once((widthPx = 640, heightPx = 480) => photograph(widthPx, heightPx, 300).webp().toBuffer())
export const gif = once(() => photograph(64, 64, 60).gif().toBuffer())

/** Returns a valid JPEG of exactly this many bytes: decoders ignore bytes after the end of the image. */
export async function jpegOfSize(bytes: number): Promise<Buffer> {
  const picture = await jpeg(400, 300)
  return Buffer.concat([picture, Buffer.alloc(bytes - picture.length)])
}

/** Returns a PNG that no compression makes smaller, of three bytes per pixel. */
export const noise = (sidePx: number): Promise<Buffer> =>
  sharp(randomBytes(3 * sidePx ** 2), { raw: { width: sidePx, height: sidePx, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer()

export const pixelsOf = (image: Buffer): Promise<Buffer> => sharp(image).raw().toBuffer()
