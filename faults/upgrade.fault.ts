// F15: databases of every older schema version, with rows, are migrated, and the process is killed at each statement of the
// migration. The database then has either the old or the new schema, and the next start completes the migration.
import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startServer } from '../e2e/server.ts'
import { migrate, migrationNames } from '../server/db/migrate.ts'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../server/db/schema.ts'
import { atLeast, type Finding, type Form, none, type Scenario, info } from './scenario.ts'
import {
  type Copy,
  postgresTemplates,
  type DatabaseTemplates,
  settingsOf,
  sqliteTemplates,
  using,
} from './upgrade/databases.ts'
import { type SchemaFixture, schemaFixtures } from './upgrade/schema-versions.ts'
import { refusalOfNewer } from './upgrade/newer.ts'
import { missingForPostgres } from './postgres-available.ts'
import type { Defer } from './resources.ts'
import { lossesIn, type State, stateOf } from './upgrade/database-state.ts'

const runFile = promisify(execFile)
const processUnderTest = fileURLToPath(new URL('upgrade/process-under-test.mjs', import.meta.url))
/** The short form is killed at these shares of the longest migration only; the last is right after the commit. */
const shortShares = [0.6, 1]
/** The full form at these shares of a longer migration that it does not sweep. */
const fullShares = [0.2, 0.4, 0.6, 0.8, 1]
const maxSweptStatements = 30

export const scenario: Scenario = {
  id: 'F15',
  title: 'upgrades from every older form of the tables, killed at each statement',
  // The short form migrates SQLite only.
  missing: async (form) => (form === 'full' ? missingForPostgres() : undefined),
  run,
}

interface Found {
  wrongs: string[]
  kills: number
  refusals: string[]
}

async function run(form: Form, defer: Defer): Promise<Finding[]> {
  const found: Found = { wrongs: [], kills: 0, refusals: [] }
  const unknown = migrationNames.filter((name) => !schemaFixtures.some(({ migration }) => migration === name))
  for (const open of form === 'full' ? [sqliteTemplates, postgresTemplates] : [sqliteTemplates]) {
    const shelf = await open(defer)
    await upgradeAll(shelf, form, found)
    if (form === 'full') console.log(`  ${shelf.name}: ${found.kills} kills so far, ${found.wrongs.length} wrongs`)
  }
  return [
    none('forms of the tables without rows in schema-versions.ts', unknown),
    info('older forms', schemaFixtures.length),
    atLeast('kills', found.kills, form === 'full' ? 150 : shortShares.length),
    none('databases that were neither old nor new, or lost something on the way', found.wrongs),
    none('newer databases that were not refused with a sentence, or touched', found.refusals),
  ]
}

async function upgradeAll(shelf: DatabaseTemplates, form: Form, found: Found): Promise<void> {
  const newest = await upgraded(await shelf.copy())
  let old = await shelf.copy()
  for (let at = 0; at <= schemaFixtures.length; at++) {
    const held = schemaFixtures.slice(0, at)
    const level = held.at(-1)
    if (level) old = await withRowsOf(level, await shelf.copy(old))
    const before = await using(old, stateOf)
    const trial: Trial = { shelf, old, before, newest, held }
    const copy = await shelf.copy(old)
    const isSwept = form === 'full' || at === 1
    const statements = isSwept ? Number(await dieAt(copy, undefined)) : 0
    found.wrongs.push(...(await using(copy, (db) => migratedLosses(db, trial))))
    for (const killAt of form === 'full' ? killsOf(at, statements) : someOf(statements, shortShares)) {
      found.kills++
      found.wrongs.push(...(await killed(trial, killAt)))
    }
    if (form === 'full') found.wrongs.push(...(await started(trial)))
  }
  found.refusals.push(...(await refusalOfNewer(await shelf.copy(old))))
}

/**
 * Each statement from an empty database, from the oldest form with rows and from the newest forms. All forms in full would be
 * the square of the migrations: 6,000 kills.
 */
const killsOf = (at: number, statements: number) =>
  at <= 1 || statements <= maxSweptStatements
    ? Array.from({ length: statements }, (_, n) => n + 1)
    : someOf(statements, fullShares)

const someOf = (count: number, shares: readonly number[]) =>
  count === 0 ? [] : shares.map((share) => Math.round(count * share))

interface Trial {
  shelf: DatabaseTemplates
  old: Copy
  before: State
  newest: State
  held: readonly SchemaFixture[]
}

async function killed(trial: Trial, killAt: number): Promise<string[]> {
  const { shelf, old, before, newest, held } = trial
  const copy = await shelf.copy(old)
  const where = `${shelf.name}, from ${held.at(-1)?.migration ?? 'nothing'}, killed at statement ${killAt}`
  const end = await dieAt(copy, killAt)
  if (end !== 'SIGKILL') return [`${where}: ended with ${end}`]
  await copy.settled()
  const wrongs = await using(copy, async (db) => {
    const after = await stateOf(db)
    const isOld = after.form === before.form && after.applied.join() === before.applied.join()
    const isNew = after.form === newest.form && after.applied.join() === newest.applied.join()
    if (!isOld && !isNew) return [`${where}: left with ${after.applied.join()} and ${after.form}`]
    return migratedLosses(db, trial)
  }).catch((error: Error) => [`${where}: ${error.message}: ${String(error.cause)}`])
  if (copy.url === undefined) await rm(copy.dataDir, { recursive: true })
  return wrongs
}

async function migratedLosses(db: Kysely<Schema>, { before, held }: Trial): Promise<string[]> {
  await migrate(db)
  return lossesIn(db, before, held)
}

/** Starts the whole product on a copy until it is ready, and stops it. */
async function started({ shelf, old, held }: Trial): Promise<string[]> {
  const copy = await shelf.copy(old)
  // A backup of PostgreSQL needs programs that may not be installed.
  const env = copy.url === undefined ? {} : { ...settingsOf(copy), UPGRADE_BACKUP: 'off' }
  try {
    const server = await startServer({ dataDir: copy.dataDir, env })
    return (await server.stop()) === 0 ? [] : [`${shelf.name}: the stop was not clean: ${server.log()}`]
  } catch (error) {
    return [`${shelf.name}, from ${held.at(-1)?.migration ?? 'nothing'}: ${String(error)}`]
  }
}

/** @returns 'SIGKILL', or the output when it completed. @throws when it failed */
async function dieAt({ dataDir, url }: Copy, killAt: number | undefined): Promise<string> {
  try {
    const given = [processUnderTest, dataDir, url ?? '', String(killAt ?? '')]
    return (await runFile(process.execPath, given, { timeout: 60_000 })).stdout
  } catch (error) {
    if ((error as { signal?: string }).signal === 'SIGKILL') return 'SIGKILL'
    throw error
  }
}

async function upgraded(copy: Copy): Promise<State> {
  return using(copy, async (db) => {
    await migrate(db)
    return stateOf(db)
  })
}

/** `copy`, migrated to a version and filled with its rows. */
async function withRowsOf({ migration, rows }: SchemaFixture, copy: Copy): Promise<Copy> {
  await using(copy, async (db) => {
    await migrate(db, migration)
    for (const row of rows) await sql.raw(row).execute(db)
  })
  return copy
}
