// Where documents of a collection come from and go to: the generic table, or a table of the service shown as documents.
import type { Document, SystemCollectionName } from '../../contract/db-browser.ts'
import type { UserCaller } from './caller.ts'
import type { Deps } from './deps.ts'

export type JsonObject = Record<string, unknown>

export interface DocumentSource {
  page(deps: Deps, page: { limit: number; skip: number }): Promise<{ documents: Document[]; total: number }>
  find(deps: Deps, id: string): Promise<Document | undefined>
  /** @throws {Failure} document_not_found, document_changed, invalid_input, and whatever the rules of the table say */
  update(deps: Deps, change: DocumentChange): Promise<void>
  /** All or none. @returns how many were there @throws {Failure} by the rules of the table */
  remove(deps: Deps, removal: { caller: UserCaller; ids: string[] }): Promise<number>
}

export interface DocumentChange {
  caller: UserCaller
  id: string
  /** Fields that stay as they are may be among them. */
  fields: JsonObject
  /** The `__v` that the caller has read: another one now is a conflict. */
  version: number | undefined
}

/** Assembled in app.ts, since the three folders of the domain do not know each other. */
export type SystemCollections = Partial<Record<SystemCollectionName, DocumentSource>>

/** The fields that differ from the document as it is: a client may send a whole document back with one field edited. */
export function editedFields(document: JsonObject, fields: JsonObject): JsonObject {
  const isEdited = ([key, value]: [string, unknown]) =>
    !Object.hasOwn(document, key) || JSON.stringify(document[key]) !== JSON.stringify(value)
  return Object.fromEntries(Object.entries(fields).filter(isEdited))
}
