// The operator's commands, which use the same domain functions as the API.
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { accountCommands } from './cli/account-commands.ts'
import { backupCommands } from './cli/backup-commands.ts'
import { type Command, UsageError } from './cli/command.ts'
import { importCommand } from './cli/import-command.ts'
import { moveCommand } from './cli/move-command.ts'
import { seedCommand } from './cli/seed-command.ts'
import { ConfigError, readConfig } from './config.ts'
import { DataDirInUse } from './db/data-dir-lock.ts'
import { CommandRefused } from './domain/database/command-refused.ts'
import { Failure } from './domain/failure.ts'
import { loggerOptions } from './logger.ts'
import { closeDeps, openDeps } from './open-deps.ts'

const commands: Record<string, Command> = {
  ...accountCommands,
  ...backupCommands,
  import: importCommand,
  move: moveCommand,
  seed: seedCommand,
}

const prefix = 'npm run cli -- '

// The same as the server's (main.ts).
process.umask(0o077)

process.exitCode = await main(process.argv.slice(2))

async function main([name = 'help', ...args]: string[]): Promise<number> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (['help', '--help', '-h'].includes(name)) return print(allHelp())
  if (!command) return printError(`There is no command ${name}.\n\n${allHelp()}`, 2)
  try {
    const { values, positionals } = parseOptions(command, args)
    if (values['help'] === true) return print(helpOf(command))
    return await run(command, positionals, values)
  } catch (error) {
    if (error instanceof UsageError) return printError(`${name}: ${error.message}.\n\n${helpOf(command)}`, 2)
    return printError(describeError(error), 1)
  }
}

/** @throws {UsageError} */
function parseOptions({ options = {} }: Command, args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: { ...options, help: { type: 'boolean', short: 'h' } },
    })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message.replace(/\. .*$/s, '') : String(error))
  }
}

async function run(command: Command, args: string[], options: Record<string, unknown>): Promise<number> {
  const deps = await openDeps(readConfig(process.env), { log: pino(loggerOptions('warn'), process.stderr) })
  try {
    return (await command.run({ deps, args, options, print })) ?? 0
  } finally {
    await closeDeps(deps)
  }
}

/** Returns one line; the stack of an unexpected error only with LOG_LEVEL=debug. */
function describeError(error: unknown): string {
  const isKnown = [Failure, ConfigError, CommandRefused, DataDirInUse].some((known) => error instanceof known)
  if (isKnown) return (error as Error).message
  if (['debug', 'trace'].includes(process.env['LOG_LEVEL'] ?? '') && error instanceof Error) return error.stack ?? ''
  return `The command failed: ${messagesOf(error).join(': ')}`
}

/** Messages of an error and its causes; of several refused addresses that of the first. */
function messagesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return error === undefined ? [] : ['a value that is not an Error was thrown']
  const first: unknown = error instanceof AggregateError ? error.errors[0] : undefined
  return [...(error.message === '' ? messagesOf(first) : [error.message]), ...messagesOf(error.cause)]
}

function print(text: string): 0 {
  process.stdout.write(`${text}\n`)
  return 0
}

function printError(text: string, exitCode: number): number {
  process.stderr.write(`${text}\n`)
  return exitCode
}

function allHelp(): string {
  const lines = Object.values(commands).map(({ usage, help }) => `  ${usage}\n      ${help}`)
  return [
    `Usage: ${prefix}COMMAND`,
    '',
    ...lines,
    '',
    `${prefix}COMMAND --help shows details. Commands read the same settings as the server; DATA_DIR selects the instance.`,
  ].join('\n')
}

function helpOf({ usage, help, details }: Command): string {
  return [`Usage: ${prefix}${usage}`, '', `This command ${help}.`, ...(details === undefined ? [] : [details])].join(
    '\n',
  )
}
