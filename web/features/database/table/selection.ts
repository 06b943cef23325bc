// Which documents of a collection are selected, over all its pages. Pure.
import type { Document } from '../../../../contract/db-browser.ts'
import { shortJson } from './short-json.ts'

/** What tells a document from others, also when its page is not on screen any more. */
export type Sample = readonly (readonly [field: string, text: string])[]

/** By id. */
export type Selection = ReadonlyMap<string, Sample>

type Rows = readonly Document[]

export function toggled(selection: Selection, row: Document): Selection {
  return selection.has(row._id) ? without(selection, [row._id]) : withRows(selection, [row])
}

/** All of the page; none of it where all are. The other pages keep theirs. */
export function togglePage(selection: Selection, rows: Rows): Selection {
  if (selectedOf(selection, rows) !== 'all') return withRows(selection, rows)
  return without(
    selection,
    rows.map(({ _id }) => _id),
  )
}

/** What stretching a range from one row to another makes of the selection before it. */
export function stretched(before: Selection, rows: Rows, from: number, to: number): Selection {
  return withRows(before, rows.slice(Math.min(from, to), Math.max(from, to) + 1))
}

export function without(selection: Selection, ids: readonly string[]): Selection {
  const gone = new Set(ids)
  return new Map([...selection].filter(([id]) => !gone.has(id)))
}

/** How much of the page is selected. An empty page has nothing that could be. */
export function selectedOf(selection: Selection, rows: Rows): 'all' | 'some' | 'none' {
  const count = rows.filter(({ _id }) => selection.has(_id)).length
  if (count === 0) return 'none'
  return count === rows.length ? 'all' : 'some'
}

const withRows = (selection: Selection, rows: Rows): Selection =>
  new Map([...selection, ...rows.map((row) => [row._id, sampleOf(row)] as const)])

const sampledFields = 3
const sampledLength = 40
const ownFields = new Set(['_id', 'createdAt', '__v'])

const sampleOf = (row: Document): Sample =>
  Object.entries(row)
    .filter(([field]) => !ownFields.has(field))
    .slice(0, sampledFields)
    .map(([field, value]) => [field, shortJson(value, sampledLength)])
