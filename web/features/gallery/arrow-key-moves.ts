// The tile that a key moves to, by the layout on screen.
import { type Layout, rowAt, rowOf } from './justify.ts'

/**
 * @param pageHeight distance of PageUp and PageDown in px
 * @returns the tile, undefined for other keys
 */
export function moveTo(layout: Layout, from: number, key: string, pageHeight: number): number | undefined {
  const last = layout.left.length - 1
  const row = rowOf(layout, from)
  switch (key) {
    case 'ArrowLeft':
      return Math.max(0, from - 1)
    case 'ArrowRight':
      return Math.min(last, from + 1)
    case 'ArrowUp':
      return nearestInRow(layout, from, row - 1)
    case 'ArrowDown':
      return nearestInRow(layout, from, row + 1)
    case 'PageUp':
      return nearestInRow(layout, from, pagedRow(layout, row, -pageHeight))
    case 'PageDown':
      return nearestInRow(layout, from, pagedRow(layout, row, pageHeight))
    case 'Home':
      return 0
    case 'End':
      return last
    default:
      return undefined
  }
}

/** Moves by at least one row, however high the rows are. */
function pagedRow({ rowTop }: Layout, row: number, px: number): number {
  const found = rowAt(rowTop, (rowTop[row] ?? 0) + px)
  return px > 0 ? Math.max(row + 1, found) : Math.min(row - 1, found)
}

/** The tile of a row that is nearest to `from`; `from` itself beyond the first or last row. */
function nearestInRow(layout: Layout, from: number, row: number): number {
  const { rowFirst, rowTop } = layout
  const isBeyond = row < 0 || row >= rowTop.length
  if (isBeyond) return from
  let best = rowFirst[row] ?? 0
  for (let at = best; at < (rowFirst[row + 1] ?? 0); at += 1) {
    if (distance(layout, at, from) < distance(layout, best, from)) best = at
  }
  return best
}

const middle = ({ left, width }: Layout, at: number) => (left[at] ?? 0) + (width[at] ?? 0) / 2
const distance = (layout: Layout, one: number, other: number) => Math.abs(middle(layout, one) - middle(layout, other))
