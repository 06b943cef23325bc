// On a full disk cached variants are evicted for renders, and for deletions, which free space: variants can be rendered again.
// Uploads are refused instead.
import { DatabaseFull } from '../../db/database-errors.ts'
import type { Deps } from './deps.ts'

/** Larger than the largest variant. */
const evictBytes = 16 * 1024 ** 2
/** Other writers may take the freed space first. */
const maxRetries = 3

/**
 * Runs `work`; when the disk is full, evicts the least recently used variants and retries, at most three times. Nothing is
 * evicted when the full disk is that of a database server, where it would free no space.
 * @param work leaves nothing behind when it fails
 */
export async function retryWhenDiskFull<T>(
  deps: Pick<Deps, 'config' | 'variants' | 'log'>,
  work: () => Promise<T>,
): Promise<T> {
  for (let retriesLeft = maxRetries; ; retriesLeft--) {
    try {
      return await work()
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC' || retriesLeft === 0) throw error
      if (error instanceof DatabaseFull && deps.config.DATABASE_URL !== undefined) throw error
      const bytes = await deps.variants.evict(evictBytes)
      if (bytes === 0) throw error
      deps.log.warn({ err: error, bytes }, 'The disk is full: variants were evicted')
    }
  }
}
