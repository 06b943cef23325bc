// Verifies the store: every row has its bytes with the right checksum, every blob has its row.
import { createHash } from 'node:crypto'
import { BlobDamaged, BlobMissing, type BlobStore } from '../../blobs/blob-store.ts'
import type { Deps } from '../shared/deps.ts'
import { idsWithoutRow, orphanBlobs } from '../images/deletion/orphans.ts'
import { readRows } from './table-rows.ts'

export interface Problem {
  imageId: string
  what: 'the bytes are missing' | 'the bytes do not match the row' | 'these bytes have no row'
}

/** Longer than any upload takes: younger blobs may still get their row. */
const uploadMs = 60 * 60 * 1000

/** Reads every original once. Images deleted meanwhile are not reported. */
export async function* verifyOriginals(
  deps: Pick<Deps, 'db' | 'blobs' | 'now'>,
  count: { images: number; bytes: number },
): AsyncGenerator<Problem> {
  for await (const rows of readRows(deps.db, 'images')) {
    for (const row of rows) {
      const imageId = String(row['id'])
      count.images++
      const found = await checksumOf(deps.blobs, imageId)
      count.bytes += found?.size ?? 0
      if (found?.sha256 === row['sha256'] && found?.size === row['bytes']) continue
      if ((await idsWithoutRow(deps, [imageId])).length > 0) continue
      yield { imageId, what: found ? 'the bytes do not match the row' : 'the bytes are missing' }
    }
  }
  for await (const { key } of orphanBlobs(deps, deps.now() - uploadMs))
    yield { imageId: key, what: 'these bytes have no row' }
}

/** SHA-256 in hex (none when the store reports damage) and size of a blob; null when missing. */
export async function checksumOf(
  blobs: BlobStore,
  key: string,
): Promise<{ sha256: string | undefined; size: number } | null> {
  const hash = createHash('sha256')
  let size = 0
  try {
    const bytes = await blobs.read(key, undefined, { inBackground: true })
    for await (const chunk of Buffer.isBuffer(bytes) ? [bytes] : (bytes as AsyncIterable<Buffer>)) {
      hash.update(chunk)
      size += chunk.length
    }
  } catch (error) {
    if (error instanceof BlobMissing) return null
    if (error instanceof BlobDamaged) return { sha256: undefined, size }
    throw error
  }
  return { sha256: hash.digest('hex'), size }
}
