// Sends due deliveries. Each is sent at least once, always with the same id; a lease on its row lets
// one server send it at a time (docs/decisions/0038).
import type { ExpressionBuilder } from 'kysely'
import { limits } from '../../../contract/plain/limits.ts'
import type { Schema, WebhookDeliveriesTable, WebhooksTable } from '../../db/schema.ts'
import { RemoteFailed } from '../../remote/remote-client.ts'
import type { Deps } from '../shared/deps.ts'
import { signedHeaders } from './sign-deliveries.ts'
import { switchOffAndNotify } from './switch-webhooks-off.ts'

const { timeoutMs } = limits.webhooks
/** Longer than a try can take. After a crash it expires. */
export const leaseMs = 60_000
const maxWebhooksPerRun = 20
const maxPerWebhook = 100
/** A slow receiver delays the others of the same run by this and one try. */
const maxRunMs = 5000
const maxErrorLength = 300

const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** Between the tries (Standard Webhooks, "Deliverability and reliability"): ten tries in three days. */
const retryDelaysMs = [5000, 5 * minuteMs, 30 * minuteMs, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hourMs)]
const maxRetryAfterMs = 24 * hourMs
/** Longer than any wait: a time further ahead is of a clock that was set back since. */
const maxWaitMs = 27 * hourMs
/** A receiver that cannot be reached is not tried for each delivery, but at most this often. */
const maxPauseMs = 5 * minuteMs

type Result = { ok: true; status: number } | { ok: false; status: number | null; error: string; retryAfterMs: number }

/** Sends due deliveries: of several webhooks concurrently, of each one by one. */
export async function sendDueDeliveries(deps: Deps): Promise<{ delivered: number; failed: number }> {
  const due = await deps.db
    .selectFrom('webhook_deliveries')
    .select((select) => ['webhook_id', select.fn.min('next_try_at').as('since')])
    .where(isDue(deps.now()))
    .groupBy('webhook_id')
    .orderBy('since')
    .limit(maxWebhooksPerRun)
    .execute()
  const sent = await Promise.all(due.map(({ webhook_id: id }) => sendTo(deps, id)))
  return {
    delivered: sent.reduce((sum, { delivered }) => sum + delivered, 0),
    failed: sent.reduce((sum, { failed }) => sum + failed, 0),
  }
}

async function sendTo(deps: Deps, webhookId: string): Promise<{ delivered: number; failed: number }> {
  const count = { delivered: 0, failed: 0 }
  const endAt = performance.now() + maxRunMs
  const due = await deps.db
    .selectFrom('webhook_deliveries')
    .select(['id', 'next_try_at'])
    .where('webhook_id', '=', webhookId)
    .where(isDue(deps.now()))
    .orderBy('next_try_at')
    .orderBy('id')
    .limit(maxPerWebhook)
    .execute()
  for (const seen of due) {
    if (performance.now() > endAt) break
    const webhook = await findActive(deps, webhookId)
    const delivery = webhook && (await claim(deps, seen))
    // Another server has it, or the webhook was switched off or paused meanwhile.
    if (!webhook || !delivery) break
    const result = await send(deps, webhook, delivery)
    if (result.ok) {
      await setDelivered(deps, delivery, result.status)
      count.delivered++
      continue
    }
    count.failed++
    const mayContinue = await setFailed(deps, webhook, delivery, result)
    if (!mayContinue) break
  }
  return count
}

const findActive = ({ db, now }: Pick<Deps, 'db' | 'now'>, id: string) =>
  db
    .selectFrom('webhooks')
    .selectAll()
    .where('id', '=', id)
    .where('off_reason', 'is', null)
    .where((webhook) =>
      webhook.or([webhook('paused_until', '<=', now()), webhook('paused_until', '>', now() + maxWaitMs)]),
    )
    .executeTakeFirst()

const isDue = (now: number) => (delivery: ExpressionBuilder<Schema, 'webhook_deliveries'>) =>
  delivery.or([delivery('next_try_at', '<=', now), delivery('next_try_at', '>', now + maxWaitMs)])

/** Takes the lease on a delivery, unless another server has changed its time since it was read. */
function claim(
  deps: Pick<Deps, 'db' | 'now'>,
  seen: Pick<WebhookDeliveriesTable, 'id' | 'next_try_at'>,
): Promise<WebhookDeliveriesTable | undefined> {
  const now = deps.now()
  return deps.db
    .updateTable('webhook_deliveries')
    .set((row) => ({ next_try_at: now + leaseMs, last_try_at: now, attempts: row('attempts', '+', 1) }))
    .where('id', '=', seen.id)
    .where('next_try_at', '=', seen.next_try_at)
    .returningAll()
    .executeTakeFirst()
}

async function send(deps: Deps, webhook: WebhooksTable, delivery: WebhookDeliveriesTable): Promise<Result> {
  try {
    const response = await deps.remote.request(new URL(webhook.url), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(delivery.body)),
        'user-agent': 'Image Host',
        ...signedHeaders(webhook, delivery, deps.now()),
      },
      body: delivery.body,
      allowPrivate: deps.config.WEBHOOK_PRIVATE_ADDRESSES,
      signal: AbortSignal.timeout(timeoutMs),
    })
    // Only the status counts; the response body is not read.
    response.destroy()
    const status = response.statusCode ?? 0
    if (status >= 200 && status < 300) return { ok: true, status }
    const retryAfterMs = retryAfterOf(response.headers['retry-after'], deps.now())
    return { ok: false, status, error: `It responded with the status ${status}`, retryAfterMs }
  } catch (error) {
    if (!(error instanceof RemoteFailed)) throw error
    return { ok: false, status: null, error: `It could not be reached: ${error.message}`, retryAfterMs: 0 }
  }
}

/** Seconds, or a date (RFC 9110 section 10.2.3). */
function retryAfterOf(header: string | undefined, now: number): number {
  if (header === undefined) return 0
  const waitMs = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now
  return Number.isNaN(waitMs) ? 0 : Math.min(Math.max(waitMs, 0), maxRetryAfterMs)
}

/** Also when the lease has ended meanwhile: the receiver has it. */
async function setDelivered({ db }: Pick<Deps, 'db'>, { id }: WebhookDeliveriesTable, status: number): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ status: 'delivered', next_try_at: null, last_status: status, last_error: null })
    .where('id', '=', id)
    .execute()
}

/** @returns whether the next delivery may be sent to the same webhook now */
async function setFailed(
  deps: Deps,
  webhook: WebhooksTable,
  delivery: WebhookDeliveriesTable,
  { status, error, retryAfterMs }: Extract<Result, { ok: false }>,
): Promise<boolean> {
  const delayMs = retryDelaysMs[delivery.attempts - 1]
  const isLast = delayMs === undefined || status === 410
  // Up to a tenth later, so that deliveries that failed together are not retried together.
  const jitter = 1 + deps.randomBytes(1).readUInt8() / 2550
  const waitMs = Math.max((delayMs ?? 0) * jitter, retryAfterMs)
  const now = deps.now()
  await deps.db
    .updateTable('webhook_deliveries')
    .set({
      status: isLast ? 'failed' : 'pending',
      next_try_at: isLast ? null : Math.round(now + waitMs),
      last_status: status,
      last_error: error.slice(0, maxErrorLength),
    })
    .where('id', '=', delivery.id)
    // Does nothing when the lease has ended meanwhile and another server holds it.
    .where('next_try_at', '=', delivery.next_try_at)
    .execute()
  deps.log.info({ webhook: webhook.id, delivery: delivery.id, attempts: delivery.attempts, status }, 'webhook failed')
  if (status === 410) await switchOffAndNotify(deps, webhook.id, 'gone')
  else if (isLast && !(await hasDeliveredSince(deps, delivery))) await switchOffAndNotify(deps, webhook.id, 'failing')
  else if (retryAfterMs > 0) await pause(deps, webhook.id, now + retryAfterMs)
  else if (status === null) await pause(deps, webhook.id, now + Math.min(waitMs, maxPauseMs))
  else return true
  return false
}

/** Moves what is due; rows with a lease are not. */
async function pause({ db, now }: Pick<Deps, 'db' | 'now'>, webhookId: string, until: number): Promise<void> {
  const pausedUntil = Math.round(until)
  await db.updateTable('webhooks').set({ paused_until: pausedUntil }).where('id', '=', webhookId).execute()
  await db
    .updateTable('webhook_deliveries')
    .set({ next_try_at: pausedUntil })
    .where('webhook_id', '=', webhookId)
    .where('next_try_at', '<=', now())
    .execute()
}

async function hasDeliveredSince(
  { db }: Pick<Deps, 'db'>,
  { webhook_id: id, created_at: since }: WebhookDeliveriesTable,
): Promise<boolean> {
  const delivered = await db
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('webhook_id', '=', id)
    .where('status', '=', 'delivered')
    .where('last_try_at', '>', since)
    .limit(1)
    .executeTakeFirst()
  return delivered !== undefined
}
