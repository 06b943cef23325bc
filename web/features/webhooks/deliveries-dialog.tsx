import { useQuery } from '@tanstack/react-query'
import { webhookEvents } from '../../../contract/plain/webhook-events.ts'
import type { Webhook, WebhookDelivery } from '../../../contract/endpoints/webhooks.ts'
import { limits } from '../../../contract/plain/limits.ts'
import { serverText, troubleOf } from '../../model/api-error.ts'
import { queryClient } from '../../model/query-client.ts'
import { deliveryList, resendDelivery } from './webhooks.ts'
import { dateAndTime, exactTime } from '../../format/dates.ts'
import { deliveries } from '../../texts/webhooks-messages.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Skeletons } from '../../ui/list-panel/skeletons.tsx'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { notify } from '../../ui/toast/toast.ts'
import { hostOf } from './webhook-card.tsx'

const tones = { pending: undefined, delivered: 'success', failed: 'danger' } as const

/** What was sent, and what became of it; follows deliveries that are under way. */
export function DeliveriesDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { data = [], status, error, refetch } = useQuery(deliveryList(webhook.id), queryClient)
  return (
    <Dialog title={deliveries.title(hostOf(webhook))} size="wide" onClose={onClose}>
      {status === 'error' && (
        <LoadFailure title={deliveries.failed} {...troubleOf(error)} onRetry={refetch} isBar={data.length > 0} />
      )}
      {status === 'pending' && <Skeletons count={1} className="h-24" />}
      {status === 'success' && data.length === 0 && <p className="text-text-2">{deliveries.empty}</p>}
      <ul className="grid divided">
        {data.map((delivery) => (
          <Delivery key={delivery.id} delivery={delivery} webhook={webhook} />
        ))}
      </ul>
      {data.length === limits.list.defaultLimit && <p className="text-meta text-text-2">{deliveries.more}</p>}
    </Dialog>
  )
}

function Delivery({ delivery, webhook }: { delivery: WebhookDelivery; webhook: Webhook }) {
  const { id, event, status, createdAt, body } = delivery
  const name = event === 'webhook.test' ? deliveries.test : webhookEvents[event].label

  async function resend(): Promise<void> {
    try {
      await resendDelivery(webhook.id, id)
      notify.success(deliveries.resent)
    } catch (error) {
      notify.failure(serverText(error, deliveries.resendFailed), error)
    }
  }

  return (
    <li className="grid items-start gap-x-3 gap-y-2 py-3 text-dense tabular-nums md:grid-cols-[5.5rem_minmax(0,1fr)_auto]">
      <span className="badge justify-self-start" data-tone={tones[status]}>
        {deliveries.status[status]}
      </span>
      <div className="min-w-0">
        <p className="font-medium">
          {name}{' '}
          <time dateTime={createdAt} className="text-meta font-normal text-text-2">
            {exactTime(createdAt)}
          </time>
        </p>
        <p className="text-meta wrap-anywhere text-text-2">{outcomeOf(delivery)}</p>
        <details className="mt-1">
          <summary className="link w-fit text-meta">{deliveries.body}</summary>
          <pre className="mt-1 overflow-x-auto rounded-control bg-surface-2 p-3 font-mono text-meta">
            {JSON.stringify(JSON.parse(body), null, 2)}
          </pre>
        </details>
      </div>
      {webhook.isActive && status !== 'pending' && (
        <button
          type="button"
          className="btn btn-quiet btn-sm max-md:justify-self-start coarse:h-11"
          onClick={() => void resend()}
        >
          {deliveries.resend}
        </button>
      )}
    </li>
  )
}

/** The last response or error, the number of tries and the time of the next. */
function outcomeOf({ lastStatus, lastError, attempts, nextTryAt }: WebhookDelivery): string {
  const response = lastError ?? (lastStatus === null ? undefined : `HTTP ${lastStatus}`)
  const next = nextTryAt === null || attempts === 0 ? undefined : deliveries.next(dateAndTime(nextTryAt))
  return [response, attempts > 0 ? deliveries.tries(attempts) : undefined, next]
    .filter((part) => part !== undefined)
    .join(' · ')
}
