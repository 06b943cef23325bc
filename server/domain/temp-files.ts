// What could not be removed from the temporary folder when its time was over, as on a disk that failed for a moment.
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { nullWhenMissing } from '../blobs/durable.ts'
import type { Deps } from './deps.ts'

/** @param olderThan UTC milliseconds of the last change; what is younger may be in use */
export async function sweepTempFiles({ tempDir }: Pick<Deps, 'tempDir'>, olderThan: number): Promise<number> {
  let removed = 0
  for (const name of await readdir(tempDir)) {
    const path = join(tempDir, name)
    const found = await stat(path).catch(nullWhenMissing)
    if (!found || found.mtimeMs >= olderThan) continue
    await rm(path, { recursive: true, force: true })
    removed++
  }
  return removed
}
