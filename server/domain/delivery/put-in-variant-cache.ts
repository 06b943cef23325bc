import { rm } from 'node:fs/promises'
import type { CachedFile } from '../../blobs/cached-file.ts'
import type { Deps } from '../shared/deps.ts'
import type { ImageRow } from '../images/image-row.ts'
import { ingestedKeys } from './variant-plan.ts'

/**
 * Moves the file at `path` into the variant cache. A failure is logged: it costs the next request the time to render again.
 * @param bytes of the file, for the first read of the result
 * @returns null without `bytes`, and when the file could not be cached
 */
export async function putInVariantCache(
  { variants, log }: Pick<Deps, 'variants' | 'log'>,
  row: ImageRow,
  key: string,
  path: string,
  bytes?: Buffer,
): Promise<CachedFile | null> {
  try {
    return await variants.put(row.id, key, path, { bytes, pinned: ingestedKeys(row) })
  } catch (error) {
    log.warn({ err: error, imageId: row.id, key }, 'A rendered file could not be cached')
    await removeTemporary(log, path)
    return null
  }
}

/** Never rejects. */
export async function removeTemporary(log: Deps['log'], path: string): Promise<void> {
  await rm(path, { force: true }).catch((error: unknown) =>
    log.warn({ err: error, path }, 'A temporary file could not be removed'),
  )
}
