// The errors of the database port. Callers know no error code of PostgreSQL or SQLite.

/** It may have carried out what was asked: a commit whose answer is lost may have happened. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable'
  /** Seconds after which it is worth trying again. */
  readonly retryAfterS = 2
  constructor(cause: unknown) {
    super('The database cannot be used right now', { cause })
  }
}

/** Its disk, which is not ours when it is a server's. The code is that of a full disk, as files tell it. */
export class DatabaseFull extends Error {
  override name = 'DatabaseFull'
  readonly code = 'ENOSPC'
  constructor(cause: unknown) {
    super('The database has no space left', { cause })
  }
}

/** The file is not what SQLite has written. Nothing that a server could mend: its operator puts back a backup. */
export class DatabaseDamaged extends Error {
  override name = 'DatabaseDamaged'
  constructor(path: string, problem: string, options?: ErrorOptions) {
    super(
      `The database file ${path} is damaged: ${problem}. Put it aside and restore a backup (docs/operate.md)`,
      options,
    )
  }
}

/** PostgreSQL's SQLSTATE. SQLite has a single writer, so a value checked in a transaction stays free until the insert. */
const uniqueViolation = '23505'

/** Whether a statement failed because another row already has a value that must be unique. */
export const isUniqueViolation = (error: unknown): boolean =>
  (Object(error) as { code?: unknown }).code === uniqueViolation
