// How the columns of a collection are shown in this browser: hidden, added, width. Only the
// collections that were changed last are stored, so that the storage stays small.
import { jsonIn, readStored, writeStored } from '../../model/browser-storage.ts'
import { createStore, useStore } from '../../model/store.ts'

export interface ColumnPrefs {
  hidden: ReadonlySet<string>
  /** Shown although there are more columns than are shown by default. */
  picked: ReadonlySet<string>
  /** In px. With no entry at all, the browser measures. */
  widths: ReadonlyMap<string, number>
}

type AllPrefs = ReadonlyMap<string, ColumnPrefs>

const key = 'database-columns'
const maxCollections = 30
const maxNames = 100
export const noColumnPrefs: ColumnPrefs = { hidden: new Set(), picked: new Set(), widths: new Map() }

const prefs = createStore<AllPrefs>(typeof localStorage === 'undefined' ? new Map() : parseColumnPrefs(readStored(key)))
export const useColumnPrefs = (collection: string) => useStore(prefs).get(collection) ?? noColumnPrefs

export function setColumnPrefs(collection: string, next: ColumnPrefs): void {
  const all = new Map(prefs.get())
  all.delete(collection)
  if (next !== noColumnPrefs) all.set(collection, next)
  prefs.set(all)
  writeStored(key, all.size === 0 ? null : columnPrefsText(all))
}

/** Lists of pairs: a collection or a field may have any name, `__proto__` too. */
export function columnPrefsText(all: AllPrefs): string {
  const rows = [...all].map(([collection, { hidden, picked, widths }]) => [
    collection,
    [...hidden].slice(-maxNames),
    [...picked].slice(-maxNames),
    [...widths].slice(-maxNames),
  ])
  return JSON.stringify(rows.slice(-maxCollections))
}

/** Ignores what cannot be parsed: edited by hand or written by an older version. */
export function parseColumnPrefs(text: string | null): AllPrefs {
  const rows = jsonIn(text, key)
  return new Map(Array.isArray(rows) ? rows.filter(Array.isArray).flatMap(readRow) : [])
}

function readRow([collection, hidden, picked, widths]: unknown[]): [string, ColumnPrefs][] {
  if (typeof collection !== 'string') return []
  const pairs = list(widths).filter(
    (pair): pair is [string, number] =>
      Array.isArray(pair) && typeof pair[0] === 'string' && typeof pair[1] === 'number' && Number.isFinite(pair[1]),
  )
  return [[collection, { hidden: names(hidden), picked: names(picked), widths: new Map(pairs) }]]
}

// Function declarations: the storage is read before this line runs.
function list(given: unknown): unknown[] {
  return Array.isArray(given) ? given : []
}
function names(given: unknown): Set<string> {
  return new Set(list(given).filter((name) => typeof name === 'string'))
}
