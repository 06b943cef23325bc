// A WebP without the frames behind its first one, for what shows only that: its reader then shrinks it while it reads.

import type { Metadata } from 'sharp'
import { chunkOf, chunksFrom, riff } from './container/webp-chunks.ts'

export const isMovingWebp = ({ format, pages = 1 }: Metadata) => format === 'webp' && pages > 1

/**
 * Where frames differ in size, the reader puts together even the first on canvases in full size: 530 MB for 50 MP. The file is
 * trusted to have been ingested.
 */
export function firstFrameOf(file: Buffer): Buffer {
  const chunks = []
  for (const { type, data } of chunksFrom(file, 12)) {
    chunks.push(chunkOf(type, data))
    if (type === 'ANMF') break
  }
  return riff(chunks)
}
