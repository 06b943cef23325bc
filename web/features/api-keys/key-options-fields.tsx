import { useId } from 'react'
import { scopes } from '../../../contract/plain/scopes.ts'
import { apiKeys } from '../../texts/api-keys-messages.ts'
import { FieldProblem } from '../../ui/forms/field-problem.tsx'
import { Checkbox } from '../../ui/forms/checkbox.tsx'
import { Select } from '../../ui/forms/select.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'
import { expiries, isImplied, type KeyField, type KeyOptions } from './key-options.ts'

interface Props {
  options: KeyOptions
  errors: Partial<Record<KeyField, string>>
  onChange: (options: KeyOptions) => void
}

export function ExpiryField({ options, errors, onChange }: Props) {
  return (
    <div className="key-expiry grid content-start gap-3">
      <Select
        label={apiKeys.expiry}
        hasLabel
        value={options.expiry}
        options={expiries.map((one) => [one, apiKeys.expiries[one]])}
        onChange={(expiry) => onChange({ ...options, expiry })}
      />
      {options.expiry === 'date' && (
        <TextField
          name="date"
          label={apiKeys.lastDay}
          error={errors.date}
          type="date"
          value={options.date}
          onChange={({ target }) => onChange({ ...options, date: target.value })}
        />
      )}
    </div>
  )
}

export function ScopeFields({ options, errors, onChange }: Props) {
  const chosen = options.scopes
  const errorId = useId()
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 font-medium">{apiKeys.scopesLegend}</legend>
      <div className="grid gap-2 md:grid-cols-3 md:gap-3">
        {scopes.map((scope) => (
          <Checkbox
            key={scope}
            className="key-scope"
            name="scopes"
            label={apiKeys.scopes[scope]}
            text={apiKeys.scopeTexts[scope]}
            isChecked={chosen.includes(scope) || isImplied(scope, chosen)}
            isDisabled={scope !== 'manage' && chosen.includes('manage')}
            isInvalid={errors.scopes !== undefined}
            {...(errors.scopes !== undefined && { describedBy: errorId })}
            onChange={(isOn) =>
              onChange({ ...options, scopes: isOn ? [...chosen, scope] : chosen.filter((one) => one !== scope) })
            }
          />
        ))}
      </div>
      {errors.scopes !== undefined && (
        <div className="mt-1.5">
          <FieldProblem id={errorId} text={errors.scopes} />
        </div>
      )}
    </fieldset>
  )
}

export function LimitFields({ options, errors, onChange }: Props) {
  return (
    <details className="key-limits">
      <summary className="link coarse:min-h-11">{apiKeys.limits}</summary>
      <div className="mt-3 grid gap-4 xs:grid-cols-2 lg:max-w-160">
        {(['uploadsPerHour', 'totalMegabytes'] as const).map((field) => (
          <TextField
            key={field}
            name={field}
            label={apiKeys[field]}
            hint={apiKeys.noLimitHint}
            error={errors[field]}
            inputMode="numeric"
            autoComplete="off"
            maxLength={10}
            value={options[field]}
            onChange={({ target }) => onChange({ ...options, [field]: target.value })}
          />
        ))}
      </div>
    </details>
  )
}
