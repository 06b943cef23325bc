// What an admin asks of the sweep.
import type { Deps } from '../deps.ts'
import { countDueImages } from '../due-images.ts'
import { sweepExpired } from './sweep.ts'

/** Removes every expired image now. */
export async function cleanUp(deps: Deps) {
  const { deletedImages, freedBytes } = await sweepExpired(deps)
  return { deletedImages, freedSpace: freedBytes }
}

/** What {@link cleanUp} would remove. */
export const previewCleanup = (deps: Pick<Deps, 'db' | 'now'>) => countDueImages(deps)
