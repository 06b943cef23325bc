// A system table as a collection of documents, for admins.
import type { z } from 'zod'
import type { Document } from '../../../contract/endpoints/database-view.ts'
import type { FailureCode } from '../../../contract/plain/failures.ts'
import { countRows } from '../../db/count-rows.ts'
import type { Schema } from '../../db/schema.ts'
import type { RequestOrigin } from './caller.ts'
import type { Deps } from './deps.ts'
import { type DocumentSource, editedFields } from './document-source.ts'
import { Failure } from './failure.ts'

/** The tables whose rows have an id and a creation time. */
type DocumentTable = {
  [T in keyof Schema]: Schema[T] extends { id: string; created_at: number } ? T : never
}[keyof Schema]

interface Entry<T extends DocumentTable, E extends z.ZodObject> {
  table: T
  /** The fields beside `_id` and `createdAt`. Columns not named here never leave the server. */
  show: (row: Schema[T]) => Record<string, unknown>
  /** The number of rows, where it is maintained elsewhere. Default: the rows are counted. */
  total?: (deps: Deps) => Promise<number>
  /** The fields that a patch may change. */
  editable: E
  /** @param change.fields only the fields that differ */
  update: (deps: Deps, change: RequestOrigin & { id: string; fields: z.output<E> }) => Promise<unknown>
  remove: DocumentSource<Deps>['remove']
}

export function systemCollection<T extends DocumentTable, E extends z.ZodObject>(
  entry: Entry<T, E>,
): DocumentSource<Deps> {
  // All these tables have the two columns; Kysely cannot express that for a generic table.
  const table = entry.table as 'users'
  const toDocument = (row: Schema['users']): Document => ({
    _id: row.id,
    ...entry.show(row as unknown as Schema[T]),
    createdAt: new Date(row.created_at).toISOString(),
  })
  const find = async (deps: Deps, id: string) => {
    const row = await deps.db.selectFrom(table).selectAll().where('id', '=', id).executeTakeFirst()
    return row && toDocument(row)
  }

  return {
    find,
    async page(deps, { limit, skip }) {
      const total = entry.total ? await entry.total(deps) : await countRows(deps.db.selectFrom(table))
      const shown = Math.min(limit, total - skip)
      if (shown <= 0) return { documents: [], total }
      // Reads only an index, from its nearer end: skipped rows are never read.
      const isNearEnd = skip > total / 2
      const order = isNearEnd ? 'asc' : 'desc'
      const ids = deps.db
        .selectFrom(table)
        .select('id')
        .orderBy('created_at', order)
        .orderBy('id', order)
        .limit(shown)
        .offset(isNearEnd ? total - skip - shown : skip)
      const rows = await deps.db
        .selectFrom(table)
        .selectAll()
        .where('id', 'in', ids)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .execute()
      return { documents: rows.map(toDocument), total }
    },
    async update(deps, { caller, address, id, fields, version }) {
      if (version !== undefined) {
        throw new Failure('invalid_input', { field: 'If-Match', problem: 'system collections keep no versions' })
      }
      const document = await find(deps, id)
      if (!document) throw new Failure('document_not_found')
      const edited = readEdited(entry.editable, editedFields(document, fields))
      if (Object.keys(edited).length > 0) await entry.update(deps, { caller, address, id, fields: edited })
    },
    remove: entry.remove,
  }
}

/** Removes one after another; those that are `missing` are not counted. */
export async function removeEach(
  ids: string[],
  remove: (id: string) => Promise<unknown>,
  missing: FailureCode,
): Promise<number> {
  let removed = 0
  for (const id of new Set(ids)) {
    try {
      await remove(id)
      removed++
    } catch (error) {
      if (!(error instanceof Failure && error.code === missing)) throw error
    }
  }
  return removed
}

/** @throws {Failure} invalid_input with the field that is invalid or not editable */
function readEdited<E extends z.ZodObject>(schema: E, fields: Record<string, unknown>): z.output<E> {
  const frozen = Object.keys(fields).find((field) => !Object.hasOwn(schema.shape, field))
  if (frozen !== undefined) {
    throw new Failure('invalid_input', { field: frozen.slice(0, 100), problem: 'cannot be changed here' })
  }
  const result = schema.safeParse(fields)
  if (result.success) return result.data
  const issue = result.error.issues[0]
  throw new Failure('invalid_input', {
    field: String(issue?.path[0] ?? 'body'),
    problem: issue?.message ?? 'is not valid',
  })
}
