// Reads the frame headers of an ingested WebP without decoding.

import { chunksFrom } from './webp-chunks.ts'

/** Whether every frame is as large as the canvas (pixels), so that no frame covers only part of it. */
export function everyFrameCovers(file: Buffer, widthPx: number, heightPx: number): boolean {
  for (const { type, data } of chunksFrom(file, 12)) {
    if (type !== 'ANMF') continue
    if (data.readUIntLE(6, 3) + 1 !== widthPx || data.readUIntLE(9, 3) + 1 !== heightPx) return false
  }
  return true
}
