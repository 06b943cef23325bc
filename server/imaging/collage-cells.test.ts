import { describe, expect, it } from 'vitest'
import { limits } from '../../contract/plain/limits.ts'
import { cellOf, columnsFor } from './collage-cells.ts'

const { widthPx, heightPx, gapPx } = limits.share.collage

describe('a collage', () => {
  const [portrait, landscape, square] = [
    { width: 900, height: 1200 },
    { width: 1200, height: 800 },
    { width: 1000, height: 1000 },
  ]

  it.each([
    ['four portraits', [portrait, portrait, portrait, portrait], 4],
    ['three portraits and a square', [portrait, portrait, square, portrait], 4],
    ['four landscapes', [landscape, landscape, landscape, landscape], 2],
    ['four squares', [square, square, square, square], 2],
    ['two of each', [portrait, landscape, portrait, landscape], 2],
  ])('of %s has the columns that crop the least', (_name, shown, columns) => {
    expect(columnsFor(shown)).toBe(columns)
  })

  it.each([2, 4])('of %i columns fills the picture, with the same gap between all cells', (columns) => {
    const cells = [0, 1, 2, 3].map((at) => cellOf(at, columns))
    for (const [at, { left, top, width, height }] of cells.entries()) {
      const [right, below] = [cells[at + 1], cells[at + columns]]
      expect(left + width).toBe((at + 1) % columns === 0 ? widthPx : (right?.left ?? 0) - gapPx)
      expect(top + height).toBe(at + columns < 4 ? (below?.top ?? 0) - gapPx : heightPx)
      expect([left, top, width, height].every(Number.isInteger)).toBe(true)
    }
  })
})
