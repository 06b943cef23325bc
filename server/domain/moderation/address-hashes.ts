// Clears the hash of the uploader's address from images after ADDRESS_RETENTION_DAYS.
import { setImmediate } from 'node:timers/promises'
import { dayMs } from '../../../contract/plain/limits.ts'
import type { Deps } from '../shared/deps.ts'

/** A few milliseconds of SQLite, which blocks the process. */
const batchSize = 200

/** @param now UTC milliseconds of the trusted clock */
export async function clearAddressHashes({ config, db }: Pick<Deps, 'config' | 'db'>, now: number) {
  let clearedImages = 0
  const old = db
    .selectFrom('images')
    .select('id')
    .where('address_hash', 'is not', null)
    .where('created_at', '<', now - config.ADDRESS_RETENTION_DAYS * dayMs)
    .orderBy('created_at')
    .limit(batchSize)
  for (;;) {
    const clearing = db.updateTable('images').set({ address_hash: null }).where('id', 'in', old)
    const cleared = Number((await clearing.executeTakeFirst()).numUpdatedRows)
    clearedImages += cleared
    if (cleared < batchSize) return { clearedImages }
    await setImmediate()
  }
}
