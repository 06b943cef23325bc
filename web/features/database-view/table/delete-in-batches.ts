import { limits } from '../../../../contract/plain/limits.ts'

interface Outcome {
  /** The number of documents that were deleted. */
  deleted: number
  /** The ids that no longer exist, including those that were missing before. */
  ids: string[]
  /** The error that ended the deletion. */
  error?: unknown
}

/** Deletes in batches of the server's maximum. A failed batch ends it; what was deleted before is reported. */
export async function deleteInBatches(
  ids: readonly string[],
  deleteBatch: (ids: string[]) => Promise<number>,
  size: number = limits.documents.maxIds,
): Promise<Outcome> {
  const done: Outcome = { deleted: 0, ids: [] }
  for (let at = 0; at < ids.length; at += size) {
    const batch = ids.slice(at, at + size)
    try {
      done.deleted += await deleteBatch(batch)
    } catch (error) {
      return { ...done, error }
    }
    done.ids.push(...batch)
  }
  return done
}
