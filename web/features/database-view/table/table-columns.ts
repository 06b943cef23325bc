// The columns of a page of documents: which exist, which are visible, and their widths. Pure.
import type { Document } from '../../../../contract/endpoints/database-view.ts'
import type { ColumnPrefs } from '../database-columns.ts'

/** More columns are not readable, and slow down rendering. */
export const maxShown = 40

/** In CSS pixels. */
export const widthBounds = { min: 72, max: 960, start: 168, step: 32 } as const

/** Every field name of the page: `_id` first, createdAt and __v last, the others in order of appearance. */
export function columnsOf(rows: readonly Document[]): string[] {
  const names = new Set(rows.flatMap((row) => Object.keys(row)))
  const last = ['createdAt', '__v'].filter((name) => names.has(name))
  for (const name of ['_id', ...last]) names.delete(name)
  return ['_id', ...names, ...last]
}

/** At most `maxShown`: `_id`, the columns the user added, the last two, and as many others as fit. */
export function shownColumns(columns: readonly string[], { hidden, picked }: ColumnPrefs): string[] {
  const wanted = columns.filter((name) => name === '_id' || !hidden.has(name))
  if (wanted.length <= maxShown) return wanted
  const isFirst = (name: string) => name === '_id' || picked.has(name)
  const isLast = (name: string) => name === 'createdAt' || name === '__v'
  const rank = (name: string) => (isFirst(name) ? 0 : isLast(name) ? 1 : 2)
  const shown = new Set(wanted.toSorted((a, b) => rank(a) - rank(b)).slice(0, maxShown))
  return wanted.filter((name) => shown.has(name))
}

export function withColumn(prefs: ColumnPrefs, name: string, isShown: boolean): ColumnPrefs {
  const [hidden, picked] = [new Set(prefs.hidden), new Set(prefs.picked)]
  const [from, to] = isShown ? [hidden, picked] : [picked, hidden]
  from.delete(name)
  to.add(name)
  return { ...prefs, hidden, picked }
}

/** @param measured the widths of all visible columns: once one column has a fixed width, the others are fixed too */
export function withWidth(
  prefs: ColumnPrefs,
  measured: ReadonlyMap<string, number>,
  name: string,
  width: number,
): ColumnPrefs {
  const bounded = Math.round(Math.min(Math.max(width, widthBounds.min), widthBounds.max))
  return { ...prefs, widths: new Map([...measured, ...prefs.widths, [name, bounded]]) }
}
