// What SQLite's errors mean, whichever of the two drivers threw them.
import { DatabaseDamaged, DatabaseFull, DatabaseUnavailable } from './database-errors.ts'

/** Another connection holds it, its disk is full, or its file is not what SQLite wrote. */
type SqliteErrorKind = 'busy' | 'full' | 'damaged'

/** Result codes: https://www.sqlite.org/rescode.html. 5 is another process's lock, 6 another statement's. */
const byCode: Record<number, SqliteErrorKind> = { 5: 'busy', 6: 'busy', 11: 'damaged', 13: 'full', 26: 'damaged' }

/** Statements that answer rows throw without their code (@photostructure/sqlite 1.2.1): SQLite's own words tell it. */
const byText: readonly [words: RegExp, trouble: SqliteErrorKind][] = [
  [/^database (table |schema )?is locked/, 'busy'],
  [/^database or disk is full/, 'full'],
  // A JSON text may be malformed, too.
  [/^(database disk image is malformed|malformed database schema|file is not a database)/, 'damaged'],
]

/** undefined for every error that is not SQLite's, and for statements that are wrong. */
export function sqliteErrorKind(error: unknown): SqliteErrorKind | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, errcode, message } = error as Error & { code?: string; errcode?: number }
  if (code !== 'ERR_SQLITE_ERROR') return undefined
  // The low byte: the rest says where it happened.
  return errcode === undefined ? byText.find(([words]) => words.test(message))?.[1] : byCode[errcode & 0xff]
}

/**
 * The error as callers are to see it: DatabaseUnavailable, ENOSPC for a full disk, DatabaseDamaged, anything else as it was.
 * @param path named where the file is damaged
 */
export function explained(error: unknown, path: string): unknown {
  const trouble = sqliteErrorKind(error)
  if (trouble === 'busy') return new DatabaseUnavailable(error)
  if (trouble === 'full') return new DatabaseFull(error)
  return trouble === 'damaged' ? new DatabaseDamaged(path, (error as Error).message, { cause: error }) : error
}
