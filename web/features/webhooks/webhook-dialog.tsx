import { useId, useRef, useState } from 'react'
import { limits } from '../../../contract/plain/limits.ts'
import { type WebhookEvent, webhookEventNames, webhookEvents } from '../../../contract/plain/webhook-events.ts'
import type { Webhook } from '../../../contract/endpoints/webhooks.ts'
import { serverText } from '../../model/api-error.ts'
import { useIsAdmin } from '../../model/session.ts'
import { createWebhook, updateWebhook } from './webhooks.ts'
import { webhooks } from '../../texts/webhooks-messages.ts'
import { Checkbox } from '../../ui/forms/checkbox.tsx'
import { FieldProblem } from '../../ui/forms/field-problem.tsx'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'
import { useSubmit } from '../../ui/forms/use-submit.ts'

interface Props {
  /** The webhook to change; a new one without it. */
  webhook?: Webhook
  onCreated?: (secret: string) => void
  onClose: () => void
}

/** Takes URL and events of a webhook. */
export function WebhookDialog({ webhook, onCreated, onClose }: Props) {
  const isAdmin = useIsAdmin()
  const offered = webhookEventNames.filter((event) => isAdmin || !webhookEvents[event].forAdmins)
  const [url, setUrl] = useState(webhook?.url ?? '')
  const [events, setEvents] = useState<readonly WebhookEvent[]>(webhook?.events ?? ['image.uploaded'])
  // Not state: the dialog may close before it is rendered again.
  const secret = useRef<string>(undefined)
  const errorId = useId()

  const { problems, ...form } = useSubmit<'url' | 'events'>({
    async send() {
      const options = { url: url.trim(), events: webhookEventNames.filter((one) => events.includes(one)) }
      const found = errorsOf(options)
      if (Object.keys(found).length > 0) return found
      if (webhook) await updateWebhook(webhook.id, options)
      else secret.current = (await createWebhook(options)).secret
      return undefined
    },
    explain: (error) => serverText(error, webhooks.notSaved),
  })

  return (
    <FormDialog
      title={webhook ? webhooks.editTitle : webhooks.addTitle}
      submit={webhooks.save}
      busy={webhooks.saving}
      form={form}
      buttons="large"
      onClose={() => (secret.current === undefined ? onClose() : onCreated?.(secret.current))}
    >
      <TextField
        name="url"
        label={webhooks.url}
        hint={webhooks.urlHint}
        error={problems.url}
        type="url"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        maxLength={limits.remote.maxUrlLength}
        value={url}
        onChange={({ target }) => setUrl(target.value)}
      />
      <fieldset className="min-w-0">
        <legend className="mb-2 font-medium">{webhooks.events}</legend>
        <div className="grid gap-3">
          {offered.map((event) => (
            <Checkbox
              key={event}
              label={webhookEvents[event].label}
              text={webhookEvents[event].text}
              isChecked={events.includes(event)}
              isInvalid={problems.events !== undefined}
              {...(problems.events !== undefined && { describedBy: errorId })}
              onChange={(isOn) => setEvents(isOn ? [...events, event] : events.filter((one) => one !== event))}
            />
          ))}
        </div>
        {problems.events !== undefined && (
          <div className="mt-1.5">
            <FieldProblem id={errorId} text={problems.events} />
          </div>
        )}
      </fieldset>
    </FormDialog>
  )
}

/** The server checks the rest. */
function errorsOf({ url, events }: { url: string; events: readonly WebhookEvent[] }) {
  return {
    ...(!/^https?:\/\/./.test(url) && { url: webhooks.urlRequired }),
    ...(events.length === 0 && { events: webhooks.eventsRequired }),
  }
}
