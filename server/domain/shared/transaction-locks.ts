// Locks of transactions that must not overlap although they write different rows. SQLite transactions
// that write are exclusive anyway.
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../db/schema.ts'
import type { Deps } from './deps.ts'

/** Numbers of PostgreSQL's advisory locks. Those used elsewhere must differ: 20_260_058 in server/db/search-index.ts. */
const locks = {
  /** Uploads that totals limit: a sum does not include the rows of uncommitted transactions. */
  totals: 20_260_029,
  /** Shared by uploads: one that does not see a block commits before the block looks for its images. */
  blockedImages: 20_260_036,
}

/**
 * Locks an account until the transaction ends: what it adds is counted, and what ends its sessions happens, one after another.
 * Call it first, because it writes: SQLite does not wait for another process when a transaction upgrades from reading to writing.
 * @returns whether the account exists
 */
export async function lockUser(transaction: Kysely<Schema>, id: string): Promise<boolean> {
  const locked = await transaction.updateTable('users').set({ id }).where('id', '=', id).executeTakeFirst()
  return locked.numUpdatedRows > 0n
}

/**
 * Locks rows of images in the order of their ids, for a transaction that changes several: two that did so in the orders of
 * their plans could wait for each other. Before them, their albums, whose counts change with each image; whoever changes the
 * images of an album locks it first, too.
 * @param ids at most a few thousand
 */
export async function lockImages(
  { config }: Pick<Deps, 'config'>,
  transaction: Kysely<Schema>,
  ids: readonly string[],
) {
  if (config.DATABASE_URL === undefined || ids.length < 2) return
  const albums = transaction.selectFrom('album_images').select('album_id').where('image_id', 'in', ids)
  await transaction.selectFrom('albums').select('id').where('id', 'in', albums).orderBy('id').forNoKeyUpdate().execute()
  await transaction.selectFrom('images').select('id').where('id', 'in', ids).orderBy('id').forUpdate().execute()
}

/** Holds the lock until the transaction ends. Call it before the transaction locks rows. */
export async function lockInTransaction(
  { config }: Pick<Deps, 'config'>,
  transaction: Kysely<Schema>,
  name: keyof typeof locks,
  mode: 'exclusive' | 'shared' = 'exclusive',
): Promise<void> {
  if (config.DATABASE_URL === undefined) return
  const lock = mode === 'shared' ? sql.ref('pg_advisory_xact_lock_shared') : sql.ref('pg_advisory_xact_lock')
  await sql`select ${lock}(${locks[name]}::bigint)`.execute(transaction)
}
