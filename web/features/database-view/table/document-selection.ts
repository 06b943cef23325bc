// The selected documents of a collection, across its pages. Pure.
import type { Document } from '../../../../contract/endpoints/database-view.ts'
import { shortJson } from './short-json.ts'

/** A short description of a document, shown when its page is not loaded. */
export type DocumentSummary = readonly (readonly [field: string, text: string])[]

/** By id. */
export type Selection = ReadonlyMap<string, DocumentSummary>

type Rows = readonly Document[]

export function toggleDocument(selection: Selection, row: Document): Selection {
  return selection.has(row._id) ? deselect(selection, [row._id]) : withRows(selection, [row])
}

/** Selects the whole page, or clears it when all of it is selected. Other pages are not affected. */
export function togglePage(selection: Selection, rows: Rows): Selection {
  if (pageSelectionState(selection, rows) !== 'all') return withRows(selection, rows)
  return deselect(
    selection,
    rows.map(({ _id }) => _id),
  )
}

/** The selection after extending a range from one row to another. */
export function extendRange(before: Selection, rows: Rows, from: number, to: number): Selection {
  return withRows(before, rows.slice(Math.min(from, to), Math.max(from, to) + 1))
}

export function deselect(selection: Selection, ids: readonly string[]): Selection {
  const removed = new Set(ids)
  return new Map([...selection].filter(([id]) => !removed.has(id)))
}

/** How much of the page is selected. An empty page counts as none. */
export function pageSelectionState(selection: Selection, rows: Rows): 'all' | 'some' | 'none' {
  const count = rows.filter(({ _id }) => selection.has(_id)).length
  if (count === 0) return 'none'
  return count === rows.length ? 'all' : 'some'
}

const withRows = (selection: Selection, rows: Rows): Selection =>
  new Map([...selection, ...rows.map((row) => [row._id, summaryOf(row)] as const)])

const sampledFields = 3
const sampledLength = 40
const metaFields = new Set(['_id', 'createdAt', '__v'])

const summaryOf = (row: Document): DocumentSummary =>
  Object.entries(row)
    .filter(([field]) => !metaFields.has(field))
    .slice(0, sampledFields)
    .map(([field, value]) => [field, shortJson(value, sampledLength)])
