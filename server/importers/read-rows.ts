// Reads values and relations of rows whose types the compiler does not know.
import type { OtherHostDatabase, OtherHostRow } from '../db/other-host-database.ts'

/** Without NUL, which PostgreSQL does not store. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value.replaceAll('\0', '')
  return typeof value === 'number' || typeof value === 'bigint' ? value.toString() : ''
}
export const textOrNull = (value: unknown): string | null => textOf(value) || null
/** Databases write flags as booleans, numbers or 't'. */
export const isSet = (value: unknown): boolean => [true, 1, '1', 't', 'true'].includes(value as never)

/** Names of the tables, which differ between versions. */
export async function tableNames(db: OtherHostDatabase): Promise<Set<string>> {
  return new Set((await db.introspection.getTables()).map(({ name }) => name))
}

/** A table with few rows, by its key. */
export async function loadMap(db: OtherHostDatabase, table: string, key: string): Promise<Map<string, OtherHostRow>> {
  const rows: OtherHostRow[] = await db.selectFrom(table).selectAll().execute()
  return new Map(rows.map((row) => [textOf(row[key]), row]))
}

/** The ids of the images of an album, in the order of a column of theirs. */
export async function imagesOfAlbum(
  db: OtherHostDatabase,
  { table, id, album, order }: { table: string; id: string; album: [column: string, id: unknown]; order: string },
): Promise<string[]> {
  const images = db.selectFrom(table).select(id).where(album[0], '=', album[1]).orderBy(order).orderBy(id)
  return ((await images.execute()) as OtherHostRow[]).map((row) => textOf(row[id]))
}

/** The rows of a table for these values of a column, such as the links of a page of images. */
export async function loadFor(
  db: OtherHostDatabase,
  { table, column, values }: { table: string; column: string; values: unknown[] },
): Promise<Map<string, OtherHostRow[]>> {
  const found = new Map<string, OtherHostRow[]>()
  if (values.length === 0) return found
  const rows: OtherHostRow[] = await db.selectFrom(table).selectAll().where(column, 'in', values).execute()
  for (const row of rows) {
    const key = textOf(row[column])
    found.set(key, [...(found.get(key) ?? []), row])
  }
  return found
}
