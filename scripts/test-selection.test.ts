// Checks that the selection of tests follows the files, and that a short run has all SQL on PostgreSQL.
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { matchesGlob } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { tool } from './run.mjs'
import {
  leftOutFiles,
  leftOutJourneys,
  leftOutOnPostgres,
  leftOutTitles,
  mainFlows,
  onPostgres,
  onPostgresInAll,
  patternOf,
  scope,
  shortFaults,
  slow,
  sqliteOnly,
} from './test-selection.ts'

const root = new URL('..', import.meta.url).pathname
const filesIn = (folder: string) =>
  readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path}`)
    .filter((path) => path.endsWith('.ts'))
const tests = ['bench', 'command', 'e2e', 'faults', 'fuzz', 'scripts', 'server']
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

it('every title that a short run leaves out on PostgreSQL is that of a test which it has there', () => {
  for (const [path, titles] of Object.entries(leftOutOnPostgres)) {
    expect(path in onPostgres && !onPostgresInAll.includes(path)).toBe(true)
    expect(titles.filter((title) => !source(path).includes(title))).toEqual([])
  }
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
  /\bsql(<[^`]*>)?`|\bsql\.\w+\(|\bonConflict\b|\bforUpdate\b|\bskipLocked\b|\block(InTransaction|User)\b|\bnum(Updated|Deleted|Affected)Rows\b/

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

/** SQL of which Kysely does not know what it means, and locks. */
const handWritten = /\bsql(<[^`]*>)?`|\bsql\.\w+\(|\bforUpdate\b|\bskipLocked\b|\blockInTransaction\b/

it('a short run has SQL by hand and locks on PostgreSQL', () => {
  expect(onPostgresInAll.filter((path) => !(path in onPostgres))).toEqual([])
  const covered = onPostgresInAll.flatMap((path) => [
    path.replace('.test.ts', '.ts'),
    ...(onPostgres[path] ?? []).map((name) => `server/domain/${name}.ts`),
  ])
  const existing = covered.filter((path) => existsSync(root + path))
  expect(existing.filter((path) => handWritten.test(source(path)))).toEqual([])
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

interface Journey {
  file: string
  title: string
  /** As Playwright matches it: 'share.spec.ts without script the share page shows the image'. */
  text: string
}

/** @param files default: all */
async function listJourneys(scope: string, files: string[] = []): Promise<Journey[]> {
  const args = [tool('@playwright/test/cli.js'), 'test', '--list', ...files]
  const env = { ...process.env, TEST_SCOPE: scope }
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, env })
  return stdout
    .split('\n')
    .map((line) => line.trim().split(' › '))
    .filter(({ length }) => length > 1)
    .map(([place = '', ...titles]) => {
      const file = place.replace(/:.*/, '')
      return { file, title: titles.at(-1) ?? '', text: [file, ...titles].join(' ') }
    })
}

// Listing them takes 4 s of CPU time: each night.
describe.skipIf(scope === 'short')('journeys', async () => {
  const all = scope === 'short' ? [] : await listJourneys('all')
  const entries = Object.entries(leftOutJourneys)
  const isLeftOut = ({ file, title }: Journey) => {
    const entry = leftOutJourneys[file]
    if (entry === undefined) return false
    const startsWith = (beginning: string) => title.startsWith(beginning)
    return entry.tests?.some(startsWith) ?? !entry.except?.some(startsWith)
  }
  const short = all.filter((journey) => !isLeftOut(journey))

  it('every beginning of a title that the selection names is that of a journey', () => {
    const named = entries.flatMap(([name, { tests, except }]) =>
      (tests ?? except ?? ['']).map((beginning) => ({ name, beginning })),
    )
    const isFound = ({ name, beginning }: { name: string; beginning: string }) =>
      all.some(({ file, title }) => file === name && title.startsWith(beginning))
    expect(named.filter((one) => !isFound(one))).toEqual([])
  })

  it('a short run leaves out what the selection names, and nothing else', async () => {
    const texts = (journeys: Journey[]) => journeys.map(({ text }) => text).toSorted()
    // Of files that a short run leaves out in part, in full, and not at all. To list all of them takes another 4 s.
    const sample = ['share.spec.ts', 'srcset.spec.ts', 'keyboard.spec.ts']
    expect(texts(await listJourneys('short', sample))).toEqual(texts(short.filter(({ file }) => sample.includes(file))))
    const patterns = entries.map(([file, what]) => patternOf(file, what))
    expect(texts(all.filter(({ text }) => patterns.some((pattern) => pattern.test(text))))).toEqual(
      texts(all.filter(isLeftOut)),
    )
  })

  it.each(Object.entries(mainFlows))('a short run has a journey of the flow %s', (_, beginning) => {
    expect(short.filter(({ title }) => title.startsWith(beginning))).toHaveLength(1)
  })
})
