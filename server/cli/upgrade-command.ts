import { pino } from 'pino'
import { type Config, readConfig } from '../config.ts'
import { migrationState } from '../db/migrate.ts'
import { databaseBytes, assertUpgradeSpace } from '../domain/backups/upgrade-database.ts'
import { loggerOptions } from '../logger.ts'
import { inspectDatabase, openDatabase, tryUpgrade } from '../open-deps.ts'
import { productVersion } from '../installation.ts'
import { withOwnDataDir } from '../take-data-dir.ts'
import { bytesText, type Command, namedArguments, type Task } from '../command.ts'

export const upgradeCommand: Command<Task> = {
  usage: 'upgrade [--check]',
  help: 'migrates the database to this version, after a copy of it, as a start does',
  details:
    '  --check   changes nothing: lists the migrations, tries them on a copy of an SQLite database, and measures\n' +
    'The copy is in DATA_DIR/backups/database; UPGRADE_BACKUP=off omits it. No server may be running on DATA_DIR, except\n' +
    'with --check.',
  options: { check: { type: 'boolean' } },
  async run({ args, options, print }) {
    namedArguments(args)
    const config = readConfig(process.env)
    await (options['check'] === true ? check(config, print) : upgrade(config, print))
  },
}

async function upgrade(config: Config, print: Task['print']): Promise<void> {
  await withOwnDataDir(config, print, async () => {
    const start = performance.now()
    const { db, upgrade: done } = await openDatabase(config, pino(loggerOptions('warn'), process.stderr), {
      ownsDataDir: true,
    })
    await db.destroy()
    if (done === null) return print(upToDate)
    print(`Migrated in ${seconds(performance.now() - start)}: ${done.migrations.join(', ')}.`)
    if (done.copy !== null) print(`The database before it is in ${done.copy}.`)
  })
}

async function check(config: Config, print: Task['print']): Promise<void> {
  const isChecked = await inspectDatabase(config, pino(loggerOptions('silent')), async (db) => {
    const { done, pending } = await migrationState(db)
    if (pending.length === 0) return print(upToDate)
    const bytes = await databaseBytes(db, config)
    const isSqlite = config.DATABASE_URL === undefined
    print(`Database    ${isSqlite ? 'SQLite' : 'PostgreSQL'}, ${bytesText(bytes)}, at ${done.at(-1) ?? 'nothing'}`)
    print(`Migrations  ${pending.join(', ')}`)
    print(
      `Copy        ${config.UPGRADE_BACKUP ? `in ${config.DATA_DIR}/backups/database` : 'none (UPGRADE_BACKUP=off)'}`,
    )
    if (!isSqlite) return print('Time        unknown: try the upgrade on a copy of the database (createdb --template)')
    // The check itself needs as much.
    await assertUpgradeSpace(config, bytes)
    const { copyMs, migrationMs } = await tryUpgrade(db, config)
    print(`Time        ${seconds(copyMs)} for the copy, ${seconds(migrationMs)} for the migration, tried on a copy`)
  })
  if (isChecked === null) print('There is no database yet: the first start creates it.')
}

const upToDate = `The database is of this version, ${productVersion()}.`

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
