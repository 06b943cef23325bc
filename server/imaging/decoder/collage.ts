// Four images in one, for the preview of an album in a chat.
import { readFileSync, writeFileSync } from 'node:fs'
import sharp from 'sharp'
import { limits } from '../../../contract/plain/limits.ts'
import type { CollageJob, Rendered } from '../protocol.ts'
import { cellOf } from '../collage-cells.ts'
import { encoders } from './encoders.ts'
import { fromPixels, rawPixels } from './pixels.ts'

const { widthPx, heightPx } = limits.share.collage
const quality = 82

/** Each part is cropped to its cell. */
export async function collage({ sourcePath, outPath, parts, columns }: CollageJob): Promise<Rendered> {
  const all = readFileSync(sourcePath)
  let from = 0
  const tiles = []
  for (const [at, bytes] of parts.entries()) {
    const cell = cellOf(at, columns)
    const part = all.subarray(from, (from += bytes))
    const cropped = sharp(part, { failOn: 'error', limitInputPixels: widthPx * heightPx })
      .flatten({ background: '#ffffff' })
      .resize(cell.width, cell.height, { fit: 'cover' })
    const pixels = await rawPixels(cropped)
    tiles.push({
      input: pixels.data,
      raw: { width: pixels.widthPx, height: pixels.heightPx, channels: pixels.channels },
      left: cell.left,
      top: cell.top,
    })
  }
  const canvas = sharp({ create: { width: widthPx, height: heightPx, channels: 3, background: '#ffffff' } })
  const joined = await rawPixels(canvas.composite(tiles))
  writeFileSync(outPath, await encoders.jpeg(fromPixels(joined), quality).toBuffer())
  return { widthPx, heightPx, frames: 1 }
}
