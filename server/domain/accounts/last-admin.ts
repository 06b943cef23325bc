// The last active admin can neither be deleted nor demoted nor suspended.
import type { Kysely } from 'kysely'
import type { Schema } from '../../db/schema.ts'
import { storeValue } from '../../db/stored-values.ts'
import type { Account } from '../shared/caller.ts'
import { Failure } from '../shared/failure.ts'
import { activeAdmins } from './account-rows.ts'

/** A lock on this row: two admins who demote each other concurrently must not both succeed. */
export const lockAdminChanges = (transaction: Kysely<Schema>): Promise<void> =>
  storeValue(transaction, 'admin_changes', '')

/** @throws {Failure} last_admin when there is no other active admin */
export async function assertNotLastAdmin(db: Kysely<Schema>, leaving: Account): Promise<void> {
  if (leaving.role !== 'admin' || leaving.status !== 'Active') return
  const other = await activeAdmins(db).where('id', '!=', leaving.id).executeTakeFirst()
  if (!other) throw new Failure('last_admin')
}
