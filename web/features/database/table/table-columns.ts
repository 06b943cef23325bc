// Which columns a page of documents has, which of them are shown, and how wide. Pure.
import type { Document } from '../../../../contract/db-browser.ts'
import type { ColumnPrefs } from '../../../data/database-columns.ts'

/** More at once is more than anyone reads, and more cells than a browser draws at ease. */
export const maxShown = 40

/** In px. */
export const widthBounds = { min: 72, max: 960, start: 168, step: 32 } as const

/** Every field name of the page: `_id` first, createdAt and __v last, the others as they come. */
export function columnsOf(rows: readonly Document[]): string[] {
  const names = new Set(rows.flatMap((row) => Object.keys(row)))
  const last = ['createdAt', '__v'].filter((name) => names.has(name))
  for (const name of ['_id', ...last]) names.delete(name)
  return ['_id', ...names, ...last]
}

/** At most `maxShown`: `_id`, what was brought in by hand, the last two, and as many others as there is room for. */
export function shownColumns(columns: readonly string[], { hidden, picked }: ColumnPrefs): string[] {
  const wanted = columns.filter((name) => name === '_id' || !hidden.has(name))
  if (wanted.length <= maxShown) return wanted
  const isFirst = (name: string) => name === '_id' || picked.has(name)
  const isLast = (name: string) => name === 'createdAt' || name === '__v'
  const rank = (name: string) => (isFirst(name) ? 0 : isLast(name) ? 1 : 2)
  const kept = new Set(wanted.toSorted((a, b) => rank(a) - rank(b)).slice(0, maxShown))
  return wanted.filter((name) => kept.has(name))
}

export function withColumn(prefs: ColumnPrefs, name: string, isShown: boolean): ColumnPrefs {
  const [hidden, picked] = [new Set(prefs.hidden), new Set(prefs.picked)]
  const [from, to] = isShown ? [hidden, picked] : [picked, hidden]
  from.delete(name)
  to.add(name)
  return { ...prefs, hidden, picked }
}

/** @param measured of all columns on screen: as soon as one has a width of its own, the others keep theirs */
export function withWidth(
  prefs: ColumnPrefs,
  measured: ReadonlyMap<string, number>,
  name: string,
  width: number,
): ColumnPrefs {
  const bounded = Math.round(Math.min(Math.max(width, widthBounds.min), widthBounds.max))
  return { ...prefs, widths: new Map([...measured, ...prefs.widths, [name, bounded]]) }
}
