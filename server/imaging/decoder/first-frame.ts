// Removes all frames but the first from a WebP, so that the loader can shrink it while it reads.

import type { Metadata } from 'sharp'
import { chunkOf, chunksFrom, riff } from './container/webp-chunks.ts'

export const isAnimatedWebp = ({ format, pages = 1 }: Metadata) => format === 'webp' && pages > 1

/**
 * Where frames differ in size, the loader composes even the first on full-size canvases: 530 MB for
 * 50 MP. The file must have been ingested.
 */
export function firstFrameOf(file: Buffer): Buffer {
  const chunks = []
  for (const { type, data } of chunksFrom(file, 12)) {
    chunks.push(chunkOf(type, data))
    if (type === 'ANMF') break
  }
  return riff(chunks)
}
