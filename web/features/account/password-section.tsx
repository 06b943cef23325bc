import { useId, useRef, useState, type RefObject, type SubmitEvent } from 'react'
import { useSite } from '../../model/site.ts'
import { account, ownAccount } from '../../texts/account-messages.ts'
import { Checkbox } from '../../ui/forms/checkbox.tsx'
import { CurrentPasswordField } from '../../ui/forms/current-password-field.tsx'
import { NewPasswordField } from './new-password-field.tsx'
import { saveAccount } from './own-account.ts'
import { type ChangeOutcome, OutcomeText, AccountSection } from './account-section.tsx'

const texts = ownAccount.password
type Wrong = { field: 'current' | 'next'; text: string } | undefined

export function PasswordSection({ email }: { email: string }) {
  const id = useId()
  const { passwordMin } = useSite()
  const current = useRef<HTMLInputElement>(null)
  const next = useRef<HTMLInputElement>(null)
  const [isBusy, setBusy] = useState(false)
  const [keepApiKeys, setKeepApiKeys] = useState(false)
  const [wrong, setWrong] = useState<Wrong>()
  const [outcome, setOutcome] = useState<ChangeOutcome>()

  function refuse(field: RefObject<HTMLInputElement | null>, found: Wrong): void {
    setWrong(found)
    field.current?.focus()
  }

  async function submit(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const form = event.currentTarget
    const currentPassword = current.current?.value ?? ''
    const newPassword = next.current?.value ?? ''
    setWrong(undefined)
    setOutcome(undefined)
    if (currentPassword === '') return refuse(current, { field: 'current', text: texts.currentMissing })
    if (newPassword.length < passwordMin)
      return refuse(next, { field: 'next', text: account.passwordShort(passwordMin) })
    setBusy(true)
    const refusal = await saveAccount({ currentPassword, newPassword, keepApiKeys }, texts.done)
    setBusy(false)
    if (refusal !== undefined) {
      const isNext = refusal.code === 'weak_password' || refusal.code === 'invalid_input'
      return refuse(isNext ? next : current, { field: isNext ? 'next' : 'current', text: refusal.text })
    }
    form.reset()
    setKeepApiKeys(false)
    setOutcome({ kind: 'done', text: texts.done })
  }

  return (
    <AccountSection title={texts.title} text={texts.text}>
      <form className="grid gap-5" noValidate onSubmit={submit}>
        {/* So that a password manager knows which account's password changes. */}
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        <CurrentPasswordField
          id={`${id}current`}
          label={texts.current}
          error={wrong?.field === 'current' ? wrong.text : undefined}
          field={current}
          onLength={() => setWrong((was) => (was?.field === 'current' ? undefined : was))}
        />
        <NewPasswordField
          id={`${id}next`}
          label={texts.next}
          field={next}
          emailOf={() => email}
          error={wrong?.field === 'next' ? wrong.text : undefined}
          onLength={(length) => length >= passwordMin && setWrong((was) => (was?.field === 'next' ? undefined : was))}
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
