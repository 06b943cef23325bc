import { expect, test } from 'vitest'
import type { ReportCase } from '../../../../contract/endpoints/reports.ts'
import { mergePages, withoutRows } from '../../../model/row-list.ts'

const item = (id: string) => ({ id }) as unknown as ReportCase
const list = {
  pages: [
    { items: [item('a'), item('b')], total: 3, next: 'x' },
    { items: [item('c')], total: 3, next: undefined },
  ],
  pageParams: [undefined, 'x'],
}

test.each([
  ['a', ['b', 'c'], 2],
  ['c', ['a', 'b'], 2],
  ['elsewhere', ['a', 'b', 'c'], 3],
])('a decision about %s removes it from the loaded list', (id, left, total) => {
  const after = mergePages(withoutRows(list, (reported) => reported.id === id))
  expect([after.rows.map((one) => one.id), after.total]).toEqual([left, total])
})
