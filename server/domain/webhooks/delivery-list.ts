// The deliveries of a webhook: listed, sent again, pruned; and the test event.
import type { Input } from '../../../contract/endpoints/api.ts'
import { dayMs, limits } from '../../../contract/plain/limits.ts'
import { testEvent } from '../../../contract/plain/webhook-events.ts'
import type { WebhookDelivery } from '../../../contract/endpoints/webhooks.ts'
import { countRows } from '../../db/count-rows.ts'
import type { WebhookDeliveriesTable } from '../../db/schema.ts'
import type { UserCaller } from '../shared/caller.ts'
import type { Deps } from '../shared/deps.ts'
import { isoTimeOrNull } from '../shared/iso-time.ts'
import { Failure } from '../shared/failure.ts'
import { type Page, readPage } from '../shared/keyset-page.ts'
import { insertDeliveries, newDelivery } from './queue-events.ts'
import { switchOffAndNotify } from './switch-webhooks-off.ts'
import { leaseMs } from './send-deliveries.ts'
import { lockWebhook } from './webhooks.ts'

interface WebhookRequest {
  caller: UserCaller
  params: { id: string }
}

const { maxPending, maxStored, retentionDays } = limits.webhooks

/** Queues a test event. @throws {Failure} webhook_not_found, webhook_off, too_many_deliveries */
export async function testWebhook(deps: Deps, { caller, params }: WebhookRequest): Promise<WebhookDelivery> {
  return deps.db.transaction().execute(async (db) => {
    const webhook = await lockWebhook(db, caller, params.id)
    if (webhook.off_reason !== null) throw new Failure('webhook_off')
    if ((await countPending({ db }, webhook.id)) >= maxPending)
      throw new Failure('too_many_deliveries', { limit: maxPending })
    const row = newDelivery(deps, webhook, testEvent, { message: `A test event of ${deps.config.SITE_NAME}` })
    await insertDeliveries({ db }, [row])
    return toDelivery(row)
  })
}

/** @throws {Failure} webhook_not_found */
export async function listWebhookDeliveries(
  deps: Pick<Deps, 'db'>,
  { caller, params, query }: WebhookRequest & Pick<Input<'listWebhookDeliveries'>, 'query'>,
): Promise<Page<WebhookDelivery>> {
  const owned = deps.db.selectFrom('webhooks').select('id').where('id', '=', params.id)
  if (!(await owned.where('user_id', '=', caller.account.id).executeTakeFirst())) throw new Failure('webhook_not_found')
  const rows = deps.db.selectFrom('webhook_deliveries').selectAll().where('webhook_id', '=', params.id)
  return readPage(rows, null, {
    limit: query.limit,
    cursor: query.cursor,
    sort: 'deliveries',
    by: ['created_at', 'id'],
    keyOf: ({ id, created_at: value }) => ({ value, id }),
    show: toDelivery,
  })
}

/**
 * Makes a delivery due, whatever became of it, with all its tries. A delivery that may be under way
 * stays as it is: only one server may send it at a time.
 * @throws {Failure} webhook_not_found, delivery_not_found, webhook_off
 */
export async function resendWebhookDelivery(
  deps: Deps,
  { caller, params }: { caller: UserCaller; params: { id: string; deliveryId: string } },
): Promise<WebhookDelivery> {
  return deps.db.transaction().execute(async (db) => {
    const webhook = await lockWebhook(db, caller, params.id)
    if (webhook.off_reason !== null) throw new Failure('webhook_off')
    const now = deps.now()
    const found = await db
      .selectFrom('webhook_deliveries')
      .selectAll()
      .where('id', '=', params.deliveryId)
      .where('webhook_id', '=', webhook.id)
      .executeTakeFirst()
    if (!found) throw new Failure('delivery_not_found')
    const changed = await db
      .updateTable('webhook_deliveries')
      .set({ status: 'pending', attempts: 0, next_try_at: now })
      .where('id', '=', found.id)
      .where((where) => where.or([where('status', '!=', 'pending'), where('last_try_at', '<', now - leaseMs)]))
      .returningAll()
      .executeTakeFirst()
    return toDelivery(changed ?? found)
  })
}

/**
 * Deletes old deliveries, and switches off webhooks with too many pending ones.
 * @param now UTC milliseconds of the trusted clock
 */
export async function pruneWebhookDeliveries(deps: Deps, now: number): Promise<{ deliveries: number }> {
  const { numDeletedRows } = await deps.db
    .deleteFrom('webhook_deliveries')
    .where('status', '!=', 'pending')
    .where('created_at', '<', now - retentionDays * dayMs)
    .executeTakeFirst()
  let deliveries = Number(numDeletedRows)
  const large = await deps.db
    .selectFrom('webhook_deliveries')
    .select('webhook_id')
    .groupBy('webhook_id')
    .having((having) => having(having.fn.countAll(), '>', maxStored))
    .execute()
  for (const { webhook_id: id } of large) {
    deliveries += await deleteOldest(deps, id)
    if ((await countPending(deps, id)) > maxPending) await switchOffAndNotify(deps, id, 'backlog')
  }
  return { deliveries }
}

/** Deletes finished deliveries beyond the newest {@link maxStored}. */
async function deleteOldest({ db }: Pick<Deps, 'db'>, webhookId: string): Promise<number> {
  const finished = db
    .selectFrom('webhook_deliveries')
    .where('webhook_id', '=', webhookId)
    .where('status', '!=', 'pending')
  const first = await finished
    .select(['created_at', 'id'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .offset(maxStored)
    .limit(1)
    .executeTakeFirst()
  if (!first) return 0
  const { numDeletedRows } = await db
    .deleteFrom('webhook_deliveries')
    .where('webhook_id', '=', webhookId)
    .where('status', '!=', 'pending')
    .where((where) => where(where.refTuple('created_at', 'id'), '<=', where.tuple(first.created_at, first.id)))
    .executeTakeFirst()
  return Number(numDeletedRows)
}

const countPending = ({ db }: Pick<Deps, 'db'>, webhookId: string): Promise<number> =>
  countRows(db.selectFrom('webhook_deliveries').where('webhook_id', '=', webhookId).where('status', '=', 'pending'))

function toDelivery(row: WebhookDeliveriesTable): WebhookDelivery {
  return {
    id: row.id,
    event: row.event,
    status: row.status,
    createdAt: new Date(row.created_at).toISOString(),
    attempts: row.attempts,
    nextTryAt: isoTimeOrNull(row.next_try_at),
    lastTryAt: isoTimeOrNull(row.last_try_at),
    lastStatus: row.last_status,
    lastError: row.last_error,
    body: row.body,
  }
}
