// The errors of the database port. Callers know no error code of PostgreSQL or SQLite.

/** The statement may have been executed: a commit whose response was lost may have succeeded. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable'
  /** Delay after which a retry is worthwhile. */
  readonly retryAfterS = 2
  constructor(cause: unknown) {
    super('The database is unavailable', { cause })
  }
}

/** The disk of the database is full. The code matches that of file operations. */
export class DatabaseFull extends Error {
  override name = 'DatabaseFull'
  readonly code = 'ENOSPC'
  constructor(cause: unknown) {
    super('The database has no space left', { cause })
  }
}

/** The file is corrupt. The server cannot repair it; the operator restores a backup. */
export class DatabaseDamaged extends Error {
  override name = 'DatabaseDamaged'
  constructor(path: string, problem: string, options?: ErrorOptions) {
    super(
      `The database file ${path} is damaged: ${problem}. Move it to another folder and restore a backup (docs/operate.md)`,
      options,
    )
  }
}

/** PostgreSQL's SQLSTATE. SQLite has a single writer, so a value checked in a transaction stays free until the insert. */
const uniqueViolation = '23505'

/** Whether a statement failed because another row already has a value that must be unique. */
export const isUniqueViolation = (error: unknown): boolean =>
  (Object(error) as { code?: unknown }).code === uniqueViolation
