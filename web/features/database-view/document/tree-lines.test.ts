import { describe, expect, it } from 'vitest'
import { treeLines, type TreeLine, initiallyOpen, slicesOf, toggleNode } from './tree-lines.ts'

/** One line per node: `+` open, `-` closed, indented by level. */
const drawn = (lines: TreeLine[]) =>
  lines.map((line) => {
    const indent = '  '.repeat(line.level)
    if (line.kind === 'end') return `${indent}${line.isArray ? ']' : '}'}`
    const mark = line.isOpen === undefined ? '' : line.isOpen ? '+' : '-'
    const name = line.kind === 'slice' ? `${line.from}..${line.to - 1}` : JSON.stringify(line.name ?? null)
    return `${indent}${mark}${name}${line.isLast ? '' : ','}`
  })
const atFirst = (value: unknown) => drawn(treeLines(value, initiallyOpen(value)))
const find = (lines: TreeLine[], id: string) => {
  const line = lines.find((one) => one.id === id)
  if (line === undefined || line.kind === 'end') throw new Error(`There is no node ${id}`)
  return line
}

it('opens the first two levels, and no empty value', () => {
  const value = { name: 'a', address: { geo: { lat: 1 }, none: {} }, tags: ['x'], empty: [] }
  expect(atFirst(value)).toEqual([
    '+null',
    '  "name",',
    '  +"address",',
    '    -"geo",',
    '    "none"',
    '  }',
    '  +"tags",',
    '    0',
    '  ]',
    '  "empty"',
    '}',
  ])
})

it('opens and closes every node', () => {
  const value = { a: { b: { c: 1 } } }
  const open = initiallyOpen(value)
  const deeper = toggleNode(open, find(treeLines(value, open), '["a","b"]'))
  expect(drawn(treeLines(value, deeper))).toContain('      "c"')
  const closed = toggleNode(deeper, find(treeLines(value, deeper), '[]'))
  expect(drawn(treeLines(value, closed))).toEqual(['-null'])
})

describe('slices', () => {
  it.each<[number, number, [number, number][]]>([
    [0, 100, []],
    [
      0,
      101,
      [
        [0, 100],
        [100, 101],
      ],
    ],
    [
      100,
      350,
      [
        [100, 200],
        [200, 300],
        [300, 350],
      ],
    ],
  ])('of %i to %i', (from, to, slices) => expect(slicesOf(from, to)).toEqual(slices))

  it('are divided again when there are many', () => {
    const slices = slicesOf(0, 100_000)
    expect(slices).toHaveLength(10)
    expect(slices.at(-1)).toEqual([90_000, 100_000])
    expect(slicesOf(90_000, 100_000)).toHaveLength(100)
    expect(slicesOf(99_900, 100_000)).toEqual([])
  })

  it('show the first of 100,000 items at once and lead to the last', () => {
    const value = { items: Array.from({ length: 100_000 }, (_, at) => at) }
    let open = initiallyOpen(value)
    expect(treeLines(value, open)).toHaveLength(2 + 10 + 100 + 100 + 2)
    for (const id of ['["items"]90000-100000', '["items"]99900-100000'])
      open = toggleNode(open, find(treeLines(value, open), id))
    expect(find(treeLines(value, open), '["items",99999]').value).toBe(99_999)
  })
})

it('opens at most a few hundred lines initially', () => {
  const wide = Object.fromEntries(
    Array.from({ length: 100 }, (_, at) => [`field${at}`, Array.from({ length: 90 }, () => 0)]),
  )
  expect(treeLines(wide, initiallyOpen(wide)).length).toBeLessThan(700)
  expect(treeLines(wide, initiallyOpen(wide)).length).toBeGreaterThan(200)
})

it('handles unusual keys', () => {
  const value: unknown = JSON.parse('{"__proto__":{"x":1},"":{"a.b":null},"constructor":true}')
  expect(atFirst(value)).toEqual([
    '+null',
    '  +"__proto__",',
    '    "x"',
    '  }',
    '  +"",',
    '    "a.b"',
    '  }',
    '  "constructor"',
    '}',
  ])
})
