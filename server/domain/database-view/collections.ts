// Collections: the system tables for admins, and generic collections for users with the PIN.
import { setImmediate } from 'node:timers/promises'
import { type SystemCollectionName, systemCollectionNames } from '../../../contract/endpoints/database-view.ts'
import type { CollectionsTable } from '../../db/schema.ts'
import { audit } from '../audit/audit.ts'
import { actsAsAdmin, type RequestOrigin, type UserCaller } from '../shared/caller.ts'
import type { Deps } from '../shared/deps.ts'
import type { DocumentSource } from '../shared/document-source.ts'
import { Failure } from '../shared/failure.ts'
import { openCollectionSnapshot, pruneSnapshots } from './collection-snapshot.ts'
import { genericDocuments } from './generic-documents.ts'
import { type DatabaseRequest, unlocked } from './database-unlock.ts'

export type CollectionRequest = DatabaseRequest & { params: { name: string } }

/** @throws {Failure} database_locked */
export const listCollections = unlocked(async (deps, { caller }: DatabaseRequest) => {
  const system = actsAsAdmin(caller) ? systemCollectionNames.filter((name) => deps.systemCollections[name]) : []
  const rows = await deps.db.selectFrom('collections').select('name').where('name', 'is not', null).execute()
  // Sorted here, because databases differ in their collation.
  const generic = rows.flatMap(({ name }) => name ?? []).toSorted()
  return { collections: [...system, ...generic], system: [...system] }
})

/**
 * Saves the documents in a file, then deletes the collection for all readers at once; its rows are
 * removed immediately or by the next sweep.
 * @throws {Failure} system_collection, collection_not_found, no_space_for_backup: nothing is
 * deleted then
 */
export const deleteCollection = unlocked(async (deps, { caller, address, params: { name } }: CollectionRequest) => {
  assertNotSystem(deps, caller, name, 'it cannot be deleted')
  const collection = await findCollection(deps, name)
  const file = await saveAndDrop(deps, collection, { caller, address })
  deps.log.info(
    { collection: name, documents: collection.documents, file, by: caller.account.id },
    'collection deleted',
  )
  await finishDeletion(deps, caller.account.id)
  return { success: true as const }
})

/** The collection is already deleted: what fails here, the next deletion or the job retries. */
async function finishDeletion(deps: Deps, userId: string): Promise<void> {
  const outcomes = await Promise.allSettled([pruneSnapshots(deps, userId), sweepCollections(deps, maxBatchesInCall)])
  for (const outcome of outcomes)
    if (outcome.status === 'rejected')
      deps.log.error({ err: outcome.reason }, 'The cleanup after a deleted collection failed')
}

/**
 * The end of the file is written inside the transaction, an exception to docs/decisions/0002 with a
 * bounded size.
 * @returns the name of the file; null when there were no documents
 * @throws {Failure} collection_not_found, no_space_for_backup
 */
async function saveAndDrop(
  deps: Deps,
  collection: CollectionsTable,
  { caller, address }: RequestOrigin,
): Promise<string | null> {
  const snapshot = await openCollectionSnapshot(deps, collection, caller.account.id)
  try {
    return await deps.db.transaction().execute(async (transaction) => {
      // Must be first: it serializes with inserts, so that the file contains every document.
      const { numUpdatedRows } = await transaction
        .updateTable('collections')
        .set({ name: null })
        .where('id', '=', collection.id)
        .where('name', 'is not', null)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) throw new Failure('collection_not_found')
      const file = await snapshot.finish(transaction)
      const target = { id: collection.name ?? collection.id }
      const details = { documents: collection.documents, file }
      await audit(
        { ...deps, db: transaction },
        { actor: caller, address, action: 'collection_deleted', target, details },
      )
      return file
    })
  } finally {
    await snapshot.discard()
  }
}

/** Deletes documents of deleted collections in small batches: other work runs in between. */
export async function sweepCollections(deps: Pick<Deps, 'db'>, maxBatches = Number.POSITIVE_INFINITY): Promise<void> {
  const dropped = await deps.db.selectFrom('collections').select('id').where('name', 'is', null).execute()
  let batches = 0
  let size: number = sweepBatch.first
  for (const { id } of dropped) {
    while (await holdsDocuments(deps, id)) {
      const startedAt = performance.now()
      await deleteBatch(deps, id, size)
      size = nextBatch(size, performance.now() - startedAt)
      batches++
      if (batches >= maxBatches) return
      // SQLite queries never yield to the event loop: yield explicitly.
      await setImmediate()
    }
    await deps.db.deleteFrom('collections').where('id', '=', id).execute()
  }
}

/** The documents of a collection that this caller may read. @throws {Failure} collection_not_found */
export async function documentsOf(deps: Deps, caller: UserCaller, name: string): Promise<DocumentSource<Deps>> {
  if (isSystem(name)) {
    const system = actsAsAdmin(caller) ? deps.systemCollections[name] : undefined
    if (!system) throw new Failure('collection_not_found')
    return system
  }
  return genericDocuments(await findCollection(deps, name))
}

/** @throws {Failure} system_collection; collection_not_found for callers who may not see it */
export function assertNotSystem(deps: Deps, caller: UserCaller, name: string, problem: string): void {
  if (!isSystem(name)) return
  const isSeen = actsAsAdmin(caller) && deps.systemCollections[name] !== undefined
  throw isSeen ? new Failure('system_collection', { name, problem }) : new Failure('collection_not_found')
}

export const isSystem = (name: string): name is SystemCollectionName =>
  (systemCollectionNames as readonly string[]).includes(name)

/** @throws {Failure} collection_not_found */
async function findCollection({ db }: Pick<Deps, 'db'>, name: string): Promise<CollectionsTable> {
  const row = await db.selectFrom('collections').selectAll().where('name', '=', name).executeTakeFirst()
  if (!row) throw new Failure('collection_not_found')
  return row
}

/**
 * Documents of a deleted collection that one statement deletes. A statement blocks the others on
 * SQLite: the size adapts so that it takes about targetMs.
 */
const sweepBatch = { first: 50, min: 10, max: 1000, targetMs: 30 }
/** A request deletes this many batches; the job continues with a larger collection. */
const maxBatchesInCall = 10

/** Documents of 1 MB take a thousand times longer to delete than small ones. */
export function nextBatch(size: number, tookMs: number): number {
  if (tookMs > 2 * sweepBatch.targetMs) return Math.max(sweepBatch.min, Math.floor(size / 2))
  return tookMs < sweepBatch.targetMs ? Math.min(sweepBatch.max, size * 2) : size
}

/** Queried: on PostgreSQL an empty batch may mean that another server deleted it. */
async function holdsDocuments({ db }: Pick<Deps, 'db'>, collectionId: string): Promise<boolean> {
  const some = db.selectFrom('documents').select('position').where('collection_id', '=', collectionId).limit(1)
  return (await some.executeTakeFirst()) !== undefined
}

async function deleteBatch({ db }: Pick<Deps, 'db'>, collectionId: string, size: number): Promise<void> {
  const some = db
    .selectFrom('documents')
    .select('position')
    .where('collection_id', '=', collectionId)
    .orderBy('position')
    .limit(size)
  await db.deleteFrom('documents').where('collection_id', '=', collectionId).where('position', 'in', some).execute()
}
