// The figures of the admin overview, and the cleanup of expired images.
import { queryOptions } from '@tanstack/react-query'
import { client } from '../../../model/http.ts'
import { refresh } from '../../../model/query-client.ts'

export const databaseStats = queryOptions({ queryKey: ['database stats'], queryFn: () => client.getDatabaseStats() })
export const userStats = queryOptions({ queryKey: ['user stats'], queryFn: () => client.getUserStats() })

/** What a cleanup would remove: expired images and their size. */
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
