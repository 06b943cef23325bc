// Reads and writes rows of any table in batches by the primary key. The same on both databases.
import { setImmediate } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../db/schema.ts'
import { type TableName, tables } from './table-list.ts'

export type Value = string | number | null
export type Row = Record<string, Value>

const rowsPerRead = 500
/** Parameters per statement: the fastest size. The limits are 32,766 and 65,535. */
const valuesPerWrite = 4000

/** Untyped access: the columns come with the rows. */
const untyped = (db: Kysely<Schema>) => db as unknown as Kysely<Record<string, Row>>

/** By primary key. Other work runs between batches: SQLite queries never yield to it. */
export async function* readRows(db: Kysely<Schema>, table: TableName): AsyncGenerator<Row[]> {
  const { key } = tables[table]
  const columns = sql.join(key.map((column) => sql.ref(column)))
  for (let last: Row | undefined; ;) {
    let query = untyped(db).selectFrom(table).selectAll().limit(rowsPerRead)
    for (const column of key) query = query.orderBy(column)
    if (last) {
      const values = sql.join(key.map((column) => last?.[column]))
      query = query.where(sql<boolean>`(${columns}) > (${values})`)
    }
    const rows = await query.execute()
    if (rows.length > 0) yield rows
    if (rows.length < rowsPerRead) return
    last = rows.at(-1)
    await setImmediate()
  }
}

/** @param onConflict how to treat rows whose key exists. Default: fail */
export async function writeRows(
  db: Kysely<Schema>,
  table: TableName,
  rows: Row[],
  onConflict: 'fail' | 'replace' = 'fail',
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {})
  const perWrite = Math.max(1, Math.floor(valuesPerWrite / Math.max(1, columns.length)))
  const { key } = tables[table]
  const others = columns.filter((column) => !key.includes(column))
  for (let at = 0; at < rows.length; at += perWrite) {
    let query = untyped(db)
      .insertInto(table)
      .values(rows.slice(at, at + perWrite))
    if (onConflict === 'replace') {
      query = query.onConflict((conflict) =>
        others.length === 0
          ? conflict.columns([...key]).doNothing()
          : conflict
              .columns([...key])
              .doUpdateSet(Object.fromEntries(others.map((column) => [column, sql.ref(`excluded.${column}`)]))),
      )
    }
    await query.execute()
  }
}

/** Returns the rows with the keys of `like`. */
export function findRows(db: Kysely<Schema>, table: TableName, like: Row[]): Promise<Row[]> {
  const { key } = tables[table]
  const columns = sql.join(key.map((column) => sql.ref(column)))
  const values = sql.join(like.map((row) => sql`(${sql.join(key.map((column) => row[column]))})`))
  const condition =
    key.length === 1 ? sql<boolean>`${columns} in (${values})` : sql<boolean>`(${columns}) in (values ${values})`
  return untyped(db).selectFrom(table).selectAll().where(condition).execute()
}

/** Returns the column names of each table in this database. */
export async function columnsOf(db: Kysely<Schema>): Promise<Map<string, Set<string>>> {
  const found = await db.introspection.getTables()
  return new Map(found.map(({ name, columns }) => [name, new Set(columns.map((column) => column.name))]))
}
