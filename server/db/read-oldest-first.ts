import { type SelectQueryBuilder, sql, type SqlBool } from 'kysely'

interface DatedRow {
  id: string
  created_at: number
}

/** Yields all rows of a query in batches, the oldest first. @param query is called for each batch */
export async function* readOldestFirst<DB, T extends keyof DB, Row extends DatedRow>(
  query: () => SelectQueryBuilder<DB, T, Row>,
  batchSize: number,
): AsyncGenerator<Row[]> {
  const [at, id] = [sql.ref('created_at'), sql.ref('id')]
  let last: Row | undefined
  do {
    let page = query().orderBy(at).orderBy(id).limit(batchSize)
    if (last) page = page.where(sql<SqlBool>`(${at}, ${id}) > (${last.created_at}, ${last.id})`)
    const rows = await page.execute()
    if (rows.length > 0) yield rows
    last = rows.length === batchSize ? rows.at(-1) : undefined
  } while (last)
}
