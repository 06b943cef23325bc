// What the frames of an ingested WebP say of themselves, without decoding them.

import { chunksFrom } from './webp-chunks.ts'

/** Whether each frame is as large as the canvas, in pixels: then none is put together with others of another size. */
export function everyFrameCovers(file: Buffer, widthPx: number, heightPx: number): boolean {
  for (const { type, data } of chunksFrom(file, 12)) {
    if (type !== 'ANMF') continue
    if (data.readUIntLE(6, 3) + 1 !== widthPx || data.readUIntLE(9, 3) + 1 !== heightPx) return false
  }
  return true
}
