// The stack of nested values that are open.
import type { Document } from '../../../../contract/endpoints/database-view.ts'
import { type JsonPath, valueAt } from './json-path.ts'

export interface NestedView {
  /** Undefined when the path no longer exists in the document. */
  data: unknown
  path: JsonPath
  parentDocumentId: string
  /** The parent value. */
  parentData: unknown
}

/** Resolves the stack against the current document. */
export const nestedView = (document: Document, path: JsonPath): NestedView => ({
  data: valueAt(document, path),
  path,
  parentDocumentId: document._id,
  parentData: valueAt(document, path.slice(0, -1)),
})
