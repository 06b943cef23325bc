// What has expired and waits to be removed.
import { createLoaded } from './loaded.ts'

const loadClient = async () => (await import('./http.ts')).client

export const cleanupPreview = createLoaded('What a cleanup would remove', async () =>
  (await loadClient()).previewCleanup(),
)

/** Removes it now. @returns what was removed, which may be more than the preview said: time goes on */
export async function cleanUp(): Promise<{ deletedImages: number; freedSpace: number }> {
  try {
    return await (await loadClient()).cleanUp()
  } finally {
    void cleanupPreview.load()
  }
}
