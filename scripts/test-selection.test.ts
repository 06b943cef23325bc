// Checks that the selection of test files follows the files.
import { readdirSync, readFileSync } from 'node:fs'
import { matchesGlob } from 'node:path'
import { expect, it } from 'vitest'
import { slow, sqliteOnly } from './test-selection.ts'

const root = new URL('..', import.meta.url).pathname
const tests = ['bench', 'command', 'faults', 'fuzz', 'server'].flatMap((folder) =>
  readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path}`)
    .filter((path) => path.endsWith('.test.ts')),
)

it('every pattern of the selection matches a test file', () => {
  expect([...sqliteOnly, ...slow].filter((pattern) => !tests.some((path) => matchesGlob(path, pattern)))).toEqual([])
})

it('a test that distinguishes PostgreSQL runs on PostgreSQL', () => {
  expect(sqliteOnly.filter((path) => readFileSync(root + path, 'utf8').includes('postgresUrl'))).toEqual([])
})
