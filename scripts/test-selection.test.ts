// Checks that the selection of tests follows the files, and that a short run has all SQL on PostgreSQL.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { matchesGlob } from 'node:path'
import { expect, it } from 'vitest'
import { leftOutFiles, leftOutTitles, onPostgres, shortFaults, slow, sqliteOnly } from './test-selection.ts'

const root = new URL('..', import.meta.url).pathname
const filesIn = (folder: string) =>
  readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path}`)
    .filter((path) => path.endsWith('.ts'))
const tests = ['bench', 'command', 'e2e', 'faults', 'fuzz', 'server']
  .flatMap(filesIn)
  .filter((path) => path.endsWith('.test.ts'))
const source = (path: string) => readFileSync(root + path, 'utf8')

it('every pattern of the selection matches a test file', () => {
  const patterns = [...sqliteOnly, ...slow, ...Object.keys(onPostgres), ...Object.keys(leftOutFiles)]
  expect(patterns.filter((pattern) => !tests.some((path) => matchesGlob(path, pattern)))).toEqual([])
})

it('every title that a short run leaves out is that of a test', () => {
  const sources = tests.map(source).join('\n')
  expect(leftOutTitles.filter((title) => !sources.includes(title))).toEqual([])
})

it('a test that distinguishes PostgreSQL runs on PostgreSQL', () => {
  expect(sqliteOnly.filter((path) => source(path).includes('postgresUrl'))).toEqual([])
  const distinguishing = tests
    .filter((path) => /^server\/(domain|http)\//.test(path))
    .filter((path) => source(path).includes('postgresUrl'))
  expect(distinguishing.filter((path) => !(path in onPostgres))).toEqual([])
})

it('no test is both on PostgreSQL and on SQLite only', () => {
  expect(sqliteOnly.filter((path) => path in onPostgres)).toEqual([])
})

/**
 * SQL that may mean something else on PostgreSQL, or meets another request there: written by hand, an insert that gives way to
 * an existing row, a lock, or a change whose effect is counted.
 */
const ownSql =
  /\bsql(<[^`]*>)?`|\bsql\.\w+\(|\bonConflict\b|\bforUpdate\b|\bskipLocked\b|\blockInTransaction\b|\bnum(Updated|Deleted|Affected)Rows\b/

it('every module with SQL of its own is covered by a test on PostgreSQL, or its test runs on SQLite only by choice', () => {
  const modules = ['server/domain', 'server/http'].flatMap(filesIn).filter((path) => !path.endsWith('.test.ts'))
  const covered = new Set(Object.values(onPostgres).flatMap((names) => names.map((name) => `server/domain/${name}.ts`)))
  const decided = (path: string) => {
    const test = path.replace('.ts', '.test.ts')
    return covered.has(path) || test in onPostgres || sqliteOnly.includes(test)
  }
  expect(modules.filter((path) => ownSql.test(source(path))).filter((path) => !decided(path))).toEqual([])
  expect([...covered].filter((path) => !ownSql.test(source(path)))).toEqual([])
})

it.each([
  'sql`now()`',
  'sql<number>`count(*)`',
  'insert.onConflict((row) => row.doNothing())',
  'if (numUpdatedRows === 0n) throw new Failure()',
])('%s is SQL of its own', (code) => {
  expect(code).toMatch(ownSql)
})

it('the faults of a short run exist', () => {
  expect(shortFaults.filter((name) => !existsSync(`${root}faults/${name}.fault.ts`))).toEqual([])
})
