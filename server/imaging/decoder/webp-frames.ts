// Frames of an ingested WebP, by its chunks: their sizes, and the first one alone.

import type { Metadata } from 'sharp'
import { chunkOf, chunksFrom, riff } from './container/webp-chunks.ts'

export const isAnimatedWebp = ({ format, pages = 1 }: Metadata) => format === 'webp' && pages > 1

/**
 * Only a file of one frame is shrunk while it is read: where frames differ in size, the loader
 * composes even the first on full-size canvases, 530 MB for 50 MP.
 */
export function firstFrameOf(file: Buffer): Buffer {
  const chunks = []
  for (const { type, data } of chunksFrom(file, 12)) {
    chunks.push(chunkOf(type, data))
    if (type === 'ANMF') break
  }
  return riff(chunks)
}

/** Whether every frame is as large as the canvas (pixels), so that no frame covers only part of it. */
export function everyFrameCovers(file: Buffer, widthPx: number, heightPx: number): boolean {
  for (const { type, data } of chunksFrom(file, 12)) {
    if (type !== 'ANMF') continue
    if (data.readUIntLE(6, 3) + 1 !== widthPx || data.readUIntLE(9, 3) + 1 !== heightPx) return false
  }
  return true
}
