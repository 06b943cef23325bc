// What PostgreSQL says of a row that breaks a rule of its table.

/** SQLSTATE. SQLite has one writer at a time: nobody comes between the look at a value and the row that takes it. */
const uniqueViolation = '23505'

/** Whether a statement failed because another row has the value that must be one's own. */
export const isUniqueViolation = (error: unknown): boolean =>
  (Object(error) as { code?: unknown }).code === uniqueViolation
