import { expect, test } from 'vitest'
import type { ReportCase } from '../../../../contract/endpoints/reports.ts'
import { mergeReportPages, withoutCases } from './admin-reports.ts'

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
  const after = mergeReportPages(withoutCases(list, new Set([id])))
  expect([after.cases.map((one) => one.id), after.total]).toEqual([left, total])
})
