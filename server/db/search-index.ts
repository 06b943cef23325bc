// The index of the search in names, titles and alternative texts of images (docs/decisions/0058).
import { type Kysely, PostgresAdapter, sql } from 'kysely'
import type { Schema } from './schema.ts'

const nameTitleAlt = sql`original_name || '\n' || title || '\n' || alt`

/**
 * The text of an image that a search looks in. Triggers of migration 0030 write the same into SQLite's
 * index, and PostgreSQL uses its index for exactly this expression.
 */
const searchedText = sql<string>`lower(${nameTitleAlt})`

/**
 * The condition that name, title or alternative text match a LIKE pattern in any case. A backslash
 * escapes. The database changes both sides to lower case: PostgreSQL and JavaScript differ for a few letters.
 */
export const matchesPattern = (pattern: string, { isSqlite }: { isSqlite: boolean }) =>
  isSqlite && isAscii(pattern)
    ? sql<boolean>`${foldedText} like ${pattern} escape '\\'`
    : sql<boolean>`${searchedText} like lower(${pattern}) escape '\\'`

/**
 * SQLite's `like` ignores the case of ASCII characters, and a call of JavaScript's `lower` takes longer
 * than the rest of a search. Two other letters have ASCII characters in their lower case.
 */
const foldedText = sql`replace(replace(${nameTitleAlt}, '\u0130', 'i\u0307'), '\u212a', 'k')`

const isAscii = (text: string): boolean => Buffer.byteLength(text) === text.length

/**
 * Creates or repairs the index. Without it, searches in many images read all of them.
 * @returns why PostgreSQL has none, or null
 */
export async function prepareImageSearch(db: Kysely<Schema>): Promise<Error | null> {
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) {
    await repairSqliteIndex(db)
    return null
  }
  try {
    await createPostgresIndex(db)
    return null
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/**
 * Fills the index of a database that had none, and again when the row numbers have changed. The index refers to images by
 * SQLite's row numbers. `VACUUM` or a restored dump may number the rows without gaps: then the largest number differs from
 * that in the index.
 */
async function repairSqliteIndex(db: Kysely<Schema>): Promise<void> {
  const largest = sql<{ isSame: 0 | 1 }>`
    select (select rowid from images where undo_until is null order by rowid desc limit 1)
      is (select max(id) from image_search_docsize) as "isSame"`
  const { rows } = await largest.execute(db)
  if (rows[0]?.isSame === 1) return
  await db.transaction().execute(async (transaction) => {
    await sql`insert into image_search (image_search) values ('delete-all')`.execute(transaction)
    await sql`insert into image_search (rowid, names) select rowid, ${searchedText} from images
      where undo_until is null`.execute(transaction)
  })
}

/**
 * The number of a PostgreSQL advisory lock, because servers may start together. It must differ from those in
 * server/domain/shared/transaction-locks.ts.
 */
const lock = 20_260_058

async function createPostgresIndex(db: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<{ exists: boolean }>`
    select to_regclass('images_search') is not null as exists`.execute(db)
  if (rows[0]?.exists) return
  await db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${lock}::bigint)`.execute(transaction)
    await sql`create extension if not exists pg_trgm`.execute(transaction)
    await sql`create index if not exists images_search on images using gin (${searchedText} gin_trgm_ops)
      where undo_until is null`.execute(transaction)
    // Without statistics of that expression, PostgreSQL expects few matches of a frequent text.
    await sql`analyze images`.execute(transaction)
  })
}
