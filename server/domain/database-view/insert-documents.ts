// Inserts generic documents, for the API and the operator's import.
import type { Kysely } from 'kysely'
import { collectionName } from '../../../contract/endpoints/database-view.ts'
import { limits } from '../../../contract/plain/limits.ts'
import { countRows } from '../../db/count-rows.ts'
import type { Schema } from '../../db/schema.ts'
import { audit, type AuditOrigin } from '../audit/audit.ts'
import type { Deps } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import { newId } from '../shared/secrets.ts'
import { isSystem } from './collections.ts'
import { readDocument, toBody } from './document-rules.ts'

/** Of an insert in the audit log. What is deleted is listed whole. */
const maxLoggedIds = 20

/**
 * Adds documents to a generic collection, creating it when missing: all of them or none. A given
 * `_id` (string, number, {"$oid"}) is preserved, as are `createdAt` and `__v` when they are a date
 * and an integer.
 * @param documents 1 to limits.documents.maxPerInsert, any JSON objects
 * @param by for the audit log; default: a command
 * @param existing how to treat an `_id` that exists: refuse all, or skip the new document
 * @returns the ids of the added documents
 * @throws {Failure} system_collection, invalid_input, body_too_large, document_exists
 */
export async function insertDocuments(
  deps: Deps,
  collection: string,
  documents: unknown[],
  by: AuditOrigin = { actor: 'command_line' },
  existing: 'refuse' | 'skip' = 'refuse',
): Promise<{ inserted: number; ids: string[] }> {
  if (isSystem(collection)) {
    throw new Failure('system_collection', { name: collection, problem: 'documents cannot be added to it here' })
  }
  assertValidName(collection)
  if (documents.length === 0 || documents.length > limits.documents.maxPerInsert) {
    throw new Failure('invalid_input', {
      field: 'documents',
      problem: `must be 1 to ${limits.documents.maxPerInsert} at a time`,
    })
  }
  const incoming = documents.map((document) => {
    const { id, createdAt, version, fields } = readDocument(document)
    return { id: id ?? newId(deps), created_at: createdAt ?? deps.now(), version, ...toBody(fields) }
  })

  return deps.db.transaction().execute(async (transaction) => {
    const place = await takePlaces(deps, transaction, collection, incoming.length)
    const rows = incoming.map((document, index) => ({
      ...document,
      collection_id: place.collectionId,
      position: place.first + index,
      updated_at: deps.now(),
    }))
    const added = await transaction
      .insertInto('documents')
      .values(rows)
      .onConflict((conflict) => conflict.columns(['collection_id', 'id']).doNothing())
      .returning(['id', 'bytes'])
      .execute()
    const ids = added.map(({ id }) => id)
    const bytes = added.reduce((sum, row) => sum + row.bytes, 0)
    if (existing === 'refuse' && ids.length < rows.length)
      throw new Failure('document_exists', { id: double(rows, ids) })
    await transaction
      .updateTable('collections')
      .set((row) => ({ documents: row('documents', '+', ids.length), bytes: row('bytes', '+', bytes) }))
      .where('id', '=', place.collectionId)
      .execute()
    if (ids.length > 0) {
      const details = { documents: ids.length, ids: ids.slice(0, maxLoggedIds) }
      const target = { id: collection }
      await audit({ ...deps, db: transaction }, { ...by, action: 'documents_added', target, details })
    }
    return { inserted: ids.length, ids }
  })
}

/** Creates a missing collection. Its row stays locked until the commit: inserts are serialized. */
async function takePlaces(
  deps: Deps,
  transaction: Kysely<Schema>,
  name: string,
  count: number,
): Promise<{ collectionId: string; first: number }> {
  const { id, next_position: next } = await transaction
    .insertInto('collections')
    .values({ id: newId(deps), name, documents: 0, bytes: 0, next_position: count, created_at: deps.now() })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((row) => ({ next_position: row('collections.next_position', '+', count) })),
    )
    .returning(['id', 'next_position'])
    .executeTakeFirstOrThrow()
  const first = next - count
  if (first === 0) await assertNotTooMany(transaction)
  return { collectionId: id, first }
}

/** The list of collections is not paginated. @throws {Failure} invalid_input */
async function assertNotTooMany(transaction: Kysely<Schema>): Promise<void> {
  const count = await countRows(transaction.selectFrom('collections').where('name', 'is not', null))
  if (count <= limits.documents.maxCollections) return
  const problem = `there are ${limits.documents.maxCollections} collections already`
  throw new Failure('invalid_input', { field: 'name', problem })
}

/** @throws {Failure} invalid_input */
function assertValidName(name: string): void {
  const result = collectionName.safeParse(name)
  if (result.success) return
  throw new Failure('invalid_input', { field: 'name', problem: result.error.issues[0]?.message ?? 'is not valid' })
}

/** Returns the first id that was not added: it existed, or occurs twice. */
function double(rows: { id: string }[], added: string[]): string {
  const left = new Set(added)
  return rows.find(({ id }) => !left.delete(id))?.id ?? ''
}
