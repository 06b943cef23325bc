// The temporary folder of an upload.
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Deps } from '../shared/deps.ts'

/** Passes a new folder to `use` and deletes it afterwards. */
export async function inFolder<T>(
  { tempDir, log }: Pick<Deps, 'tempDir' | 'log'>,
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tempDir, 'upload-'))
  try {
    return await use(folder)
  } finally {
    // A failed deletion does not change the result: the next start deletes the folder.
    await rm(folder, { recursive: true, force: true }).catch((error: unknown) =>
      log.warn({ err: error, folder }, 'The folder of an upload could not be removed'),
    )
  }
}
