// Finds stored bytes without a row.
import { inBatches } from '../../shared/batches.ts'
import type { Deps } from '../../shared/deps.ts'

const batchSize = 100

/** Returns those of the image ids that have no row. @param ids at most a few hundred */
export async function idsWithoutRow({ db }: Pick<Deps, 'db'>, ids: string[]): Promise<string[]> {
  const rows = await db.selectFrom('images').select('id').where('id', 'in', ids).execute()
  const known = new Set(rows.map(({ id }) => id))
  return ids.filter((id) => !known.has(id))
}

/** Yields the originals without a row. @param olderThan UTC milliseconds of the last change */
export async function* orphanBlobs(deps: Pick<Deps, 'db' | 'blobs'>, olderThan: number) {
  for await (const blobs of inBatches(olderBlobs(deps, olderThan), batchSize)) {
    const orphans = new Set(
      await idsWithoutRow(
        deps,
        blobs.map(({ key }) => key),
      ),
    )
    yield* blobs.filter(({ key }) => orphans.has(key))
  }
}

async function* olderBlobs({ blobs }: Pick<Deps, 'blobs'>, olderThan: number) {
  for await (const blob of blobs.list()) if (blob.modifiedAtMs < olderThan) yield blob
}
