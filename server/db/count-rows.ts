import type { SelectQueryBuilder } from 'kysely'

/** @param query without selected columns */
export async function countRows<DB, T extends keyof DB>(query: SelectQueryBuilder<DB, T, object>): Promise<number> {
  const counted = query.select((select) => select.fn.countAll<number>().as('count'))
  const { count } = (await counted.executeTakeFirstOrThrow()) as { count: number }
  return count
}
