// Space for documents that come by the API: a limit of all collections, and the disk reserve.
import type { Kysely } from 'kysely'
import { limits } from '../../../contract/plain/limits.ts'
import type { Schema } from '../../db/schema.ts'
import type { Deps } from '../shared/deps.ts'
import { assertDiskSpace } from '../shared/disk-space.ts'
import { Failure } from '../shared/failure.ts'

/**
 * The last request before the limit may exceed it, by the size of a body.
 * @throws {Failure} documents_full, storage_full
 */
export async function assertDocumentSpace(deps: Pick<Deps, 'tempDir'>, db: Kysely<Schema>): Promise<void> {
  const { maxTotalBytes: maxBytes } = limits.documents
  const { bytes } = await db
    .selectFrom('collections')
    .select((select) => select.fn.sum<number | null>('bytes').as('bytes'))
    .executeTakeFirstOrThrow()
  if ((bytes ?? 0) >= maxBytes) throw new Failure('documents_full', { maxBytes })
  await assertDiskSpace(deps.tempDir)
}
