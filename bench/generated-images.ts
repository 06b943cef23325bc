// Generates images, the same ones in each run: photographs where real ones are unavailable, a screenshot and a drawing.
import sharp, { type Sharp } from 'sharp'

/** Sizes of the noise in pixels and their weights, from coarse to fine: detail at every scale, as in a photograph. */
const octaves = [
  { cellPx: 256, share: 0.5 },
  { cellPx: 32, share: 0.25 },
  { cellPx: 6, share: 0.1 },
  { cellPx: 1, share: 0.05 },
] as const

/** Generates an image that compresses to about the size of a photograph: 4 MB at 12 MP. Raw, without alpha. */
export async function generatePhotograph(widthPx: number, heightPx: number, seed: number): Promise<Sharp> {
  const layers = await Promise.all(octaves.map(({ cellPx }, n) => noise(widthPx, heightPx, cellPx, seed * 10 + n)))
  const data = Buffer.alloc(widthPx * heightPx * 3)
  const [clouds, shapes, texture, grain] = layers as [Buffer, Buffer, Buffer, Buffer]
  for (let pixel = 0, at = 0; at < data.length; pixel++) {
    const light = octaves[3].share * ((grain[pixel] ?? 0) - 128) + 20
    for (let colour = 0; colour < 3; colour++, at++) {
      const from = pixel * 3 + colour
      data[at] = Math.max(
        0,
        Math.min(
          255,
          light +
            octaves[0].share * 1.6 * (clouds[from] ?? 0) +
            octaves[1].share * (shapes[from] ?? 0) +
            octaves[2].share * (texture[from] ?? 0),
        ),
      )
    }
  }
  return sharp(data, { raw: { width: widthPx, height: heightPx, channels: 3 } })
}

/** Three channels; the finest noise has one, as most sensor noise does. */
async function noise(widthPx: number, heightPx: number, cellPx: number, seed: number): Promise<Buffer> {
  const channels = cellPx === 1 ? 1 : 3
  const [width, height] = [Math.ceil(widthPx / cellPx) + 1, Math.ceil(heightPx / cellPx) + 1]
  const data = Buffer.alloc(width * height * channels)
  let state = Math.imul(seed + 1, 2_654_435_761)
  for (let at = 0; at < data.length; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    data[at] = state >>> 24
  }
  return sharp(data, { raw: { width, height, channels } })
    .resize(widthPx, heightPx, { fit: 'fill', kernel: 'cubic' })
    .toColourspace(channels === 1 ? 'b-w' : 'srgb')
    .raw()
    .toBuffer()
}

/** Generates a screenshot: a window with a list, text and flat colours. */
export function generateScreenshot(): Promise<Buffer> {
  const rows = Array.from({ length: 24 }, (_, n) => {
    const y = 120 + n * 38
    return `<rect x="320" y="${y - 24}" width="1560" height="34" fill="${n % 2 === 0 ? '#f6f7f9' : '#ffffff'}"/>
      <circle cx="350" cy="${y - 7}" r="10" fill="hsl(${n * 47} 60% 55%)"/>
      <text x="380" y="${y}" font-size="17" fill="#1c2530">ImageFile ${n * 7919} of a gallery, ${n * 13 + 2} kB, made on day ${n + 1}</text>
      <text x="1600" y="${y}" font-size="15" fill="#66707c">${(n * 104_729) % 1000}.${n} downloads</text>`
  })
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1920" height="1080" font-family="sans-serif">
    <rect width="1920" height="1080" fill="#ffffff"/><rect width="300" height="1080" fill="#1f2937"/>
    <rect x="300" width="1620" height="70" fill="#eef1f5"/><text x="30" y="46" font-size="24" fill="#ffffff">Image Host</text>
    ${rows.join('\n')}</svg>`
  return sharp(Buffer.from(svg)).png().toBuffer()
}

/** Generates an SVG of 240 shapes with gradients. */
export function generateDrawing(): Buffer {
  const shapes = Array.from({ length: 240 }, (_, n) => {
    const [x, y, size] = [(n * 7919) % 1200, (n * 104_729) % 800, 20 + ((n * 31) % 90)]
    return `<path d="M${x} ${y}q${size} ${-size} ${size * 2} 0t${size} ${size}l${-size * 3} ${size}z" fill="url(#g${n % 6})" opacity=".7"/>`
  })
  const gradients = Array.from(
    { length: 6 },
    (_, n) =>
      `<linearGradient id="g${n}"><stop stop-color="hsl(${n * 60} 70% 50%)"/><stop offset="1" stop-color="hsl(${n * 60 + 40} 80% 75%)"/></linearGradient>`,
  )
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="800"><defs>${gradients.join('')}</defs>${shapes.join('')}</svg>`,
  )
}
