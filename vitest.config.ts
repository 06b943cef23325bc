import { configDefaults, defineConfig } from 'vitest/config'
import { apiCatalogue } from './scripts/api-catalogue.ts'
import { embedTemplates } from './scripts/embed-templates.ts'
import { slow, sqliteOnly } from './scripts/test-selection.ts'

/** Set by `npm test -- quick`. */
const isQuick = process.env.QUICK_TESTS === '1'

const common = {
  exclude: [...configDefaults.exclude, ...(isQuick ? slow : [])],
  // Tests of the server start the real app and real decoder processes, which takes long on a busy machine.
  testTimeout: 20_000,
  hookTimeout: 30_000,
}

/** Tests of the server share state in folders, databases and processes of their own, not in modules. */
const serverTests = {
  ...common,
  // Loads the server's modules, 1.5 s of work, once per worker instead of once per file.
  isolate: false,
}

const postgres = {
  test: {
    ...serverTests,
    name: 'postgres',
    // SQL must mean the same on both databases.
    include: ['server/{domain,http}/**/*.test.ts'],
    exclude: [...serverTests.exclude, ...sqliteOnly],
    globalSetup: 'server/testing/postgres-setup.ts',
  },
}

export default defineConfig({
  test: {
    // Tests wait for other processes much of the time: two files at once use two cores.
    maxWorkers: 2,
    projects: [
      {
        plugins: [embedTemplates(), apiCatalogue()],
        test: { ...common, name: 'all', include: ['{contract,web,e2e,bench,faults,fuzz,scripts}/**/*.test.{ts,tsx}'] },
      },
      {
        test: { ...serverTests, name: 'server', include: ['server/**/*.test.ts'] },
      },
      ...(isQuick ? [] : [postgres]),
    ],
  },
})
