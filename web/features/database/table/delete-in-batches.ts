import { limits } from '../../../../contract/limits.ts'

interface Outcome {
  /** How many were there and are gone. */
  deleted: number
  /** That are gone, whether or not they were there. */
  ids: string[]
  /** What stopped it. */
  error?: unknown
}

/** The server takes so many at a time. A batch that fails ends it: what went before stays gone, and is told. */
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
