// What forms show besides their fields.
import { CircleAlert, CircleCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ActionOutcome } from '../use-action.ts'
import { form as texts } from '../../texts/form-messages.ts'

/** What became of the last attempt. It stays, unlike a toast. */
export function OutcomeText({ id, outcome }: { id?: string; outcome: ActionOutcome }) {
  if (outcome?.kind === 'failed') return <FormFailure id={id} text={outcome.text} />
  return (
    <p id={id} role="status" className="text-dense font-medium text-success-text empty:hidden">
      {outcome?.text}
    </p>
  )
}

/** A honeypot: a field that people neither see nor reach, so only bots fill it. */
export const Honeypot = () => (
  <div className="sr-only" aria-hidden>
    <label htmlFor="website">{texts.honeypot}</label>
    <input id="website" name="website" tabIndex={-1} autoComplete="off" />
  </div>
)

export const FormSent = ({ text }: { text: string }) => (
  <p role="status" className="flex gap-2.5 rounded-control bg-success-soft px-3.5 py-3 text-success-text">
    <CircleCheck className="mt-0.5 size-4.5 shrink-0" aria-hidden />
    {text}
  </p>
)

interface FailureProps {
  id?: string | undefined
  text: string
  /** The server's text, empty when there is none. */
  reason?: string
  /** What helps. */
  children?: ReactNode
}

/** Why something was not done, in a form, a dialog or a panel. */
export const FormFailure = ({ id, text, reason = '', children }: FailureProps) => (
  <div id={id} role="alert" className="flex gap-2.5 rounded-control bg-danger-soft px-3 py-2.5 text-danger-text">
    <CircleAlert className="mt-0.5 size-4.5 shrink-0" aria-hidden />
    <div className="min-w-0 wrap-anywhere">
      <p className="font-medium">{text}</p>
      {reason !== '' && <p className="text-dense">{reason}</p>}
      {children}
    </div>
  </div>
)
