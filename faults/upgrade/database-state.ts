// The content of a database: its schema and every row.
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../server/db/schema.ts'
import type { SchemaFixture } from './schema-versions.ts'

export interface State {
  /** The names of its migrations. */
  applied: string[]
  /** Its tables and their columns. */
  form: string
  rows: { table: string; columns: string[]; rows: string[] }[]
}

/** Columns of users that are derived from other rows: a migration may correct them, and `after` in schema-versions.ts checks them. */
const counted = new Set(['image_count', 'image_bytes'])

/** SQLite's full-text index and its tables. A start fills it from the images (server/db/search-index.ts). */
const isSearchIndex = (table: string) => table.startsWith('image_search')

export async function stateOf(db: Kysely<Schema>): Promise<State> {
  const tables = await db.introspection.getTables()
  const own = tables.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const form = own.map(({ name, columns }) => [name, columns.map((column) => `${column.name} ${column.dataType}`)])
  const rows = []
  for (const { name, columns } of own.filter((table) => !isSearchIndex(table.name))) {
    const names = columns.map((column) => column.name).filter((column) => !counted.has(column))
    rows.push({ table: name, columns: names, rows: await rowsOf(db, name, names) })
  }
  return { applied: await appliedIn(db), form: JSON.stringify(form), rows }
}

async function rowsOf(db: Kysely<Schema>, table: string, columns: string[]): Promise<string[]> {
  const { rows } = await sql`select ${sql.join(columns.map((name) => sql.ref(name)))} from ${sql.table(table)}`.execute(
    db,
  )
  return rows.map((row) => JSON.stringify(row)).sort()
}

async function appliedIn(db: Kysely<Schema>): Promise<string[]> {
  const all = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!all.some(({ name }) => name === 'kysely_migration')) return []
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  return rows.map(({ name }) => name)
}

/** What a migrated database lost or counted wrong. @param before its earlier content, @param schemaFixtures the versions of its rows */
export async function lossesIn(
  db: Kysely<Schema>,
  before: State,
  schemaFixtures: readonly SchemaFixture[],
): Promise<string[]> {
  const losses: string[] = []
  for (const { table, columns, rows } of before.rows) {
    // The upgrade adds the version of the product to `settings`.
    const now = (await rowsOf(db, table, columns)).filter((row) => !row.includes('"product_version"'))
    if (JSON.stringify(now) !== JSON.stringify(rows)) losses.push(`${table}: ${rows.join()} became ${now.join()}`)
  }
  for (const { ask, answer } of schemaFixtures.flatMap(({ after }) => after)) {
    const { rows } = await sql.raw<Record<string, unknown>>(ask).execute(db)
    const found = Number(Object.values(rows[0] ?? {})[0])
    if (found !== answer) losses.push(`${ask}: ${found} instead of ${answer}`)
  }
  return losses
}
