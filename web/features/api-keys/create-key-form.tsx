import { useId, useRef, useState, type SubmitEvent } from 'react'
import type { NewApiKey } from '../../../contract/endpoints/api-keys.ts'
import { limits } from '../../../contract/plain/limits.ts'
import { createApiKey } from '../../model/api-keys.ts'
import { apiKeys } from '../../texts/api-keys-messages.ts'
import { LabelledField } from '../../ui/forms/labelled-field.tsx'
import { keyErrorText } from './key-error.ts'
import { ExpiryField, LimitFields, ScopeFields } from './key-options-fields.tsx'
import { initialOptions, type KeyField, type KeyOptions, newKeyRequest, optionErrors } from './key-options.ts'

/** Takes the name of a key, what it may do, its expiry and limits, and creates it. */
export function CreateKeyForm({ onCreated }: { onCreated: (key: NewApiKey) => void }) {
  const [isBusy, setBusy] = useState(false)
  const [options, setOptions] = useState(initialOptions)
  const [errors, setErrors] = useState<Partial<Record<KeyField, string>>>({})
  const [refusal, setRefusal] = useState<string>()
  const form = useRef<HTMLFormElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const id = useId()

  async function submit(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const name = field.current?.value.trim() ?? ''
    const now = Date.now()
    const found = optionErrors(name, options, now)
    setRefusal(undefined)
    setErrors(found)
    if (Object.keys(found).length > 0) return focusFirstInvalid()
    setBusy(true)
    try {
      onCreated(await createApiKey(newKeyRequest(name, options, now)))
      setOptions(initialOptions)
      if (field.current !== null) field.current.value = ''
    } catch (error) {
      console.info('Failed to create API key', error)
      setRefusal(keyErrorText(error, { auth: apiKeys.authCreate, failed: apiKeys.createFailed }))
      field.current?.focus()
    }
    setBusy(false)
  }

  /** After React has marked the fields. */
  function focusFirstInvalid(): void {
    requestAnimationFrame(() => {
      const invalid = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
      const details = invalid?.closest('details')
      if (details) details.open = true
      invalid?.focus()
    })
  }

  function change(next: KeyOptions): void {
    setOptions(next)
    setErrors(({ name }) => (name === undefined ? {} : { name }))
  }

  const shared = { id, options, errors, onChange: change }
  return (
    <form ref={form} className="card mt-8 grid gap-5 p-4 md:p-5" noValidate aria-label={apiKeys.form} onSubmit={submit}>
      <div className="grid gap-x-4 gap-y-5 md:grid-cols-[minmax(0,1fr)_14rem]">
        <LabelledField id={`${id}name`} label={apiKeys.name} hint={apiKeys.nameHint} error={errors.name}>
          <input
            ref={field}
            id={`${id}name`}
            className="field"
            name="name"
            required
            autoComplete="off"
            maxLength={limits.apiKeys.maxNameLength}
            aria-invalid={errors.name !== undefined}
            aria-describedby={`${id}namehint`}
            onChange={() => setErrors(({ name: _, ...others }) => others)}
          />
        </LabelledField>
        <ExpiryField {...shared} />
      </div>
      <ScopeFields {...shared} />
      <LimitFields {...shared} />
      {refusal !== undefined && (
        <p role="alert" className="rounded-control bg-danger-soft px-3 py-2.5 text-danger-text">
          {refusal}
        </p>
      )}
      <button
        type="submit"
        className="btn btn-primary min-w-28 justify-self-start coarse:h-12 max-xs:w-full"
        disabled={isBusy}
      >
        {isBusy ? apiKeys.creating : apiKeys.create}
      </button>
    </form>
  )
}
