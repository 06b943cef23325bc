import { useRef, useState } from 'react'
import type { NewApiKey } from '../../../contract/endpoints/api-keys.ts'
import { accountLimits } from '../../../contract/plain/account-limits.ts'
import { createApiKey } from '../../model/api-keys.ts'
import { apiKeys } from '../../texts/api-keys-messages.ts'
import { OutcomeText } from '../../ui/forms/form-outcome.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'
import { textIn, useSubmit } from '../../ui/forms/use-submit.ts'
import { keyErrorText } from './key-error.ts'
import { ExpiryField, LimitFields, ScopeFields } from './key-options-fields.tsx'
import { initialOptions, type KeyField, newKeyRequest, optionErrors } from './key-options.ts'

/** Takes the name of a key, what it may do, its expiry and limits, and creates it. */
export function CreateKeyForm({ onCreated }: { onCreated: (key: NewApiKey) => void }) {
  const [options, setOptions] = useState(initialOptions)
  const field = useRef<HTMLInputElement>(null)
  const { isBusy, problems, outcome, formProps } = useSubmit<KeyField>({
    async send(form) {
      const name = textIn(form, 'name').trim()
      const now = Date.now()
      const found = optionErrors(name, options, now)
      if (Object.keys(found).length > 0) return found
      onCreated(await createApiKey(newKeyRequest(name, options, now)))
      setOptions(initialOptions)
      if (field.current !== null) field.current.value = ''
      return undefined
    },
    explain: (error) => keyErrorText(error, { auth: apiKeys.authCreate, failed: apiKeys.createFailed }),
    // The reason is above the button, and the name may be out of view.
    refocus: 'create',
  })

  const shared = { options, errors: problems, onChange: setOptions }
  return (
    <form {...formProps} className="card mt-8 grid gap-5 p-4 md:p-5" aria-label={apiKeys.form}>
      <div className="grid gap-x-4 gap-y-5 md:grid-cols-[minmax(0,1fr)_14rem]">
        <TextField
          ref={field}
          name="name"
          label={apiKeys.name}
          hint={apiKeys.nameHint}
          error={problems.name}
          required
          autoComplete="off"
          maxLength={accountLimits.apiKeys.maxNameLength}
        />
        <ExpiryField {...shared} />
      </div>
      <ScopeFields {...shared} />
      <LimitFields {...shared} />
      <OutcomeText outcome={outcome} />
      <button
        type="submit"
        name="create"
        className="btn btn-primary min-w-28 justify-self-start coarse:h-12 max-xs:w-full"
        disabled={isBusy}
      >
        {isBusy ? apiKeys.creating : apiKeys.create}
      </button>
    </form>
  )
}
