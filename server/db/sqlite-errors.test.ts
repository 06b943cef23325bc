import { expect, it } from 'vitest'
import { translateSqliteError, sqliteErrorKind } from './sqlite-errors.ts'

/**
 * An error as the drivers throw it: in one of them, statements that return rows fail without
 * `errcode`.
 */
const sqlite = (message: string, errcode?: number) =>
  Object.assign(new Error(message), { code: 'ERR_SQLITE_ERROR', ...(errcode === undefined ? {} : { errcode }) })

it.each([
  ['busy', 'database is locked', 5],
  ['busy', 'database is locked', 517],
  ['busy', 'database table is locked', 6],
  ['busy', 'database schema is locked: main', 6],
  ['full', 'database or disk is full', 13],
  ['damaged', 'database disk image is malformed', 11],
  ['damaged', 'malformed database schema (t)', 11],
  ['damaged', 'file is not a database', 26],
] as const)('an SQLite error is %s: %s, with code %i and by message alone', (trouble, message, code) => {
  expect(sqliteErrorKind(sqlite(message, code))).toBe(trouble)
  expect(sqliteErrorKind(sqlite(message))).toBe(trouble)
})

it('errors are translated for callers, with the SQLite error as the cause', () => {
  const [busy, full, damaged] = [sqlite('database is locked'), sqlite('', 13), sqlite('file is not a database')]
  expect(translateSqliteError(busy, '/data/db')).toMatchObject({ name: 'DatabaseUnavailable', cause: busy })
  expect(translateSqliteError(full, '/data/db')).toMatchObject({ code: 'ENOSPC', cause: full })
  expect(translateSqliteError(damaged, '/data/db')).toMatchObject({ name: 'DatabaseDamaged', cause: damaged })
  expect(translateSqliteError(damaged, '/data/db')).toMatchObject({ message: expect.stringContaining('/data/db') })
})

it.each([
  sqlite('malformed JSON'),
  sqlite('malformed JSON', 1),
  sqlite('UNIQUE constraint failed: users.email', 2067),
  sqlite('disk I/O error', 10),
  new Error('database is locked'),
  'no error',
  null,
])('errors that are not of SQLite are not translated: %s', (error) => {
  expect(sqliteErrorKind(error)).toBeUndefined()
  expect(translateSqliteError(error, '/data/db')).toBe(error)
})
