// Generic documents: any JSON objects in one table, in insertion order.
import type { Kysely } from 'kysely'
import type { Document } from '../../../contract/endpoints/database-view.ts'
import { limits } from '../../../contract/plain/limits.ts'
import type { CollectionsTable, DocumentsTable, Schema } from '../../db/schema.ts'
import { audit } from '../audit/audit.ts'
import type { Deps } from '../shared/deps.ts'
import { type DocumentSource, editedFields, type JsonObject } from '../shared/document-source.ts'
import { Failure } from '../shared/failure.ts'
import { assertNoOperators, toBody } from './document-rules.ts'
import { assertDocumentSpace } from './document-space.ts'

/** A page is held in memory: ten documents of the largest size, and some more. */
const maxPageBytes = 16 * 1024 * 1024

/** Of the fields that a change sets: a document may have thousands. */
const maxLoggedFields = 50

export function genericDocuments(collection: CollectionsTable): DocumentSource<Deps> {
  const target = { id: collection.name ?? collection.id }
  const of = (db: Kysely<Schema>) => db.selectFrom('documents').where('collection_id', '=', collection.id)
  const ours = (db: Kysely<Schema>) => db.updateTable('collections').where('id', '=', collection.id)
  /** First, as inserts do, so that changes cannot deadlock. */
  const lockCollection = (transaction: Kysely<Schema>) =>
    ours(transaction)
      .set((row) => ({ documents: row.ref('documents') }))
      .execute()
  return {
    async page(deps, page) {
      const { documents: total } = collection
      const first = await firstPosition(deps, collection, page.skip)
      if (first === undefined) return { documents: [], total }
      const here = of(deps.db).where('position', '>=', first).orderBy('position').limit(page.limit)
      assertSmallPage(await here.select('bytes').execute())
      return { documents: (await here.selectAll().execute()).map(toDocument), total }
    },

    async find(deps, id) {
      const row = await of(deps.db).selectAll().where('id', '=', id).executeTakeFirst()
      return row && toDocument(row)
    },

    async update(deps, { caller, address, id, fields, version }) {
      await deps.db.transaction().execute(async (transaction) => {
        await lockCollection(transaction)
        // Writes before reading, so that concurrent changes of the document are serialized here.
        const matching = transaction
          .updateTable('documents')
          .where('collection_id', '=', collection.id)
          .where('id', '=', id)
        const before = await (version === undefined ? matching : matching.where('version', '=', version))
          .set((row) => ({ version: row('version', '+', 1), updated_at: deps.now() }))
          .returningAll()
          .executeTakeFirst()
        if (!before) {
          const isThere = await of(transaction).select('id').where('id', '=', id).executeTakeFirst()
          throw new Failure(isThere ? 'document_changed' : 'document_not_found')
        }
        const kept = JSON.parse(before.body) as JsonObject
        const edited = editedFields(kept, fields)
        assertNoOperators(edited)
        const after = toBody({ ...kept, ...edited })
        if (after.bytes > before.bytes) await assertDocumentSpace(deps, transaction)
        await matching.set(after).execute()
        await ours(transaction)
          .set((row) => ({ bytes: row('bytes', '+', after.bytes - before.bytes) }))
          .execute()
        await audit(
          { ...deps, db: transaction },
          {
            actor: caller,
            address,
            action: 'document_changed',
            target,
            details: { ids: [id], fields: Object.keys(edited).slice(0, maxLoggedFields) },
          },
        )
      })
    },

    async remove(deps, { caller, address, ids }) {
      return deps.db.transaction().execute(async (transaction) => {
        await lockCollection(transaction)
        const removed = await transaction
          .deleteFrom('documents')
          .where('collection_id', '=', collection.id)
          .where('id', 'in', ids)
          .returning(['id', 'bytes'])
          .execute()
        const bytes = removed.reduce((sum, row) => sum + row.bytes, 0)
        await ours(transaction)
          .set((row) => ({ documents: row('documents', '-', removed.length), bytes: row('bytes', '-', bytes) }))
          .execute()
        const details = { ids: removed.map((document) => document.id) }
        if (removed.length > 0)
          await audit(
            { ...deps, db: transaction },
            { actor: caller, address, action: 'documents_deleted', target, details },
          )
        return removed.length
      })
    },
  }
}

/**
 * Returns the position of the document after `skip` others. Without deletions positions have no
 * gaps and it is computed; else an index is scanned from its nearer end, and nothing but the index:
 * half a million entries take 15 to 50 ms.
 */
async function firstPosition(deps: Deps, collection: CollectionsTable, skip: number): Promise<number | undefined> {
  const { documents: total } = collection
  if (skip >= total) return undefined
  if (total === collection.next_position) return skip
  const isNearEnd = skip > total / 2
  const row = await deps.db
    .selectFrom('documents')
    .select('position')
    .where('collection_id', '=', collection.id)
    .orderBy('position', isNearEnd ? 'desc' : 'asc')
    .limit(1)
    .offset(isNearEnd ? total - 1 - skip : skip)
    .executeTakeFirst()
  return row?.position
}

/** Bounds the response: a hundred documents may have 1 MB each. @throws {Failure} invalid_input */
function assertSmallPage(rows: { bytes: number }[]): void {
  const bytes = rows.reduce((sum, row) => sum + row.bytes, 0)
  if (bytes <= maxPageBytes) return
  const problem = `these documents are large: ask for ${limits.documents.defaultLimit} at a time`
  throw new Failure('invalid_input', { field: 'limit', problem })
}

const toDocument = (row: DocumentsTable): Document => ({
  _id: row.id,
  ...(JSON.parse(row.body) as JsonObject),
  createdAt: new Date(row.created_at).toISOString(),
  __v: row.version,
})
