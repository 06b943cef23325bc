// A full disk must not take away what is there already: the cache gives way, since all of it can be made again.
import { DatabaseFull } from '../../db/database-errors.ts'
import type { Deps } from '../deps.ts'

/** More than the largest picture that is made of another. */
const roomBytes = 16 * 1024 ** 2
/** What is given up may be taken at once by whoever else writes. */
const mostRepeats = 3

/**
 * Does `work`; when there is no space for it, again, up to three times, each with the room of the variants that were least
 * recently used. When it is the disk of a database server that is full, nothing is given up: that would make no room there.
 * @param work leaves nothing behind when it fails
 */
export async function withRoom<T>(deps: Pick<Deps, 'config' | 'variants' | 'log'>, work: () => Promise<T>): Promise<T> {
  for (let left = mostRepeats; ; left--) {
    try {
      return await work()
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC' || left === 0) throw error
      if (error instanceof DatabaseFull && deps.config.DATABASE_URL !== undefined) throw error
      const bytes = await deps.variants.makeRoom(roomBytes)
      if (bytes === 0) throw error
      deps.log.warn({ err: error, bytes }, 'The disk is full: variants were given up')
    }
  }
}
