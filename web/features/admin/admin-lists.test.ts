import { expect, test } from 'vitest'
import type { User } from '../../../contract/endpoints/accounts.ts'
import type { Backup } from '../../../contract/endpoints/backups.ts'
import { endedBackups, hasRunning } from './backups/admin-backups.ts'
import { withoutRows } from '../../model/row-list.ts'
import { mergeUserPages, withUser } from './users/admin-users.ts'

const backup = (id: string, status: Backup['status']) => ({ id, status }) as Backup
const user = (id: string) => ({ id }) as User
const page = (ids: string[], total: number, next?: string) => ({ items: ids.map(user), total, next })

test.each([
  ['a backup that ran and has completed', [backup('a', 'running')], [backup('a', 'completed')], ['a']],
  ['a backup that ran and has failed', [backup('a', 'running')], [backup('a', 'failed')], ['a']],
  ['a backup that still runs', [backup('a', 'running')], [backup('a', 'running')], []],
  ['a backup that had completed before', [backup('a', 'completed')], [backup('a', 'completed')], []],
  ['a backup that was not listed before', [], [backup('a', 'completed')], []],
  ['a backup that was deleted', [backup('a', 'running')], [], []],
])('%s', (_, before, now, ended) => {
  expect(endedBackups(before, now).map(({ id }) => id)).toEqual(ended)
})

test('an unknown list has no running backup', () => {
  expect(
    [undefined, [], [backup('a', 'failed')], [backup('a', 'failed'), backup('b', 'running')]].map(hasRunning),
  ).toEqual([false, false, false, true])
})

test('an account that two pages have is listed once, and the newest total counts', () => {
  const { rows, total } = mergeUserPages({
    pages: [page(['a', 'b'], 4, 'x'), page(['b', 'c'], 5)],
    pageParams: [undefined, 'x'],
  })
  expect(rows.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
  expect(total).toBe(5)
})

test('a new account is first, and the total of all pages rises', () => {
  const pages = { pages: [page(['a', 'b'], 3, 'x'), page(['c'], 3)], pageParams: [undefined, 'x'] }
  expect(withUser(pages, user('d')).pages).toEqual([page(['d', 'a', 'b'], 4, 'x'), page(['c'], 4)])
})

test('a new account that was already loaded is listed once', () => {
  const pages = { pages: [page(['a'], 1)], pageParams: [undefined] }
  expect(withUser(pages, user('a'))).toBe(pages)
})

test('a deleted account leaves its page and the total of all pages', () => {
  const pages = { pages: [page(['a', 'b'], 3, 'x'), page(['c'], 3)], pageParams: [undefined, 'x'] }
  expect(withoutRows(pages, ({ id }) => id === 'c').pages).toEqual([page(['a', 'b'], 2, 'x'), page([], 2)])
})

test('a list without the deleted account stays the same', () => {
  const pages = { pages: [page(['a'], 1)], pageParams: [undefined] }
  expect(withoutRows(pages, ({ id }) => id === 'b')).toBe(pages)
})
