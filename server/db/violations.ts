// What a database says of a row that breaks a rule of its table, the same of both databases.

/** SQLSTATE of PostgreSQL, and the extended result code of SQLite. */
const uniqueViolation: unknown[] = ['23505', 2067]

/** Whether a statement failed because another row has the value that must be one's own. */
export function isUniqueViolation(error: unknown): boolean {
  const { code, errcode } = Object(error) as { code?: unknown; errcode?: unknown }
  return uniqueViolation.includes(code) || uniqueViolation.includes(errcode)
}
