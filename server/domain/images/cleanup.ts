// What an admin asks of the sweep.
import type { Deps } from '../deps.ts'
import { sweepExpired } from './sweep.ts'
import { isDue } from './undo.ts'

/** Removes every expired image now. */
export async function cleanUp(deps: Deps) {
  const { deletedImages, freedBytes } = await sweepExpired(deps)
  return { deletedImages, freedSpace: freedBytes }
}

/** What {@link cleanUp} would remove: the images whose time has passed and that the sweep, which comes every minute, has not reached. */
export async function previewCleanup(deps: Pick<Deps, 'db' | 'now'>): Promise<{ images: number; bytes: number }> {
  const { images, bytes } = await deps.db
    .selectFrom('images')
    .select((select) => [select.fn.countAll<number>().as('images'), select.fn.sum<number | null>('bytes').as('bytes')])
    .where(isDue(deps.now()))
    .executeTakeFirstOrThrow()
  return { images, bytes: bytes ?? 0 }
}
