import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../db/schema.ts'
import { Failure } from '../shared/failure.ts'

/**
 * Called after the rows were added, in their transaction.
 * @throws {Failure} block_list_full
 */
export async function assertBlocklistSpace(
  transaction: Kysely<Schema>,
  table: 'blocked_images' | 'blocked_networks',
  limit: number,
): Promise<void> {
  const { count } = await transaction
    .selectFrom(table)
    .select(sql<number>`count(*)`.as('count'))
    .executeTakeFirstOrThrow()
  if (count > limit) throw new Failure('block_list_full', { limit })
}
