// Verifies the store: every row has its bytes with the right checksum, every blob has its row.
import { createHash } from 'node:crypto'
import { BlobDamaged, BlobMissing, type BlobStore } from '../../blobs/blob-store.ts'
import type { Deps } from '../deps.ts'
import { idsWithoutRow } from '../orphans.ts'
import { readRows } from './table-rows.ts'

export interface Problem {
  imageId: string
  what: 'the bytes are missing' | 'the bytes do not match the row' | 'these bytes have no row'
}

/** Longer than any upload takes: younger blobs may still get their row. */
const uploadMs = 60 * 60 * 1000
const keysPerLookup = 500

/**
 * Reads every original once, beside a running server. Images deleted meanwhile are not reported.
 */
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
  const before = deps.now() - uploadMs
  let keys: string[] = []
  for await (const { key, modifiedAtMs } of deps.blobs.list()) {
    if (modifiedAtMs < before) keys.push(key)
    if (keys.length < keysPerLookup) continue
    yield* blobsWithoutRow(deps, keys)
    keys = []
  }
  yield* blobsWithoutRow(deps, keys)
}

/**
 * Returns SHA-256 in hex and size of a blob, or null when it is missing. A blob that the store
 * reports as damaged has no SHA-256.
 */
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

async function* blobsWithoutRow(deps: Pick<Deps, 'db'>, keys: string[]): AsyncGenerator<Problem> {
  if (keys.length === 0) return
  for (const imageId of await idsWithoutRow(deps, keys)) yield { imageId, what: 'these bytes have no row' }
}
