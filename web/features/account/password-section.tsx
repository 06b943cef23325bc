import { useId, useRef, useState, type ReactNode, type RefObject, type SubmitEvent } from 'react'
import { limits } from '../../../contract/limits.ts'
import { account, ownAccount } from '../../texts/account-messages.ts'
import { PasswordField } from '../../ui/password-field.tsx'
import { save } from './own-account.ts'
import { type Outcome, OutcomeText, Section } from './account-section.tsx'

const words = ownAccount.password
type Wrong = { field: 'current' | 'next'; text: string } | undefined

export function PasswordSection({ email }: { email: string }) {
  const id = useId()
  const current = useRef<HTMLInputElement>(null)
  const next = useRef<HTMLInputElement>(null)
  const [isBusy, setBusy] = useState(false)
  const [wrong, setWrong] = useState<Wrong>()
  const [outcome, setOutcome] = useState<Outcome>()

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
    if (currentPassword === '') return refuse(current, { field: 'current', text: words.currentMissing })
    if (newPassword.length < limits.account.minPasswordLength)
      return refuse(next, { field: 'next', text: account.passwordShort })
    setBusy(true)
    const reason = await save({ currentPassword, newPassword }, words.done)
    setBusy(false)
    // The new password is validated before it is sent: what the server refuses is most likely the
    // current one.
    if (reason !== undefined) return refuse(current, { field: 'current', text: reason })
    form.reset()
    setOutcome({ kind: 'done', text: words.done })
  }

  return (
    <Section title={words.title} text={words.text}>
      <form className="grid gap-5" noValidate onSubmit={submit}>
        {/* So that a password manager knows which account's password changes. */}
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        <Labelled id={`${id}current`} label={words.current} wrong={wrong?.field === 'current' ? wrong.text : undefined}>
          <PasswordField
            id={`${id}current`}
            name="current-password"
            showLabel={account.showPassword}
            field={current}
            isNew={false}
            isInvalid={wrong?.field === 'current'}
            describedBy={`${id}currenthint`}
            onLength={() => setWrong((was) => (was?.field === 'current' ? undefined : was))}
          />
        </Labelled>
        <Labelled
          id={`${id}next`}
          label={words.next}
          hint={account.passwordRule}
          wrong={wrong?.field === 'next' ? wrong.text : undefined}
        >
          <PasswordField
            id={`${id}next`}
            name="new-password"
            showLabel={account.showPassword}
            field={next}
            isNew
            isInvalid={wrong?.field === 'next'}
            describedBy={`${id}nexthint`}
            onLength={(length) =>
              length >= limits.account.minPasswordLength && setWrong((was) => (was?.field === 'next' ? undefined : was))
            }
          />
        </Labelled>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <button type="submit" className="btn btn-primary" disabled={isBusy}>
            {isBusy ? ownAccount.saving : words.submit}
          </button>
          <OutcomeText outcome={outcome} />
        </div>
      </form>
    </Section>
  )
}

interface LabelledProps {
  id: string
  label: string
  hint?: string
  wrong: string | undefined
  children: ReactNode
}

function Labelled({ id, label, hint, wrong, children }: LabelledProps) {
  return (
    <div className="grid gap-1.5">
      <label className="font-medium" htmlFor={id}>
        {label}
      </label>
      {children}
      <div id={`${id}hint`} className="text-meta empty:hidden">
        {wrong !== undefined ? (
          <p role="alert" className="text-danger-text">
            {wrong}
          </p>
        ) : (
          hint !== undefined && <p className="text-text-2">{hint}</p>
        )}
      </div>
    </div>
  )
}
