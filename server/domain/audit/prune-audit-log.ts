// The job that bounds the audit log: by age, and by the number of entries of an action.
import { setImmediate } from 'node:timers/promises'
import type { Kysely, SelectQueryBuilder } from 'kysely'
import { type AuditAction, auditActions } from '../../../contract/plain/audit-actions.ts'
import { dayMs, limits } from '../../../contract/plain/limits.ts'
import type { Schema } from '../../db/schema.ts'
import type { Deps } from '../shared/deps.ts'

/** Entries per query: SQLite blocks the process while it deletes them. */
const batchSize = 500

/** What callers without an account can cause, and what has no use after many. */
const failures: AuditAction[] = ['login_failed', 'pin_failed']

/**
 * Deletes entries older than AUDIT_RETENTION_DAYS, and the oldest of an action with too many, so that
 * callers who repeat an action cannot fill the disk.
 * @param now UTC milliseconds of the trusted clock
 * @param max entries of each kind of failure, and of each other action
 */
export async function pruneAuditLog(
  { config, db }: Pick<Deps, 'config' | 'db'>,
  now: number,
  max: { failures: number; others: number } = { failures: limits.audit.maxFailures, others: limits.audit.maxOthers },
) {
  const { AUDIT_RETENTION_DAYS: days } = config
  const oldest = db.selectFrom('audit_log').select('id').orderBy('created_at').limit(batchSize)
  let deletedEntries = 0
  if (days > 0) deletedEntries += await deleteBatches(db, oldest.where('created_at', '<', now - days * dayMs))
  for (const action of Object.keys(auditActions) as AuditAction[]) {
    const newest = await db
      .selectFrom('audit_log')
      .select('created_at')
      .where('action', '=', action)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(1)
      .offset(failures.includes(action) ? max.failures : max.others)
      .executeTakeFirst()
    if (!newest) continue
    const beyond = oldest.where('action', '=', action).where('created_at', '<=', newest.created_at)
    deletedEntries += await deleteBatches(db, beyond)
  }
  return { deletedEntries }
}

/** @param ids of at most `batchSize` entries. @returns how many were deleted */
async function deleteBatches(
  db: Kysely<Schema>,
  ids: SelectQueryBuilder<Schema, 'audit_log', { id: string }>,
): Promise<number> {
  for (let total = 0; ;) {
    const { numDeletedRows } = await db.deleteFrom('audit_log').where('id', 'in', ids).executeTakeFirst()
    total += Number(numDeletedRows)
    if (numDeletedRows < batchSize) return total
    await setImmediate()
  }
}
