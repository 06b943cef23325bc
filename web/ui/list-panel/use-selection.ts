import { useState } from 'react'
import { useDocumentKeys } from '../use-document-keys.ts'

/** Which rows are selected. A selected row that is no longer listed does not count. */
export function useSelection<Row>(rows: readonly Row[], keyOf: (row: Row) => string) {
  const [keys, select] = useState<ReadonlySet<string>>(new Set())

  function toggle(key: string): void {
    const next = new Set(keys)
    if (!next.delete(key)) next.add(key)
    select(next)
  }

  return {
    keys,
    selected: keys.size === 0 ? [] : rows.filter((row) => keys.has(keyOf(row))),
    /** How many could be selected. */
    loaded: rows.length,
    select,
    toggle,
    selectAll: () => select(new Set(rows.map(keyOf))),
    clear: () => select(new Set()),
  }
}

/** Clears the selection by Escape, which closes an open dialog or ends something else first. */
export function useClearByEscape(clear: () => void): void {
  useDocumentKeys((event) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    if (document.querySelector('dialog[open]') === null) clear()
  })
}
