// Expired images that wait to be removed.
import { queryOptions } from '@tanstack/react-query'
import { client } from './http.ts'
import { refresh } from './query-client.ts'

export const cleanupPreview = queryOptions({ queryKey: ['cleanup'], queryFn: () => client.previewCleanup() })

/**
 * @returns what was removed, which may be more than the preview said: more images have expired
 * since
 */
export async function cleanUp(): Promise<{ deletedImages: number; freedSpace: number }> {
  try {
    return await client.cleanUp()
  } finally {
    void refresh(cleanupPreview)
  }
}
