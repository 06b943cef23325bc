import { useState } from 'react'

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
