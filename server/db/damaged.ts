// The one fault of a database that no waiting mends.

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
