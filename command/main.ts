// The command `image-host`: sends images to a server, or operates a server on this machine.
import { parseArgs } from 'node:util'
import { RequestFailed } from '../client/index.ts'
import { type Command, CommandFailed, type Task, UsageError } from '../server/command.ts'
import { commandPrefix, isInstalled } from '../server/command-prefix.ts'
import { productVersion } from '../server/installation.ts'
import { loadCommands, loadGroups } from './all-commands.ts'
import { clientCommands } from './client-commands.ts'
import { exitCodeOf, exitCodes } from './exit-codes.ts'
import { NotLoggedIn } from './login-file.ts'

// The same as the server's (server/main.ts).
process.umask(0o077)
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader of a pipe, such as head, has ended.
  if (error.code === 'EPIPE') process.exit(exitCodes.failed)
  throw error
})

/** What a system error says of its file. */
const fileProblems: Record<string, (path: string) => string> = {
  ENOENT: (path) => `There is no file or folder ${path}`,
  EACCES: (path) => `This user may not open ${path}`,
  EPERM: (path) => `This user may not change ${path}`,
  ENOTDIR: (path) => `${path} is below a file, not in a folder`,
  EEXIST: (path) => `${path} already exists`,
  EROFS: (path) => `${path} is on a read-only file system`,
  ENOSPC: (path) => `There is no space left for ${path}`,
}

process.exitCode = await main(process.argv.slice(2))

async function main([name = isInstalled ? 'start' : 'help', ...args]: string[]): Promise<number> {
  if (['help', '--help', '-h'].includes(name)) return print(allHelp(await loadGroups()))
  if (['--version', '-V'].includes(name)) return print(productVersion())
  const commands = Object.hasOwn(clientCommands, name) ? clientCommands : await loadCommands()
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command)
    return printError(`There is no command ${name}. ${commandPrefix}help lists them.`, exitCodes.invalidUsage)
  try {
    const { values: options, positionals } = parseOptions(command, args)
    if (options['help'] === true) return print(helpOf(command))
    return (await command.run({ args: positionals, options, print })) ?? exitCodes.done
  } catch (error) {
    if (error instanceof UsageError)
      return printError(`${name}: ${error.message}.\n${usageOf(command)}`, exitCodes.invalidUsage)
    return printError(describeError(error), exitCodeOf(error))
  }
}

function allHelp(groups: Record<string, Record<string, Command<Task>>>): string {
  const sections = Object.entries(groups).map(([title, commands]) => {
    const lines = Object.values(commands).map(({ usage, help }) => `  ${usage}\n      ${help}`)
    return `${title}:\n${lines.join('\n')}\n`
  })
  return `Usage: ${commandPrefix}COMMAND

${sections.join('\n')}
${commandPrefix}COMMAND --help shows details. Commands of the server read its settings; DATA_DIR selects the instance.
--version prints the version.`
}

function helpOf({ usage, help, details }: Command<Task>): string {
  const lines = [`Usage: ${commandPrefix}${usage}`, '', `This command ${help}.`]
  return [...lines, ...(details === undefined ? [] : [details])].join('\n')
}

/** After an error in the usage. */
function usageOf({ usage }: Command<Task>): string {
  return `Usage: ${commandPrefix}${usage}\n${commandPrefix}${usage.split(' ', 1)[0]} --help shows details.`
}

/** @throws {UsageError} */
function parseOptions({ options = {} }: Command<Task>, args: string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: args.map(markId),
      allowPositionals: true,
      options: { ...options, help: { type: 'boolean', short: 'h' } },
    })
    return { values, positionals: positionals.map((arg) => arg.replace('\0', '')) }
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message.replace(/\. .*$/s, '') : String(error))
  }
}

/** One id of 64 begins with '-', like an option: it is parsed with NUL before it, which no argument has. */
function markId(arg: string): string {
  return /^-(?!-)[\w-]{21}$/.test(arg) ? `\0${arg}` : arg
}

/** Returns one line; the stack of an unexpected error only with LOG_LEVEL=debug. */
function describeError(error: unknown): string {
  const isKnown = [CommandFailed, NotLoggedIn, RequestFailed].some((known) => error instanceof known)
  if (isKnown) return (error as Error).message
  if (['debug', 'trace'].includes(process.env['LOG_LEVEL'] ?? '') && error instanceof Error) return error.stack ?? ''
  return fileProblemOf(error) ?? `The command failed: ${messagesOf(error).join(': ')}`
}

function fileProblemOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { code = '', path, syscall = '' }: NodeJS.ErrnoException = error
  // Of a program that cannot be started, the path is its name.
  return path === undefined || syscall.startsWith('spawn') ? undefined : fileProblems[code]?.(path)
}

/** Messages of an error and its causes; of several refused addresses that of the first. */
function messagesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return error === undefined ? [] : ['a value that is not an Error was thrown']
  const first: unknown = error instanceof AggregateError ? error.errors[0] : undefined
  return [...(error.message === '' ? messagesOf(first) : [error.message]), ...messagesOf(error.cause)]
}

function print(text: string): 0 {
  process.stdout.write(`${text}\n`)
  return exitCodes.done
}

function printError(text: string, exitCode: number): number {
  process.stderr.write(`${text}\n`)
  return exitCode
}
