import { useState } from 'react'
import { ApiError } from '../../model/api-error.ts'
import { useSite } from '../../model/site.ts'
import { account, ownAccount } from '../../texts/account-messages.ts'
import { Checkbox } from '../../ui/forms/checkbox.tsx'
import { OutcomeText } from '../../ui/forms/form-outcome.tsx'
import { PasswordField } from '../../ui/forms/password-field.tsx'
import { textIn, useSubmit } from '../../ui/forms/use-submit.ts'
import { AccountSection } from './account-section.tsx'
import { NewPasswordField } from './new-password-field.tsx'
import { explainFailure, saveAccount } from './own-account.ts'

const texts = ownAccount.password

export function PasswordSection({ email }: { email: string }) {
  const { passwordMin } = useSite()
  const [keepApiKeys, setKeepApiKeys] = useState(false)

  const { isBusy, problems, outcome, formProps } = useSubmit<'current-password' | 'new-password'>({
    async send(form) {
      const [currentPassword, newPassword] = [textIn(form, 'current-password'), textIn(form, 'new-password')]
      if (currentPassword === '') return { 'current-password': texts.currentMissing }
      if (newPassword.length < passwordMin) return { 'new-password': account.passwordShort(passwordMin) }
      const done = await saveAccount({ currentPassword, newPassword, keepApiKeys }, texts.done)
      form.reset()
      setKeepApiKeys(false)
      return done
    },
    explain(error) {
      const isNext = error instanceof ApiError && ['weak_password', 'invalid_input'].includes(error.code)
      return { [isNext ? 'new-password' : 'current-password']: explainFailure(error) }
    },
    isStillWrong: ({ name, value }) => name === 'new-password' && value.length < passwordMin,
  })

  return (
    <AccountSection title={texts.title} text={texts.text}>
      <form className="grid gap-5" {...formProps}>
        {/* So that a password manager knows which account's password changes. */}
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        <PasswordField name="current-password" label={texts.current} error={problems['current-password']} />
        <NewPasswordField
          name="new-password"
          label={texts.next}
          emailOf={() => email}
          error={problems['new-password']}
        />
        <Checkbox label={texts.keepKeys} text={texts.keepKeysText} isChecked={keepApiKeys} onChange={setKeepApiKeys} />
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <button type="submit" className="btn btn-primary" disabled={isBusy}>
            {isBusy ? ownAccount.saving : texts.submit}
          </button>
          <OutcomeText outcome={outcome} />
        </div>
      </form>
    </AccountSection>
  )
}
