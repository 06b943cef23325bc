// The interface of a CLI command.
import type { ParseArgsConfig } from 'node:util'
import type { Deps } from '../domain/deps.ts'

export interface Command {
  /** Name, arguments and options, as typed. */
  usage: string
  /** One line for the list of commands. */
  help: string
  /** Details for `COMMAND --help`. */
  details?: string
  options?: ParseArgsConfig['options']
  /** @returns the exit code; undefined means 0 */
  run: (task: Task) => Promise<number | void>
}

export interface Task {
  deps: Deps
  args: string[]
  options: Record<string, unknown>
  /** Prints a line for the operator. */
  print: (line: string) => void
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

/** Formats bytes as kB or MB. */
export const bytesText = (bytes: number) =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
