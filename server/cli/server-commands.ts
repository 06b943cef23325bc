// The operator's commands, which use the same domain functions as the API.
import { pino } from 'pino'
import { ConfigError, readConfig } from '../config.ts'
import { DataDirInUse } from '../db/data-dir-lock.ts'
import { DatabaseTooNew } from '../db/migrate.ts'
import { CommandRefused } from '../domain/backups/command-refused.ts'
import { UpgradeRefused } from '../domain/backups/upgrade-database.ts'
import { DiskFull } from '../domain/shared/disk-space.ts'
import { Failure } from '../domain/shared/failure.ts'
import { loggerOptions } from '../logger.ts'
import { closeDeps, openDeps } from '../open-deps.ts'
import { accountCommands } from './account-commands.ts'
import { administrationCommands } from './administration-commands.ts'
import { backupCommands } from './backup-commands.ts'
import { type Command, CommandFailed, type Task } from '../command.ts'
import { demoCommand } from './demo-command.ts'
import { doctorCommand } from './doctor-command.ts'
import { exportCommand } from './export-command.ts'
import { importCommand } from './import-command.ts'
import { importFromCommand } from './import-from-command.ts'
import { moveCommand } from './move-command.ts'
import { seedCommand } from './seed-command.ts'
import { upgradeCommand } from './upgrade-command.ts'

const commands: Record<string, Command> = {
  ...accountCommands,
  ...administrationCommands,
  ...backupCommands,
  export: exportCommand,
  import: importCommand,
  'import-from': importFromCommand,
  move: moveCommand,
  seed: seedCommand,
}

export const serverCommands: Record<string, Command<Task>> = {
  // Without the dependencies: they may not open, would upgrade the database, or are others.
  demo: demoCommand,
  doctor: doctorCommand,
  upgrade: withKnownErrors(upgradeCommand),
  ...Object.fromEntries(Object.entries(commands).map(([name, command]) => [name, withKnownErrors(withDeps(command))])),
}

function withDeps(command: Command): Command<Task> {
  return {
    ...command,
    async run(task) {
      const deps = await openDeps(readConfig(process.env), { log: pino(loggerOptions('warn'), process.stderr) })
      try {
        return await command.run({ ...task, deps })
      } finally {
        await closeDeps(deps)
      }
    },
  }
}

const knownErrors = [Failure, ConfigError, CommandRefused, DiskFull, DataDirInUse, DatabaseTooNew, UpgradeRefused]

/** Of these errors only the message is shown. */
function withKnownErrors(command: Command<Task>): Command<Task> {
  return {
    ...command,
    async run(task) {
      try {
        return await command.run(task)
      } catch (error) {
        const isKnown = knownErrors.some((known) => error instanceof known)
        throw isKnown ? new CommandFailed((error as Error).message, { cause: error }) : error
      }
    },
  }
}
