// Translates SQLite errors, from either of the two drivers, to those of the database port.
import { DatabaseDamaged, DatabaseFull, DatabaseUnavailable } from './database-errors.ts'

/** Locked by another connection, out of disk space, or not a valid database file. */
type SqliteErrorKind = 'busy' | 'full' | 'damaged'

/** https://www.sqlite.org/rescode.html: 5 is a lock of another process, 6 of a statement. */
const byCode: Record<number, SqliteErrorKind> = { 5: 'busy', 6: 'busy', 11: 'damaged', 13: 'full', 26: 'damaged' }
/** SQLITE_IOERR_SHMSIZE: the disk has no room for the file that the connections share. */
const byExtendedCode: Record<number, SqliteErrorKind> = { 4874: 'full' }

/** Statements that return rows throw without a code (@photostructure/sqlite 1.2.1). */
const byText: readonly [pattern: RegExp, kind: SqliteErrorKind][] = [
  [/^database (table |schema )?is locked/, 'busy'],
  [/^database or disk is full/, 'full'],
  // Anchored, because JSON errors also contain "malformed".
  [/^(database disk image is malformed|malformed database schema|file is not a database)/, 'damaged'],
]

/** Returns undefined for errors that are not SQLite's and for invalid statements. */
export function sqliteErrorKind(error: unknown): SqliteErrorKind | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, errcode, message } = error as Error & { code?: string; errcode?: number }
  if (code !== 'ERR_SQLITE_ERROR') return undefined
  // The low byte is the primary result code, the rest details.
  if (errcode === undefined) return byText.find(([pattern]) => pattern.test(message))?.[1]
  return byExtendedCode[errcode] ?? byCode[errcode & 0xff]
}

/** Returns an error of database-errors.ts, or the given one. @param path of the database file */
export function translateSqliteError(error: unknown, path: string): unknown {
  const kind = sqliteErrorKind(error)
  if (kind === 'busy') return new DatabaseUnavailable(error)
  if (kind === 'full') return new DatabaseFull(error)
  return kind === 'damaged' ? new DatabaseDamaged(path, (error as Error).message, { cause: error }) : error
}
