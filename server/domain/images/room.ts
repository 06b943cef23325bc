// A full disk must not take away what is there already: the cache gives way, since all of it can be made again.
import type { Deps } from '../deps.ts'

/** More than the largest picture that is made of another. */
const roomBytes = 16 * 1024 ** 2
/** What is given up may be taken at once by whoever else writes. */
const tries = 3

/** Does `work`; when there is no space for it, once more with the room of the variants that were least recently used. */
export async function withRoom<T>(deps: Pick<Deps, 'variants' | 'log'>, work: () => Promise<T>): Promise<T> {
  for (let left = tries; ; left--) {
    try {
      return await work()
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC' || left === 0) throw error
      const bytes = await deps.variants.makeRoom(roomBytes)
      if (bytes === 0) throw error
      deps.log.warn({ err: error, bytes }, 'The disk is full: variants were given up')
    }
  }
}
