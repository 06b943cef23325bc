// The parts of a document that were gone into, one after the other (specification section 3, nested view state).
import type { Document } from '../../../../contract/db-browser.ts'
import { type Path, valueAt } from './path.ts'

export interface NestedView {
  /** undefined where the path leads nowhere any more. */
  data: unknown
  path: Path
  parentDocumentId: string
  /** What holds it. */
  parentData: unknown
}

/** Of the document as it is by now. */
export const nestedView = (document: Document, path: Path): NestedView => ({
  data: valueAt(document, path),
  path,
  parentDocumentId: document._id,
  parentData: valueAt(document, path.slice(0, -1)),
})
