import { useEffect, useRef, useState } from 'react'
import type { Document } from '../../../../contract/endpoints/database-view.ts'
import { extendRange, toggleDocument, togglePage, deselect, type Selection } from './document-selection.ts'

export type DocumentSelectionState = ReturnType<typeof useDocumentSelection>

const nothing: Selection = new Map()

/** The selected documents of one collection, across its pages. */
export function useDocumentSelection(rows: readonly Document[]) {
  const [selection, setSelection] = useState(nothing)
  const start = useRef<{ at: number; before: Selection }>(undefined)
  const rest = () => {
    start.current = undefined
  }
  useEffect(rest, [rows])

  const replace = (next: Selection) => {
    rest()
    setSelection(next)
  }
  return {
    selection,
    /** The next range starts at another row. */
    rest,
    toggle(at: number) {
      const row = rows[at]
      if (row === undefined) return
      const next = toggleDocument(selection, row)
      setSelection(next)
      start.current = { at, before: next }
    },
    /** Selects from the row where the range started. */
    stretch(from: number, to: number) {
      const { at, before } = (start.current ??= { at: from, before: selection })
      setSelection(extendRange(before, rows, at, to))
    },
    togglePage: () => replace(togglePage(selection, rows)),
    clear: () => replace(nothing),
    drop: (ids: readonly string[]) => replace(deselect(selection, ids)),
  }
}
