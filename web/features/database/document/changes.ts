// What somebody has changed in a document, against the version that it is to go onto. Pure.
import type { Document } from '../../../../contract/db-browser.ts'
import { type EditableKind, fieldKind, isEditable, isLocked } from './field-kind.ts'
import { type NumberProblem, readNumber } from './number-text.ts'

/** As it stands in the control: the text of a number may not be one yet. */
export interface Edit {
  kind: EditableKind
  raw: string | boolean
}
export type Edits = ReadonlyMap<string, Edit>

interface Changes {
  /** What would be sent. */
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

/** Back at what is stored, it is no edit any more. */
export function withEdit(base: Document, edits: Edits, name: string, edit: Edit): Edits {
  const next = new Map(edits)
  const stored = Object.hasOwn(base, name) ? rawOf(base[name]) : undefined
  if (edit.raw === stored && fieldKind(name, base[name]) === edit.kind) next.delete(name)
  else next.set(name, edit)
  return next
}

/** As an edit of it starts. */
export const rawOf = (value: unknown): string | boolean => (typeof value === 'boolean' ? value : String(value))

/** A box of several lines knows one kind of break; a text that came with the other keeps it. */
export const keepBreaks = (stored: unknown, typed: string) =>
  typeof stored === 'string' && stored.includes('\r\n') ? typed.replaceAll(/\r?\n/g, '\r\n') : typed

/** In the document's order; what an edit wants and the document lost since comes last. */
export const fieldNames = (base: Document, edits: Edits): string[] => [
  ...new Set([...Object.keys(base), ...edits.keys()]),
]

export function kindOf(base: Document, edits: Edits, name: string) {
  const own = fieldKind(name, Object.hasOwn(base, name) ? base[name] : null)
  const edit = edits.get(name)
  return edit !== undefined && !(isEditable(own) && own === edit.kind) ? edit.kind : own
}

const differs = (a: unknown, b: unknown) => a !== b && JSON.stringify(a) !== JSON.stringify(b)

/** Which fields another version has otherwise. */
export const changedFields = (before: Document, after: Document): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) =>
      !isLocked(name) &&
      (Object.hasOwn(before, name) !== Object.hasOwn(after, name) || differs(before[name], after[name])),
  )

/** By its number; system collections keep none, there the values say it. */
export const isSameVersion = (a: Document, b: Document) =>
  a.__v !== undefined && b.__v !== undefined ? a.__v === b.__v : a === b || changedFields(a, b).length === 0
