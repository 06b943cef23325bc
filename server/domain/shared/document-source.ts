// A source of documents: the generic table, or a system table presented as documents.
import type { Document, SystemCollectionName } from '../../../contract/endpoints/database-view.ts'
import type { RequestOrigin } from './caller.ts'

export type JsonObject = Record<string, unknown>

export interface DocumentSource<D> {
  page(deps: D, page: { limit: number; skip: number }): Promise<{ documents: Document[]; total: number }>
  find(deps: D, id: string): Promise<Document | undefined>
  /** @throws {Failure} document_not_found, document_changed, invalid_input */
  update(deps: D, change: DocumentChange): Promise<void>
  /** Removes all or none. @returns how many @throws {Failure} by the rules of the table */
  remove(deps: D, removal: RequestOrigin & { ids: string[] }): Promise<number>
}

export interface DocumentChange extends RequestOrigin {
  id: string
  /** May include unchanged fields. */
  fields: JsonObject
  /** The `__v` that the caller has read; any other current version is a conflict. */
  version: number | undefined
}

/** Assembled in open-deps.ts, because the folders of the domain do not import each other. */
export type SystemCollections<D> = Partial<Record<SystemCollectionName, DocumentSource<D>>>

/** The fields that differ: a client may send back a whole document with one field edited. */
export function editedFields(document: JsonObject, fields: JsonObject): JsonObject {
  const isEdited = ([key, value]: [string, unknown]) =>
    !Object.hasOwn(document, key) || JSON.stringify(document[key]) !== JSON.stringify(value)
  return Object.fromEntries(Object.entries(fields).filter(isEdited))
}
