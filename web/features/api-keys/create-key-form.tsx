import { useId, useRef, useState, type SubmitEvent } from 'react'
import type { NewApiKey } from '../../../contract/api-keys.ts'
import { limits } from '../../../contract/limits.ts'
import { createApiKey } from '../../data/api-keys.ts'
import { apiKeys } from '../../texts/api-keys-messages.ts'
import { keyErrorText } from './key-error.ts'

/** Takes a name and creates a key. */
export function CreateKeyForm({ onCreated }: { onCreated: (key: NewApiKey) => void }) {
  const [isBusy, setBusy] = useState(false)
  const [isNameless, setNameless] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  const id = useId()

  async function submit(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const name = field.current?.value.trim() ?? ''
    setRefusal(undefined)
    setNameless(name === '')
    if (name === '') return field.current?.focus()
    setBusy(true)
    try {
      onCreated(await createApiKey(name))
      if (field.current !== null) field.current.value = ''
    } catch (error) {
      console.info('Failed to create API key', error)
      setRefusal(keyErrorText(error, { auth: apiKeys.authCreate, failed: apiKeys.createFailed }))
      field.current?.focus()
    }
    setBusy(false)
  }

  return (
    <form className="card mt-8 p-4 md:p-5" noValidate aria-label={apiKeys.form} onSubmit={submit}>
      <div className="grid gap-x-3 gap-y-1.5 xs:grid-cols-[minmax(0,1fr)_auto] xs:items-end">
        <div className="grid gap-1.5">
          <label className="font-medium" htmlFor={id}>
            {apiKeys.name}
          </label>
          <input
            ref={field}
            id={id}
            className="field"
            name="name"
            required
            autoComplete="off"
            maxLength={limits.apiKeys.maxNameLength}
            aria-invalid={isNameless}
            aria-describedby={`${id}hint`}
            onChange={() => setNameless(false)}
          />
        </div>
        <button type="submit" className="btn btn-primary coarse:h-12 max-xs:order-last max-xs:mt-2" disabled={isBusy}>
          {isBusy ? apiKeys.creating : apiKeys.create}
        </button>
        <div id={`${id}hint`} className="text-meta">
          {isNameless ? (
            <p role="alert" className="text-danger-text">
              {apiKeys.nameRequired}
            </p>
          ) : (
            <p className="text-text-2">{apiKeys.nameHint}</p>
          )}
        </div>
      </div>
      {refusal !== undefined && (
        <p role="alert" className="mt-3 rounded-control bg-danger-soft px-3 py-2.5 text-danger-text">
          {refusal}
        </p>
      )}
    </form>
  )
}
