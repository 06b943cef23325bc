// Webhooks: signed requests to a user's own server about events (docs/decisions/0038).
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { limits } from '../plain/limits.ts'
import { example, done, pageCursor, pageLimit, requestedId, timestamp, wholeNumber } from './schema-parts.ts'
import { testEvent, webhookEventNames } from '../plain/webhook-events.ts'

const bounds = limits.webhooks
const sampleId = 'Hk4mYt8ZbQe2VfXs6RwJcA'
const deliveryId = 'T9uKd3GpLn7WxBq1MzVoEi'
const id = requestedId(sampleId)
const params = z.strictObject({ id })

const event = z.enum(webhookEventNames).meta(example('image.uploaded'))
const url = z
  .string()
  .trim()
  .max(limits.remote.maxUrlLength)
  .meta(example('https://example.com/hooks/images', 'http or https, of a public host'))
const events = z
  .array(event)
  .min(1, 'must have at least one event')
  .max(webhookEventNames.length)
  .meta(example(['image.uploaded'], 'image.reported is for admins, and about all images'))
const secret = z.string().meta(example('whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD', 'Key that signs the requests'))

const webhook = z
  .strictObject({
    id,
    url,
    events: z.array(event).meta(example(['image.uploaded'])),
    createdAt: timestamp,
    isActive: z.boolean().meta(example(true)),
    offReason: z
      .enum(['user', 'credentials', 'gone', 'failing', 'backlog'])
      .nullable()
      .meta(
        example(
          null,
          `user: you switched it off. credentials: along with your sessions and API keys. gone: the receiver responded with 410. failing: every try of a delivery failed. backlog: more than ${bounds.maxPending} deliveries were pending. null: it is on`,
        ),
      ),
    pending: wholeNumber(0).describe('Deliveries to be sent'),
  })
  .meta({ id: 'Webhook' })
export type Webhook = z.infer<typeof webhook>

const newWebhook = webhook.extend({ secret }).meta({ id: 'NewWebhook' })
export type NewWebhook = z.infer<typeof newWebhook>

const delivery = z
  .strictObject({
    id: z.string().meta(example(deliveryId, 'The webhook-id of every try')),
    event: z.enum([...webhookEventNames, testEvent]).meta(example('image.uploaded')),
    status: z.enum(['pending', 'delivered', 'failed']).meta(example('delivered')),
    createdAt: timestamp,
    attempts: wholeNumber(1).describe('Tries so far'),
    nextTryAt: timestamp.nullable().meta(example(null)),
    lastTryAt: timestamp.nullable(),
    lastStatus: z.number().int().nullable().meta(example(204, 'Status of the last try; null: no response')),
    lastError: z.string().nullable().meta(example(null)),
    body: z
      .string()
      .meta(
        example(
          '{"type":"image.uploaded","timestamp":"2026-01-31T12:00:00.000Z","data":{"id":"q7Xn2vTfRkG0aYhLz4WbEg"}}',
          'The JSON that is sent',
        ),
      ),
  })
  .meta({ id: 'WebhookDelivery' })
export type WebhookDelivery = z.infer<typeof delivery>

const shared = { category: 'webhooks', access: 'user' } as const

export const webhooks = {
  createWebhook: endpoint({
    ...shared,
    summary: 'Create a webhook',
    description: `At most ${bounds.maxPerUser} per user, ${bounds.maxPerHost} to the same host. Each event is a POST request with a JSON body, signed per Standard Webhooks 1.0.0 (webhook-id, webhook-timestamp, webhook-signature), sent until a 2xx confirms it or 10 tries within three days fail. Only this response has the secret. Needs a login or confirmation of the last 10 minutes.`,
    body: z.strictObject({ url, events }),
    status: 201,
    response: newWebhook,
    failures: ['too_many_webhooks', 'password_required'],
  }),
  listWebhooks: endpoint({
    ...shared,
    summary: 'List your webhooks, newest first',
    response: z.array(webhook),
  }),
  updateWebhook: endpoint({
    ...shared,
    summary: 'Change a webhook, or switch it off or on',
    description:
      'Switched on again, it sends what was pending, but no events of the time it was off. A new URL needs a login ' +
      'or confirmation of the last 10 minutes.',
    params,
    body: z.strictObject({
      url: url.optional(),
      events: events.optional(),
      isActive: z.boolean().optional().meta(example(true)),
    }),
    response: webhook,
    failures: ['webhook_not_found', 'password_required'],
  }),
  deleteWebhook: endpoint({
    ...shared,
    summary: 'Delete a webhook with its deliveries',
    params,
    response: done,
    failures: ['webhook_not_found'],
  }),
  rotateWebhookSecret: endpoint({
    ...shared,
    summary: 'Create a new secret for a webhook',
    description:
      'For 24 hours requests carry signatures with both secrets. Needs a login or confirmation of the last 10 minutes.',
    params,
    response: z.strictObject({ secret }),
    failures: ['webhook_not_found', 'password_required'],
  }),
  testWebhook: endpoint({
    ...shared,
    summary: 'Send a test event to a webhook',
    params,
    status: 201,
    response: delivery,
    failures: ['webhook_not_found', 'webhook_off', 'too_many_deliveries'],
  }),
  listWebhookDeliveries: endpoint({
    ...shared,
    summary: 'List the deliveries of a webhook, newest first',
    description: `They are kept for ${bounds.retentionDays} days, the newest ${bounds.maxStored} at most.`,
    params,
    query: z.strictObject({ limit: pageLimit('Deliveries'), cursor: pageCursor }),
    response: z.array(delivery),
    failures: ['webhook_not_found'],
  }),
  resendWebhookDelivery: endpoint({
    ...shared,
    summary: 'Send a delivery again, with the same id',
    params: z.strictObject({ id, deliveryId: requestedId(deliveryId) }),
    response: delivery,
    failures: ['webhook_not_found', 'delivery_not_found', 'webhook_off'],
  }),
}
