// The interface of a CLI command.
import type { ParseArgsConfig } from 'node:util'
import type { Deps } from './domain/shared/deps.ts'

export interface Command<T = ServerTask> {
  /** Name, arguments and options, as typed. */
  usage: string
  /** One line for the list of commands. */
  help: string
  /** Details for `COMMAND --help`. */
  details?: string
  options?: ParseArgsConfig['options']
  /** @returns the exit code; undefined means 0 */
  run: (task: T) => Promise<number | void>
}

export interface Task {
  args: string[]
  options: Record<string, unknown>
  /** Prints a line for the operator. */
  print: (line: string) => void
}

/** Of commands that work on the data of a server. */
export interface ServerTask extends Task {
  deps: Deps
}

/** The command line is invalid. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** Returns the arguments by name. @throws {UsageError} when there are more or fewer */
export function namedArguments<const N extends string>(args: string[], ...names: N[]): Record<N, string> {
  const missing = names[args.length]
  if (missing !== undefined) throw new UsageError(`${missing} is missing`)
  if (args.length > names.length) throw new UsageError(`${args[names.length]} is an unexpected argument`)
  return Object.fromEntries(names.map((name, at) => [name, args[at]])) as Record<N, string>
}

/** Formats bytes as kB, MB or GB. */
export function bytesText(bytes: number): string {
  if (bytes < 1e6) return `${Math.ceil(bytes / 1e3)} kB`
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`
}

/** Its message describes the problem completely; other errors are shown with their causes. */
export class CommandFailed extends Error {
  override name = 'CommandFailed'
}
