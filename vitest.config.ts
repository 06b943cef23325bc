import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { apiCatalogue } from './scripts/api-catalogue.ts'
import { embedTemplates } from './scripts/embed-templates.ts'
import { escaped, leftOutFiles, leftOutTitles, postgresFiles, scope, slow } from './scripts/test-selection.ts'

/** Modules of the page that hold state, such as who is logged in. Only these tests have modules of their own per file. */
const pageState = [
  'web/features/admin/admin-lists.test.ts',
  'web/features/admin/images/admin-images.test.ts',
  'web/features/admin/reports/admin-reports.test.ts',
  'web/features/admin/users/admin-users.test.ts',
  'web/features/database-view/{document-drafts,documents}.test.ts',
  'web/features/upload/engine/*.test.ts',
  'web/model/**/*.test.ts',
]

const leftOut = { quick: slow, short: Object.keys(leftOutFiles), all: [] }

const common = {
  exclude: [...configDefaults.exclude, ...leftOut[scope]],
  // A deadline is for what never ends. Tests start the real app and real decoder processes, and another run of all tests may
  // share the machine: then what takes two seconds takes twenty.
  testTimeout: 90_000,
  hookTimeout: 90_000,
  expect: { poll: { timeout: 45_000 } },
  // As in playwright.config.ts; the output names the tests that were retried. A project does not take it from the root.
  retry: process.env.CI === undefined ? 0 : 1,
  setupFiles: 'scripts/measure-unit-cpu.ts',
}

/** Tests of the server share state in folders, databases and processes of their own, not in modules. */
const serverTests = {
  ...common,
  // Fewer garbage collections: 5 % less CPU time.
  execArgv: ['--max-semi-space-size=64'],
  // Loads the server's modules, 1.5 s of work, once per worker instead of once per file.
  isolate: false,
}

const postgres = {
  test: {
    ...serverTests,
    name: 'postgres',
    // SQL must mean the same on both databases.
    include: postgresFiles.include,
    exclude: [...serverTests.exclude, ...postgresFiles.exclude],
    globalSetup: 'server/testing/postgres-setup.ts',
    setupFiles: [common.setupFiles, 'scripts/leave-out-on-postgres.ts'],
  },
}

/**
 * The longest files of a short run, 170 to 15 s each, which wait for processes or ask one server for minutes. Vitest starts large
 * files first, and some of these are small.
 */
const longest = [
  'faults/faults.test.ts',
  'server/http/uploads/upload-doors.test.ts',
  'server/imaging/pool/imaging.test.ts',
  'command/command.test.ts',
  'server/http/delivery/hot-responses.test.ts',
  'server/domain/images/image-races.test.ts',
  'server/http/delivery/image-access.test.ts',
  'server/cli/server-commands.test.ts',
]

/** Starts the longest files first, so that none of them runs alone at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const rank = ({ moduleId }: TestSpecification) =>
      longest.findIndex((name) => moduleId.endsWith(name)) + 1 || longest.length + 1
    return sorted.toSorted((one, other) => rank(one) - rank(other))
  }
}

export default defineConfig({
  test: {
    // Tests wait for other processes and disks, so that four workers beside two of the journeys keep two cores busy to the end. With
    // three, a core is idle for some of the last minute; a fifth loads the modules once more, and a run takes 6 % longer. A worker
    // has 0.4 GB of memory.
    maxWorkers: Math.max(4, availableParallelism()),
    ...(scope === 'short' && { testNamePattern: new RegExp(`^(?!.*(${leftOutTitles.map(escaped).join('|')}))`) }),
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        plugins: [embedTemplates(), apiCatalogue()],
        test: {
          ...common,
          name: 'all',
          include: ['{client,command,contract,web,e2e,bench,faults,fuzz,scripts}/**/*.test.{ts,tsx}'],
          exclude: [...common.exclude, ...pageState],
          isolate: false,
        },
      },
      { test: { ...common, name: 'page-state', pool: 'threads', include: pageState } },
      {
        test: { ...serverTests, name: 'server', include: ['server/**/*.test.ts'] },
      },
      ...(scope === 'quick' ? [] : [postgres]),
    ],
  },
})
