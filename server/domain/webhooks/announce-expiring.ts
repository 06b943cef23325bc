// Queues image.expiring: each image once, when it has 7 days left.
import { dayMs, limits } from '../../../contract/plain/limits.ts'
import type { WebhooksTable } from '../../db/schema.ts'
import type { Deps } from '../shared/deps.ts'
import { eventColumns, eventsOf, imageData, insertDeliveries, newDelivery } from './queue-events.ts'

/** Images per webhook and run, and all that expire in the same millisecond as the last. */
const maxPerRun = 500

/**
 * Each webhook stores until when expiries have been announced: an extended image is announced again
 * before its new expiry. An image uploaded for less than 7 days is announced by image.uploaded only.
 * @param now UTC milliseconds of the trusted clock
 */
export async function announceExpiringImages(deps: Deps, now: number): Promise<{ images: number }> {
  const until = now + limits.expiryNoticeDays * dayMs
  const active = await deps.db
    .selectFrom('webhooks')
    .innerJoin('users', 'users.id', 'webhooks.user_id')
    .selectAll('webhooks')
    .where('users.status', '=', 'Active')
    .where('webhooks.off_reason', 'is', null)
    .where('webhooks.expiring_until', '<', until)
    .execute()
  let images = 0
  const behind = active.filter((webhook) => eventsOf(webhook).includes('image.expiring'))
  for (const webhook of behind) images += await announceTo(deps, webhook, { now, until })
  return { images }
}

/** @returns the number of images announced */
async function announceTo(
  deps: Deps,
  webhook: WebhooksTable,
  { now, until }: { now: number; until: number },
): Promise<number> {
  const from = Math.max(now, webhook.expiring_until)
  const expiring = (db: Deps['db']) =>
    db
      .selectFrom('images')
      .select(eventColumns)
      .where('owner_id', '=', webhook.user_id)
      .where('quarantined_at', 'is', null)
      .where('expires_at', '>', from)
      .orderBy('expires_at')
  const last = await expiring(deps.db)
    .where('expires_at', '<=', until)
    .offset(maxPerRun - 1)
    .limit(1)
    .executeTakeFirst()
  const announcedUntil = last?.expires_at ?? until
  return deps.db.transaction().execute(async (db) => {
    const { numUpdatedRows } = await db
      .updateTable('webhooks')
      .set({ expiring_until: announcedUntil })
      .where('id', '=', webhook.id)
      // Another server was faster.
      .where('expiring_until', '=', webhook.expiring_until)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return 0
    const images = await expiring(db).where('expires_at', '<=', announcedUntil).execute()
    const rows = images.map((image) => newDelivery(deps, webhook, 'image.expiring', imageData(deps, image)))
    await insertDeliveries({ db }, rows)
    return rows.length
  })
}
