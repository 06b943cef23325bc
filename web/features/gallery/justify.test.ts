import { expect, test } from 'vitest'
import { justify, type Layout, rangeInView, rowHeightFor, rowOf, stack, tileGap } from './justify.ts'
import { moveTo } from './arrow-key-moves.ts'

/** A fixed mix of ratios, so that a failure is reproducible. */
const mixed = (count: number) =>
  Array.from({ length: count }, (_, at) => [150, 67, 133, 100, 178, 75, 56][(at * 5) % 7]!)
const rows = ({ rowFirst, rowTop }: Layout) =>
  Array.from(rowTop, (_, row) =>
    Array.from({ length: rowFirst[row + 1]! - rowFirst[row]! }, (_, n) => rowFirst[row]! + n),
  )

test.each([
  ['nothing', [], 1000, [], 0],
  ['one picture is not stretched', [150], 1000, [[0]], 200],
  ['one that is wider than the list is made to fit', [300], 400, [[0]], 133],
  ['a full row, and a last one that is not stretched', [150, 150, 150, 150], 916, [[0, 1, 2], [3]], 408],
  ['a very narrow image is cropped to a tile that can be tapped', [0.01, 1, 150], 1000, [[0, 1, 2]], 200],
  ['a panorama is cropped so that its row is not too low', [100_000, 150], 640, [[0], [1]], 408],
])('justified rows: %s', (_, ratios, width, expected, height) => {
  const layout = justify(ratios, width, 200)
  expect(rows(layout)).toEqual(expected)
  expect(layout.height).toBe(height)
})

test.each([320, 684, 1392, 2160, 3792])('at %d px the rows are full, near the target and equally spaced', (width) => {
  const layout = justify(mixed(500), width, 190)
  const all = rows(layout)
  all.forEach((tiles, row) => {
    const edges = tiles.map((at) => [layout.left[at]!, layout.left[at]! + layout.width[at]!] as const)
    edges.slice(1).forEach(([left], n) => expect(Math.abs(left - edges[n]![1] - tileGap)).toBeLessThanOrEqual(1))
    if (row === all.length - 1) return
    expect(edges[0]![0]).toBe(0)
    expect(Math.abs(edges.at(-1)![1] - width)).toBeLessThanOrEqual(1)
    expect(layout.rowHeight[row]).toBeGreaterThan(190 / 2)
    expect(layout.rowHeight[row]).toBeLessThan(190 * 2)
  })
  expect(all.flat()).toEqual(mixed(500).map((_, at) => at))
})

test('the work for 100,000 images is four times that for 25,000', () => {
  const readsFor = (count: number) => {
    let reads = 0
    const ratios = new Proxy(mixed(count), {
      get: (target, key, receiver) => {
        reads++
        return Reflect.get(target, key, receiver)
      },
    })
    expect(justify(ratios, 1392, 190).rowFirst.at(-1)).toBe(count)
    return reads
  }
  expect(readsFor(100_000) / readsFor(25_000)).toBeLessThan(5)
})

const list = stack(100, 600, 50)
test.each([
  ['at the top', [0, 100, 0], [0, 2]],
  ['a row that shows one pixel counts', [99, 101, 0], [1, 3]],
  ['above the list', [-500, -100, 0], [0, 1]],
  ['beyond its end', [9000, 9500, 0], [99, 100]],
  ['with overscan', [1000, 1100, 120], [17, 25]],
  ['overscan up to the most tiles', [1000, 1100, 1000, 6], [18, 24]],
  ['more in view than the most', [1000, 1500, 100, 4], [20, 30]],
] as const)('the range in view: %s', (_, [top, bottom, overscan, most], [first, end]) => {
  expect(rangeInView(list, top, bottom, overscan, most)).toEqual({ first, end })
})

test('an empty list has an empty range', () => {
  expect(rangeInView(justify([], 1000, 200), 0, 900)).toEqual({ first: 0, end: 0 })
})

test.each([
  [360, 800, 132],
  [1440, 900, 190.8],
  [3840, 2160, 340],
])('the row height for a window of %d x %d', (width, height, expected) => {
  expect(rowHeightFor(width, height, [150])).toBeCloseTo(expected)
})

test.each([
  [3840, 2160, [67]],
  [1440, 2560, [100]],
  [2160, 3840, mixed(100)],
])('a window of %d x %d never shows more than 80 tiles', (width, height, ratios) => {
  const many = Array.from({ length: 2000 }, (_, at) => ratios[at % ratios.length]!)
  const layout = justify(many, width, rowHeightFor(width, height, many))
  for (let top = 0; top < layout.height - height; top += 97) {
    const { first, end } = rangeInView(layout, top, top + height, 600, 80)
    expect(end - first).toBeLessThanOrEqual(80)
  }
})

// Rows of 3, 3 and 1: [0 1 2] [3 4 5] [6]
const grid = justify([150, 150, 150, 150, 150, 150, 150], 916, 200)
test.each([
  [0, 'ArrowLeft', 0],
  [2, 'ArrowRight', 3],
  [1, 'ArrowDown', 4],
  [5, 'ArrowDown', 6],
  [6, 'ArrowDown', 6],
  [4, 'ArrowUp', 1],
  [1, 'ArrowUp', 1],
  [1, 'PageDown', 6],
  [6, 'PageUp', 0],
  [4, 'Home', 0],
  [4, 'End', 6],
  [4, 'Enter', undefined],
])('from tile %d the key %s moves to %s', (from, key, to) => {
  expect(rowOf(grid, from)).toBe(Math.floor(from / 3))
  expect(moveTo(grid, from, key, 420)).toBe(to)
})
