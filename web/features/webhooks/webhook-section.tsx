import { Plus, Webhook as WebhookIcon } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Webhook } from '../../../contract/endpoints/webhooks.ts'
import { serverText } from '../../model/api-error.ts'
import { attempt } from '../../model/attempt.ts'
import { refresh } from '../../model/query-client.ts'
import { useRows } from '../../model/row-list.ts'
import { deleteWebhook, rotateWebhookSecret, webhookList } from './webhooks.ts'
import { webhooks, webhookSecret } from '../../texts/webhooks-messages.ts'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { CopyOnceDialog } from '../../ui/copy/copy-once-dialog.tsx'
import { ListPanel } from '../../ui/list-panel/list-panel.tsx'
import { Skeletons } from '../../ui/list-panel/skeletons.tsx'
import { DeliveriesDialog } from './deliveries-dialog.tsx'
import { hostOf, WebhookCard, type WebhookAction } from './webhook-card.tsx'
import { WebhookDialog } from './webhook-dialog.tsx'

type Open = { dialog: 'add' } | { dialog: WebhookAction; webhook: Webhook } | { dialog: 'secret'; secret: string }

/** The user's webhooks, with their dialogs. */
export function WebhookSection() {
  const list = useRows(webhookList)
  const [open, setOpen] = useState<Open>()
  return (
    <div id="webhooks">
      <ListPanel
        id="webhooks-title"
        className="webhooks"
        isUntitled
        icon={WebhookIcon}
        texts={webhooks}
        list={list}
        action={
          <button
            type="button"
            className="btn btn-primary coarse:h-12 max-xs:w-full"
            onClick={() => setOpen({ dialog: 'add' })}
          >
            <Plus className="size-4.5" aria-hidden />
            {webhooks.add}
          </button>
        }
        skeletons={<Skeletons count={1} className="h-40" />}
      >
        <ul className="grid gap-3">
          {list.rows.map((webhook) => (
            <WebhookCard key={webhook.id} webhook={webhook} onOpen={(dialog) => setOpen({ dialog, webhook })} />
          ))}
        </ul>
      </ListPanel>
      {open !== undefined && <Dialogs open={open} onOpen={setOpen} onClose={() => setOpen(undefined)} />}
    </div>
  )
}

function Dialogs({ open, onOpen, onClose }: { open: Open; onOpen: (open: Open) => void; onClose: () => void }) {
  switch (open.dialog) {
    case 'add':
      return <WebhookDialog onCreated={(secret) => onOpen({ dialog: 'secret', secret })} onClose={onClose} />
    case 'edit':
      return <WebhookDialog webhook={open.webhook} onClose={onClose} />
    case 'secret':
      return <CopyOnceDialog texts={webhookSecret} value={open.secret} onClose={onClose} />
    case 'log':
      return (
        <DeliveriesDialog
          webhook={open.webhook}
          onClose={() => {
            // A delivery may have switched it off.
            void refresh(webhookList)
            onClose()
          }}
        />
      )
    case 'rotate':
      return (
        <RotateDialog
          webhook={open.webhook}
          onCreated={(secret) => onOpen({ dialog: 'secret', secret })}
          onClose={onClose}
        />
      )
    case 'delete':
      return <DeleteDialog webhook={open.webhook} onClose={onClose} />
  }
}

function DeleteDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  return (
    <ConfirmDialog
      title={webhooks.deleteTitle}
      subject={hostOf(webhook)}
      confirm={webhooks.delete}
      busy={webhooks.deleting}
      isDanger
      onConfirm={() => attempt(() => deleteWebhook(webhook.id), webhooks.deleteFailed, serverText)}
      onClose={onClose}
    >
      <p>{webhooks.deleteText}</p>
    </ConfirmDialog>
  )
}

interface RotateProps {
  webhook: Webhook
  onCreated: (secret: string) => void
  onClose: () => void
}

function RotateDialog({ webhook, onCreated, onClose }: RotateProps) {
  // Not state: the dialog may close before it is rendered again.
  const secret = useRef<string>(undefined)
  async function rotate(): Promise<void> {
    secret.current = await rotateWebhookSecret(webhook.id)
  }
  return (
    <ConfirmDialog
      title={webhooks.rotateTitle}
      subject={hostOf(webhook)}
      confirm={webhooks.rotate}
      busy={webhooks.rotating}
      onConfirm={() => attempt(rotate, webhooks.rotateFailed, serverText)}
      onClose={() => (secret.current === undefined ? onClose() : onCreated(secret.current))}
    >
      <p>{webhooks.rotateText}</p>
    </ConfirmDialog>
  )
}
