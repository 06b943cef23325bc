// The temporary folder of an upload.
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Deps } from '../shared/deps.ts'

export interface UploadFolder extends AsyncDisposable {
  path: string
}

/** Makes a folder, which is deleted when it is disposed of. */
export async function makeUploadFolder({ tempDir, log }: Pick<Deps, 'tempDir' | 'log'>): Promise<UploadFolder> {
  const path = await mkdtemp(join(tempDir, 'upload-'))
  return {
    path,
    async [Symbol.asyncDispose]() {
      // A failed deletion does not change the result: the next start deletes the folder.
      await rm(path, { recursive: true, force: true }).catch((error: unknown) =>
        log.warn({ err: error, folder: path }, 'The folder of an upload could not be removed'),
      )
    },
  }
}
