// Signatures of Standard Webhooks 1.0.0 (https://www.standardwebhooks.com).
import { createHmac } from 'node:crypto'
import type { WebhooksTable } from '../../db/schema.ts'
import type { Deps } from '../shared/deps.ts'

const prefix = 'whsec_'

export const newWebhookSecret = (deps: Pick<Deps, 'randomBytes'>): string =>
  prefix + deps.randomBytes(32).toString('base64')

/** The headers of one try. While a secret is being replaced, both sign. @param now UTC milliseconds */
export function signedHeaders(
  webhook: Pick<WebhooksTable, 'secret' | 'old_secret' | 'old_secret_until'>,
  { id, body }: { id: string; body: string },
  now: number,
): Record<string, string> {
  const timestamp = Math.floor(now / 1000)
  const { secret, old_secret: oldSecret, old_secret_until: until } = webhook
  const secrets = oldSecret !== null && until !== null && until > now ? [secret, oldSecret] : [secret]
  const signatures = secrets.map((one) =>
    createHmac('sha256', Buffer.from(one.slice(prefix.length), 'base64'))
      .update(`${id}.${timestamp}.${body}`)
      .digest('base64'),
  )
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.map((signature) => `v1,${signature}`).join(' '),
  }
}
