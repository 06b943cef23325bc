import { configDefaults, defineConfig } from 'vitest/config'
import { apiCatalogue } from './scripts/api-catalogue.ts'
import { embedTemplates } from './scripts/embed-templates.ts'

const common = {
  exclude: configDefaults.exclude,
  // The tests of the server start the real app and real decoder processes; on a busy machine that takes its time.
  testTimeout: 20_000,
  hookTimeout: 30_000,
}

/** Tests of the server keep what they share in folders, databases and processes of their own, not in modules. */
const ofServer = {
  ...common,
  // So the modules of the server, a second and a half of work, are loaded once in a worker, not once in a file.
  isolate: false,
}

export default defineConfig({
  test: {
    // Much of the time goes by in other processes: two files at once fill two cores.
    maxWorkers: 2,
    projects: [
      {
        plugins: [embedTemplates(), apiCatalogue()],
        test: { ...common, name: 'all', include: ['{contract,web,e2e,bench,faults,fuzz,scripts}/**/*.test.{ts,tsx}'] },
      },
      {
        test: { ...ofServer, name: 'server', include: ['server/**/*.test.ts'] },
      },
      {
        // SQL must mean the same on both databases: what touches it runs once more, on PostgreSQL.
        test: {
          ...ofServer,
          name: 'postgres',
          include: ['server/{domain,http}/**/*.test.ts'],
          globalSetup: 'server/testing/postgres-setup.ts',
        },
      },
    ],
  },
})
