import { useId, useRef, useState, type SubmitEvent } from 'react'
import { limits } from '../../../contract/plain/limits.ts'
import { type WebhookEvent, webhookEventNames, webhookEvents } from '../../../contract/plain/webhook-events.ts'
import type { Webhook } from '../../../contract/endpoints/webhooks.ts'
import { serverText } from '../../model/api-error.ts'
import { useIsAdmin } from '../../model/session.ts'
import { createWebhook, updateWebhook } from './webhooks.ts'
import { webhooks } from '../../texts/webhooks-messages.ts'
import { Checkbox } from '../../ui/forms/checkbox.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { LabelledField } from '../../ui/forms/labelled-field.tsx'

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
  const [errors, setErrors] = useState<{ url?: string; events?: string }>({})
  const [failure, setFailure] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const id = useId()

  async function submit(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const options = { url: url.trim(), events: webhookEventNames.filter((one) => events.includes(one)) }
    const found = errorsOf(options)
    setErrors(found)
    setFailure(undefined)
    if (found.url !== undefined) field.current?.focus()
    if (Object.keys(found).length > 0) return
    setBusy(true)
    try {
      if (webhook) {
        await updateWebhook(webhook.id, options)
        onClose()
      } else onCreated?.((await createWebhook(options)).secret)
    } catch (error) {
      console.info(webhooks.notSaved, error)
      setFailure(serverText(error, webhooks.notSaved))
      setBusy(false)
    }
  }

  return (
    <Dialog title={webhook ? webhooks.editTitle : webhooks.addTitle} closeLabel={webhooks.close} onClose={onClose}>
      <form className="grid gap-5" noValidate onSubmit={submit}>
        <LabelledField id={`${id}url`} label={webhooks.url} hint={webhooks.urlHint} error={errors.url}>
          <input
            ref={field}
            id={`${id}url`}
            className="field"
            name="url"
            type="url"
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            maxLength={limits.remote.maxUrlLength}
            value={url}
            aria-invalid={errors.url !== undefined}
            aria-describedby={`${id}urlhint`}
            onChange={({ target }) => setUrl(target.value)}
          />
        </LabelledField>
        <fieldset className="min-w-0">
          <legend className="mb-2 font-medium">{webhooks.events}</legend>
          <div className="grid gap-3">
            {offered.map((event) => (
              <Checkbox
                key={event}
                label={webhookEvents[event].label}
                text={webhookEvents[event].text}
                isChecked={events.includes(event)}
                isInvalid={errors.events !== undefined}
                {...(errors.events !== undefined && { describedBy: `${id}eventserror` })}
                onChange={(isOn) => setEvents(isOn ? [...events, event] : events.filter((one) => one !== event))}
              />
            ))}
          </div>
          {errors.events !== undefined && (
            <p id={`${id}eventserror`} role="alert" className="mt-1.5 text-meta text-danger-text">
              {errors.events}
            </p>
          )}
        </fieldset>
        {failure !== undefined && (
          <p role="alert" className="rounded-control bg-danger-soft px-3 py-2.5 text-danger-text">
            {failure}
          </p>
        )}
        <div className="flex flex-wrap justify-end gap-3">
          <button type="button" className="btn btn-quiet coarse:h-12 max-xs:w-full" onClick={onClose}>
            {webhooks.cancel}
          </button>
          <button type="submit" className="btn btn-primary min-w-24 coarse:h-12 max-xs:w-full" disabled={isBusy}>
            {isBusy ? webhooks.saving : webhooks.save}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

/** The server checks the rest. */
function errorsOf({ url, events }: { url: string; events: readonly WebhookEvent[] }) {
  return {
    ...(!/^https?:\/\/./.test(url) && { url: webhooks.urlRequired }),
    ...(events.length === 0 && { events: webhooks.eventsRequired }),
  }
}
