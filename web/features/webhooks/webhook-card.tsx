import { KeyRound, ListChecks, Pencil, Power, Send, Trash2, type LucideIcon } from 'lucide-react'
import { webhookEvents } from '../../../contract/plain/webhook-events.ts'
import type { Webhook } from '../../../contract/endpoints/webhooks.ts'
import { serverText } from '../../model/api-error.ts'
import { testWebhook, updateWebhook } from './webhooks.ts'
import { webhooks } from '../../texts/webhooks-messages.ts'
import { SmallButton } from '../../ui/small-button.tsx'
import { notify } from '../../ui/toast/toast.ts'
import { useAction } from '../../ui/use-action.ts'

/** A dialog about a webhook. */
export type WebhookAction = 'edit' | 'log' | 'rotate' | 'delete'

/** How people recognize a webhook: its path may be a secret, and is long. */
export const hostOf = ({ url }: Webhook) => new URL(url).host

export function WebhookCard({ webhook, onOpen }: { webhook: Webhook; onOpen: (action: WebhookAction) => void }) {
  const { isBusy, run } = useAction(notify.failure)
  const { id, url, events, isActive, offReason, pending } = webhook
  const host = hostOf(webhook)

  const sendTest = () =>
    run(
      async () => {
        await testWebhook(id)
        notify.success(webhooks.tested)
        onOpen('log')
      },
      (error) => serverText(error, webhooks.testFailed),
    )
  const toggle = () =>
    run(
      () => updateWebhook(id, { isActive: !isActive }),
      (error) => serverText(error, webhooks.notSaved),
    )

  const button = (text: string, icon: LucideIcon, onPress: () => void) => ({
    text,
    icon,
    onPress,
    name: webhooks.named(text, host),
    isOff: isBusy,
  })

  return (
    <li className="card grid gap-2.5 p-4">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <p className="min-w-0 font-mono text-dense font-medium wrap-anywhere">{url}</p>
        <span className="badge" data-tone={isActive ? 'success' : undefined}>
          {isActive ? webhooks.on : webhooks.off}
        </span>
      </div>
      <ul className="flex flex-wrap gap-1">
        {events.map((event) => (
          <li key={event} className="badge">
            {webhookEvents[event].label}
          </li>
        ))}
      </ul>
      {offReason !== null && <p className="text-meta text-text-2">{webhooks.offReasons[offReason]}</p>}
      {pending > 0 && <p className="text-meta text-text-2">{webhooks.pending(pending)}</p>}
      <div className="mt-1 flex flex-wrap gap-1">
        <SmallButton {...button(webhooks.log, ListChecks, () => onOpen('log'))} />
        {isActive && <SmallButton isGhost {...button(webhooks.test, Send, () => void sendTest())} />}
        <SmallButton
          isGhost
          {...button(isActive ? webhooks.switchOff : webhooks.switchOn, Power, () => void toggle())}
        />
        <SmallButton isGhost {...button(webhooks.edit, Pencil, () => onOpen('edit'))} />
        <SmallButton isGhost {...button(webhooks.newSecret, KeyRound, () => onOpen('rotate'))} />
        <SmallButton isGhost isDanger {...button(webhooks.delete, Trash2, () => onOpen('delete'))} />
      </div>
    </li>
  )
}
