import { rm } from 'node:fs/promises'
import type { Deps } from '../deps.ts'

/** Takes the file at `path` into the cache. That it cannot be kept costs the next one time, and nobody anything else. */
export async function keep(deps: Deps, imageId: string, key: string, path: string): Promise<void> {
  try {
    await deps.variants.put(imageId, key, path)
  } catch (error) {
    deps.log.warn({ err: error, imageId, key }, 'What was made of an image could not be kept')
    await rm(path, { force: true }).catch((second: unknown) =>
      deps.log.warn({ err: second, path }, 'A temporary file could not be removed'),
    )
  }
}
