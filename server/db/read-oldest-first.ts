import { type SelectQueryBuilder, sql, type SqlBool } from 'kysely'

interface DatedRow {
  id: string
  created_at: number
  undo_until?: number | null
}

/**
 * Yields all rows of a query in batches, the oldest first.
 * @param query is called for each batch
 * @param by of images in the trash, the one whose time ends first: an index has them in that order
 */
export async function* readOldestFirst<DB, T extends keyof DB, Row extends DatedRow>(
  query: () => SelectQueryBuilder<DB, T, Row>,
  batchSize: number,
  by: 'created_at' | 'undo_until' = 'created_at',
): AsyncGenerator<Row[]> {
  const [at, id] = [sql.ref(by), sql.ref('id')]
  let last: Row | undefined
  do {
    let page = query().orderBy(at).orderBy(id).limit(batchSize)
    if (last) page = page.where(sql<SqlBool>`(${at}, ${id}) > (${last[by]}, ${last.id})`)
    const rows = await page.execute()
    if (rows.length > 0) yield rows
    last = rows.length === batchSize ? rows.at(-1) : undefined
  } while (last)
}
