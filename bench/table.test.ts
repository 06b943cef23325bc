import { expect, test } from 'vitest'
import { memoryRow } from './statistics.ts'
import type { Row } from './benchmark.ts'
import { formatTable } from './table.ts'

const base: Row = { what: 'bare', unit: '/s', median: 39.94, spread: [38, 41.26], cpuMs: 46.72, ratio: 1 }

test('a row has a cell for each column, and a missed goal is visible', () => {
  const missed: Row = { ...base, what: 'product', median: 12_345.6, ratio: 0.499, goal: { atLeast: 0.5 } }
  expect(formatTable({ title: 'Cold', rows: [base, missed], notes: ['A note.'] }).split('\n')).toEqual([
    '### Cold',
    '',
    '|  | median | spread | CPU ms | ratio | goal |  |',
    '|---|---|---|---|---|---|---|',
    '| bare | 39.9/s | 38 to 41.3 | 46.7 | 1.00 |  |  |',
    '| product | 12,300/s | 38 to 41.3 | 46.7 | 0.50 | >= 0.5 | MISSED |',
    '',
    'A note.',
  ])
})

test('a goal applies to the ratio, or else to the median', () => {
  const verdict = (row: Partial<Row>) =>
    formatTable({ rows: [{ what: '', unit: 'MB', median: 310, ...row }] }).slice(-9)
  expect(verdict({ goal: { atMost: 300 } })).toBe(' MISSED |')
  expect(verdict({ goal: { atMost: 450 } })).toContain(' ok |')
  expect(verdict({ ratio: 2, goal: { atMost: 2 } })).toContain(' ok |')
  const unread = formatTable({ rows: [memoryRow('x', undefined, 300)] })
  expect(unread).toContain('| x | unknown MB |')
  expect(unread).toMatch(/ <= 300 \| not judged \|$/)
})

test('a page with missing images misses its goal', () => {
  const row: Row = { ...base, responses: '58 x 200, 42 x 503', ratio: Infinity, goal: { atMost: 1.25 } }
  expect(formatTable({ rows: [row] })).toContain('| 58 x 200, 42 x 503 | Infinity | <= 1.25 | MISSED |')
})

test('memory of a server and its decoder share one cell', () => {
  expect(formatTable({ rows: [{ ...base, peakMB: [142.4, 310.6] }] })).toContain('| 142 + 311 |')
})
