// Where the images of a collage are: two by two, or side by side.
import { limits } from '../../contract/plain/limits.ts'

const { widthPx, heightPx, gapPx, images } = limits.share.collage

interface Cell {
  left: number
  top: number
  width: number
  height: number
}

/** Whole pixels: cells may differ by one. */
export function cellOf(at: number, columns: number): Cell {
  const across = span(at % columns, columns, widthPx)
  const down = span(Math.floor(at / columns), images / columns, heightPx)
  return { left: across.from, top: down.from, width: across.size, height: down.size }
}

function span(at: number, parts: number, total: number): { from: number; size: number } {
  const edge = (n: number) => Math.round((n * (total + gapPx)) / parts)
  return { from: edge(at), size: edge(at + 1) - edge(at) - gapPx }
}

/** @returns the number of columns that crops the least: four for portraits, otherwise two */
export const columnsFor = (shown: readonly { width: number; height: number }[]): 2 | 4 =>
  visiblePart(shown, 4) > visiblePart(shown, 2) ? 4 : 2

/** How much of the images is left after the crop, added up. */
function visiblePart(shown: readonly { width: number; height: number }[], columns: number): number {
  return shown.reduce((sum, image, at) => {
    const cell = cellOf(at, columns)
    const ratio = image.width / image.height / (cell.width / cell.height)
    return sum + Math.min(ratio, 1 / ratio)
  }, 0)
}
