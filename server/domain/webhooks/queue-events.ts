// The outbox of webhooks: an event is queued in the transaction that causes it, so that neither
// exists without the other (docs/decisions/0038).
import { imageUrls } from '../../../contract/derive/client.ts'
import { formats } from '../../../contract/plain/formats.ts'
import { type testEvent, type WebhookEvent, webhookEvents } from '../../../contract/plain/webhook-events.ts'
import { splitTags } from '../../db/image-tags.ts'
import { expiryText } from '../../db/never-expires.ts'
import type { ImagesTable, WebhookDeliveriesTable, WebhooksTable } from '../../db/schema.ts'
import type { Deps, InTransaction } from '../shared/deps.ts'
import { newId } from '../shared/secrets.ts'

export type OutboxDeps = InTransaction<Pick<Deps, 'config' | 'now' | 'randomBytes'>>

/** The columns of an image in an event. */
export const eventColumns = [
  'id',
  'file_name',
  'original_name',
  'owner_id',
  'format',
  'width',
  'height',
  'bytes',
  'created_at',
  'expires_at',
  'visibility',
  'tags',
] as const
export type EventImage = Pick<ImagesTable, (typeof eventColumns)[number]>

/** The events that a webhook is sent. */
export const eventsOf = ({ events }: Pick<WebhooksTable, 'events'>) => events.split(',') as WebhookEvent[]

interface ImageEvent {
  image: EventImage
  /** Beside the image. */
  details?: Record<string, unknown>
}

/**
 * Queues an event for the webhooks of each image's owner, or for those of all admins.
 * @param deps.db the transaction, which has written before: SQLite does not wait for another process
 * when a transaction upgrades from reading to writing
 */
export async function queueImageEvents(deps: OutboxDeps, event: WebhookEvent, happened: ImageEvent[]): Promise<void> {
  const { forAdmins } = webhookEvents[event]
  const owners = [...new Set(happened.map(({ image }) => image.owner_id))].filter((owner) => owner !== null)
  if (!forAdmins && owners.length === 0) return
  const active = deps.db
    .selectFrom('webhooks')
    .innerJoin('users', 'users.id', 'webhooks.user_id')
    .select(['webhooks.id', 'webhooks.user_id', 'webhooks.events', 'webhooks.paused_until'])
    .where('users.status', '=', 'Active')
    .where('webhooks.off_reason', 'is', null)
  const found = await (
    forAdmins ? active.where('users.role', '=', 'admin') : active.where('webhooks.user_id', 'in', owners)
  ).execute()
  const webhooks = found.filter(({ events }) => eventsOf({ events }).includes(event))
  const rows = happened.flatMap(({ image, details }) =>
    webhooks
      .filter((webhook) => forAdmins || webhook.user_id === image.owner_id)
      .map((webhook) => newDelivery(deps, webhook, event, { ...imageData(deps, image), ...details })),
  )
  await insertDeliveries(deps, rows)
}

/** SQLite allows 32,766 values in a statement. */
const rowsPerInsert = 1000

export async function insertDeliveries({ db }: Pick<Deps, 'db'>, rows: WebhookDeliveriesTable[]): Promise<void> {
  for (let at = 0; at < rows.length; at += rowsPerInsert)
    await db
      .insertInto('webhook_deliveries')
      .values(rows.slice(at, at + rowsPerInsert))
      .execute()
}

export function newDelivery(
  deps: Pick<Deps, 'now' | 'randomBytes'>,
  webhook: Pick<WebhooksTable, 'id' | 'paused_until'>,
  event: WebhookEvent | typeof testEvent,
  data: Record<string, unknown>,
): WebhookDeliveriesTable {
  const now = deps.now()
  return {
    id: newId(deps),
    webhook_id: webhook.id,
    event,
    body: JSON.stringify({ type: event, timestamp: new Date(now).toISOString(), data }),
    created_at: now,
    status: 'pending',
    attempts: 0,
    next_try_at: Math.max(now, webhook.paused_until),
    last_try_at: null,
    last_status: null,
    last_error: null,
  }
}

/** Without a URL when no setting provides the origin: a job has no request. */
export function imageData({ config }: Pick<Deps, 'config'>, image: EventImage) {
  const origin = config.MEDIA_ORIGIN ?? config.PUBLIC_URL
  return {
    id: image.id,
    file_name: image.file_name,
    original_name: image.original_name,
    url: origin === undefined ? null : imageUrls.original(origin, image.file_name),
    width: image.width,
    height: image.height,
    size: image.bytes,
    mime: formats[image.format].mime,
    visibility: image.visibility,
    created_at: new Date(image.created_at).toISOString(),
    expires_at: expiryText(image.expires_at),
    tags: splitTags(image.tags),
  }
}
