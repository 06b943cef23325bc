// The edits of a document, relative to the stored version they apply to. Pure.
import type { Document } from '../../../../contract/endpoints/database-view.ts'
import { type EditableKind, fieldKind, isEditable, isLocked } from './field-kind.ts'
import { type NumberProblem, readNumber } from './number-text.ts'

/** The text in the control; for a number field it may not be a number yet. */
export interface Edit {
  kind: EditableKind
  raw: string | boolean
}
export type Edits = ReadonlyMap<string, Edit>

interface Changes {
  /** The patch that is sent. */
  changed: ReadonlyMap<string, unknown>
  problems: ReadonlyMap<string, NumberProblem>
}

export function changesOf(base: Document, edits: Edits): Changes {
  const changed = new Map<string, unknown>()
  const problems = new Map<string, NumberProblem>()
  for (const [name, { kind, raw }] of edits) {
    const read = kind === 'number' ? readNumber(String(raw)) : { value: raw }
    if ('problem' in read) problems.set(name, read.problem)
    else if (!Object.hasOwn(base, name) || base[name] !== read.value) changed.set(name, read.value)
  }
  return { changed, problems }
}

/** An edit back to the stored value is removed. */
export function withEdit(base: Document, edits: Edits, name: string, edit: Edit): Edits {
  const next = new Map(edits)
  const stored = Object.hasOwn(base, name) ? inputTextOf(base[name]) : undefined
  if (edit.raw === stored && fieldKind(name, base[name]) === edit.kind) next.delete(name)
  else next.set(name, edit)
  return next
}

/** The edit state when editing starts. */
export const inputTextOf = (value: unknown): string | boolean => (typeof value === 'boolean' ? value : String(value))

/** A textarea normalizes line breaks to LF; a stored CRLF text gets its CRLF back. */
export const preserveLineBreaks = (stored: unknown, typed: string) =>
  typeof stored === 'string' && stored.includes('\r\n') ? typed.replaceAll(/\r?\n/g, '\r\n') : typed

/** In the order of the document; edited fields that the document no longer has come last. */
export const fieldNames = (base: Document, edits: Edits): string[] => [
  ...new Set([...Object.keys(base), ...edits.keys()]),
]

export function kindOf(base: Document, edits: Edits, name: string) {
  const own = fieldKind(name, Object.hasOwn(base, name) ? base[name] : null)
  const edit = edits.get(name)
  return edit !== undefined && !(isEditable(own) && own === edit.kind) ? edit.kind : own
}

const differs = (a: unknown, b: unknown) => a !== b && JSON.stringify(a) !== JSON.stringify(b)

/** The fields whose value differs in another version. */
export const changedFields = (before: Document, after: Document): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) =>
      !isLocked(name) &&
      (Object.hasOwn(before, name) !== Object.hasOwn(after, name) || differs(before[name], after[name])),
  )

/** Compares `__v`; system collections have none, so their values are compared. */
export const isSameVersion = (a: Document, b: Document) =>
  a.__v !== undefined && b.__v !== undefined ? a.__v === b.__v : a === b || changedFields(a, b).length === 0
