import type { Kysely } from 'kysely'
import { countRows } from '../../db/count-rows.ts'
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
  const count = await countRows(transaction.selectFrom(table))
  if (count > limit) throw new Failure('block_list_full', { limit })
}
