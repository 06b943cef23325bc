// The forms of one field on the pages about mails: an email address, or a password.
import { useId, useRef, useState, type ReactNode, type RefObject, type SubmitEvent } from 'react'
import { errorText } from '../../../model/api-error.ts'
import { notify } from '../../../ui/toast/toast.ts'

interface FieldProps {
  id: string
  field: RefObject<HTMLInputElement | null>
  error: string | undefined
  clearError: () => void
}

interface Props {
  texts: { submit: string; busy: string; failed: string }
  /** @returns what is wrong with the value */
  problemIn?: (value: string) => string | undefined
  onSubmit: (value: string) => Promise<void>
  children: (props: FieldProps) => ReactNode
}

export function LinkForm({ texts, problemIn, onSubmit, children }: Props) {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const [refusal, setRefusal] = useState<string>()

  async function submit(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const value = field.current?.value ?? ''
    const problem = problemIn?.(value)
    setRefusal(undefined)
    setError(problem)
    if (problem !== undefined) return field.current?.focus()
    setBusy(true)
    try {
      await onSubmit(value)
    } catch (reason) {
      console.info(texts.failed, reason)
      const text = errorText(reason, texts.failed)
      setRefusal(text)
      notify.error(text)
      field.current?.focus()
    }
    setBusy(false)
  }

  return (
    <form className="grid gap-5" onSubmit={submit}>
      {children({ id, field, error, clearError: () => setError(undefined) })}
      {refusal !== undefined && (
        <p role="alert" className="rounded-control bg-danger-soft px-3 py-2.5 text-danger-text">
          {refusal}
        </p>
      )}
      <button type="submit" className="btn btn-primary btn-lg" disabled={isBusy}>
        {isBusy ? texts.busy : texts.submit}
      </button>
    </form>
  )
}
