// What a command of the operator is.
import type { ParseArgsConfig } from 'node:util'
import type { Deps } from '../domain/deps.ts'

export interface Command {
  /** Name, arguments and options, as they are typed. */
  usage: string
  /** One line for the list of commands. */
  help: string
  /** What else is worth knowing, for `COMMAND --help`. */
  details?: string
  options?: ParseArgsConfig['options']
  /** @returns the exit code; nothing means 0 */
  run: (task: Task) => Promise<number | void>
}

export interface Task {
  deps: Deps
  args: string[]
  options: Record<string, unknown>
  /** A line for the operator. */
  say: (line: string) => void
}

/** The command was not typed as it must be. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** The arguments under their names. @throws {UsageError} when there are more or fewer */
export function named<const N extends string>(args: string[], ...names: N[]): Record<N, string> {
  const missing = names[args.length]
  if (missing !== undefined) throw new UsageError(`${missing} is missing`)
  if (args.length > names.length) throw new UsageError(`${args[names.length]} is one argument too many`)
  return Object.fromEntries(names.map((name, at) => [name, args[at]])) as Record<N, string>
}

/** 1,234 bytes as people read them. */
export const bytesText = (bytes: number) =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
