// A text drawn over a whole image, again and again, so that cutting off or covering a part of it leaves the rest.
import sharp, { type Sharp } from 'sharp'
import type { Size } from '../fit.ts'
import { fromPixels, type Pixels, rawPixels } from './pixels.ts'

/** Smaller images have no room for letters, and nothing to protect. */
const minSidePx = 48
const degrees = -30
/** Of 255. White letters with a dark edge are seen on every image, which stays visible under them. */
const opacity = { letter: 150, edge: 110 }
const edgePx = 2
const clear = { r: 0, g: 0, b: 0, alpha: 0 }

/** @param text of any script for which the server has a font: other letters are drawn as boxes */
export async function drawWatermark(image: Sharp, text: string, { widthPx, heightPx }: Size): Promise<Sharp> {
  const sidePx = Math.min(widthPx, heightPx)
  if (sidePx < minSidePx) return image
  const mask = (await maskOf(text, sidePx)) ?? stripe(sidePx)
  const gap = Math.max(6, Math.round(sidePx / 16))
  const turned = await rawPixels(fromPixels(colour(mask)).rotate(degrees, { background: clear }))
  const spaced = await rawPixels(
    fromPixels(turned).extend({ top: gap, bottom: gap, left: gap, right: gap, background: clear }),
  )
  const tile = await rawPixels(
    fromPixels(spaced).resize(widthPx, heightPx, { fit: 'inside', withoutEnlargement: true }),
  )
  const raw = { width: tile.widthPx, height: tile.heightPx, channels: tile.channels }
  return image.composite([{ input: tile.data, raw, tile: true, gravity: 'centre' }])
}

/** @returns how much of each pixel is covered, in one channel; null: no font draws anything of it */
async function maskOf(text: string, sidePx: number): Promise<Pixels | null> {
  const font = `sans bold ${Math.max(10, Math.round(sidePx / 14))}`
  // Pango's markup is XML.
  const markup = text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)
  const drawn = sharp({
    text: { text: markup, font, dpi: 72, width: Math.round(sidePx * 0.8), wrap: 'word-char', align: 'centre' },
  })
  try {
    const pixels = await rawPixels(drawn.extractChannel(0))
    return isBlank(pixels) ? null : pixels
  } catch {
    // libvips refuses a text without any visible letter.
    return null
  }
}

const isBlank = ({ data }: Pixels) => data.every((covered) => covered === 0)

/** What says that the image is marked where no font can. */
function stripe(sidePx: number): Pixels {
  const [widthPx, heightPx] = [Math.round(sidePx * 0.8), Math.max(2, Math.round(sidePx / 60))]
  return { data: Buffer.alloc(widthPx * heightPx, 255), widthPx, heightPx, channels: 1 }
}

/** White where the mask is, and dark around it. */
function colour({ data, widthPx, heightPx, channels }: Pixels): Pixels {
  const [width, height] = [widthPx + 2 * edgePx, heightPx + 2 * edgePx]
  const covered = (x: number, y: number) =>
    x < 0 || y < 0 || x >= widthPx || y >= heightPx ? 0 : (data[(y * widthPx + x) * channels] ?? 0)
  const out = Buffer.alloc(width * height * 4)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const letter = covered(x - edgePx, y - edgePx)
      let edge = 0
      for (let dy = -edgePx; dy <= edgePx; dy++)
        for (let dx = -edgePx; dx <= edgePx; dx++) edge = Math.max(edge, covered(x - edgePx + dx, y - edgePx + dy))
      const at = (y * width + x) * 4
      out.fill(letter, at, at + 3)
      out[at + 3] = Math.round((letter * opacity.letter + (255 - letter) * ((edge * opacity.edge) / 255)) / 255)
    }
  return { data: out, widthPx: width, heightPx: height, channels: 4 }
}
