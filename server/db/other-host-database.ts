// Reads the database of another program, for importers: SQLite, PostgreSQL, MySQL or MariaDB.
import { resolve } from 'node:path'
import { type Dialect, Kysely, MysqlDialect, PostgresDialect } from 'kysely'
import { sqliteDialect } from './sqlite-driver.ts'
import { loadDriver } from './sqlite.ts'

/** Its tables are not known here, and change with the version of the program. */
// oxlint-disable-next-line typescript/no-explicit-any
export type OtherHostDatabase = Kysely<any>
export type OtherHostRow = Record<string, unknown>

/**
 * Times are returned as the database writes them, not as `Date`, which needs a time zone: see
 * {@link timeOf}.
 * @param address the path of an SQLite file, or a URL that begins with postgres:// or mysql://
 */
export async function openOtherHostDatabase(address: string): Promise<OtherHostDatabase> {
  return new Kysely({ dialect: await dialectOf(address) })
}

async function dialectOf(address: string): Promise<Dialect> {
  if (/^postgres(ql)?:\/\//.test(address)) return postgresDialect(address)
  if (/^(mysql|mariadb):\/\//.test(address)) return mysqlDialect(address.replace(/^mariadb:/, 'mysql:'))
  const path = resolve(address)
  const DatabaseSync = await loadDriver()
  return sqliteDialect(new DatabaseSync(path, { readOnly: true }), path)
}

/** OIDs of types: bigint and numeric as numbers, timestamps as text. */
const postgresTypes = new Map<number, (text: string) => unknown>([
  [20, Number],
  [1700, Number],
  [1114, String],
  [1184, String],
])

async function postgresDialect(url: string): Promise<Dialect> {
  const { default: pg } = await import('pg')
  const types = {
    getTypeParser: ((type: number, format?: 'text') =>
      postgresTypes.get(type) ?? pg.types.getTypeParser(type, format)) as typeof pg.types.getTypeParser,
  }
  // Times with a time zone are written in UTC then.
  return new PostgresDialect({
    pool: new pg.Pool({ connectionString: url, max: 2, types, options: '-c TimeZone=UTC' }),
  })
}

async function mysqlDialect(url: string): Promise<Dialect> {
  const { createPool } = await import('mysql2')
  const pool = createPool({ uri: url, connectionLimit: 2, dateStrings: true, disableEval: true })
  return new MysqlDialect({ pool })
}

const rowsPerPage = 200

/** Yields all rows of a table in pages, in the order of its key. */
export async function* readPages(db: OtherHostDatabase, table: string, key: string): AsyncGenerator<OtherHostRow[]> {
  let last: unknown
  for (;;) {
    let page = db.selectFrom(table).selectAll().orderBy(key).limit(rowsPerPage)
    if (last !== undefined) page = page.where(key, '>', last)
    const rows: OtherHostRow[] = await page.execute()
    if (rows.length > 0) yield rows
    if (rows.length < rowsPerPage) return
    last = rows.at(-1)?.[key]
  }
}

/**
 * Reads a time as databases write it: '2024-05-06 07:08:09.123', perhaps with a 'T' or an offset, or
 * milliseconds. Without an offset it is in UTC.
 * @returns UTC milliseconds; null for what is no time
 */
export function timeOf(value: unknown): number | null {
  if (typeof value === 'number') return value
  if (typeof value !== 'string') return null
  const [, date, time = '00:00:00', fraction = '', offset = ''] =
    /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d:\d\d)(\.\d{1,3})?\d*)?\s*(Z|[+-]\d\d(?::?\d\d)?)?$/.exec(value.trim()) ?? []
  if (date === undefined) return null
  const zone = offset === '' || offset === 'Z' ? 'Z' : offset.length === 3 ? `${offset}:00` : offset
  const ms = Date.parse(`${date}T${time}${fraction}${zone}`)
  return Number.isNaN(ms) ? null : ms
}
